import JSON
import Remote

/// A strip's own page: a window that a button on the strip opens.
extension OpenStageControl {
    private static let (titleWidth, cellWidth, rowHeight) = (80, 130, 66)

    static func modal(_ page: ProcessorPage) -> JSONValue {
        var widgets: [JSONValue] = []
        for (row, content) in page.rows.enumerated() {
            let top = 5 + row * rowHeight
            widgets.append(
                placed(
                    text(content.title, id: "\(page.strip.address)/\(content.title)/title"), 5, top + 20,
                    titleWidth, 40))
            for (column, cell) in content.cells.enumerated() {
                let left = 5 + titleWidth + column * cellWidth
                let address = page.strip.address(of: cell.control)
                widgets.append(
                    placed(text(cell.label, id: "\(address)/label"), left, top, cellWidth - 10, 20))
                widgets += shapes(cell, address).enumerated().map { place, shape in
                    let width = (cellWidth - 10) / shape.count
                    return placed(shape.widget, left + place * width, top + 20, width, 40)
                }
            }
        }
        return widget(
            "modal", "\(page.strip.address)/page",
            [
                "label": .string("…"), "popupLabel": .string(page.strip.name), "popupWidth": .string("95%"),
                "popupHeight": .string("95%"),
                "widgets": .array(widgets),
            ])
    }

    private static func text(_ text: String, id: String) -> JSONValue {
        widget("text", id, ["value": .string(text), "bypass": .bool(true), "interaction": .bool(false)])
    }

    /// What a cell is made of, side by side, each with how many there are.
    private static func shapes(
        _ cell: ProcessorPage.Cell, _ address: String
    ) -> [(widget: JSONValue, count: Int)] {
        switch cell.shape {
        case .toggle: [(button(address, cell.label, mode: "toggle"), 1)]
        case .either(let low, let high): [(either(address, cell.label, low, high), 1)]
        case .words(let words): words.map { (word(address, $0), words.count) }
        case .slider(let travel) where travel.off != nil: [(off(address), 2), (slider(address, travel), 2)]
        case .slider(let travel): [(slider(address, travel), 1)]
        }
    }

    private static func either(_ address: String, _ label: String, _ low: Double, _ high: Double) -> JSONValue
    {
        widget(
            "button", address,
            [
                "label": .string("\(Int(high)) dB"), "mode": .string("toggle"), "address": .string(address),
                "typeTags": .string("f"),
                "on": .number(high), "off": .number(low),
            ])
    }

    private static func word(_ address: String, _ word: String) -> JSONValue {
        widget(
            "button", "\(address)/\(word)",
            [
                "label": .string(word), "mode": .string("momentary"), "address": .string(address),
                "typeTags": .string("s"),
                "on": .string(word), "off": .null,
            ])
    }

    private static func off(_ address: String) -> JSONValue {
        widget(
            "button", "\(address)/off",
            [
                "label": .string("off"), "mode": .string("momentary"), "address": .string(address),
                "typeTags": .string("f"),
                "on": .number(0), "off": .null,
            ])
    }

    private static func slider(_ address: String, _ travel: ProcessorPage.Travel) -> JSONValue {
        let (low, high) = (travel.range.lowerBound, travel.range.upperBound)
        return widget(
            "fader", address,
            [
                "address": .string(address), "typeTags": .string("f"), "horizontal": .bool(true),
                "design": .string("compact"),
                "logScale": .bool(travel.isByRatio),
                "range": .object(["min": .number(low), "max": .number(high)]),
            ])
    }
}
