import JSON
import Remote

/// A session for Open Stage Control: `open-stage-control --send HOST:7770 --load OUT.json`.
public enum OpenStageControl {
    /// The text of the file.
    public static func text(_ surface: Surface) -> String {
        let pages = placed(
            widget(
                "panel", "pages",
                ["widgets": .array([]), "tabs": .array(tabs(surface)), "scroll": .bool(false)]),
            0, 0, pageWidth, pageHeight)
        let master = panel(
            surface.master, 0, page: Surface.page(of: surface.master, in: surface.pages),
            left: pageWidth + gap, top: tabHeight + gap)
        let widgets = [pages, master, transport(surface, left: gap, top: pageHeight + gap)]
        return JSONValue.object([
            "createdWith": .string("jmix"), "version": .string("1.26.0"), "type": .string("session"),
            "content": root(widgets),
        ]).prettyText() + "\n"
    }

    private static func root(_ widgets: [JSONValue]) -> JSONValue {
        widget(
            "root", "root",
            [
                "widgets": .array(widgets), "tabs": .array([]), "scroll": .bool(true),
                // Subscribes by itself, and again before the subscription ends.
                "onCreate": .string(
                    """
                    send('/subscribe'); setInterval('renew', function() { send('/subscribe') }, \
                    \(Surface.renewalMilliseconds))
                    """
                ),
            ])
    }

    private static let (stripWidth, stripHeight, gap) = (108, 530, 5)
    /// As many strips stand beside each other as a tablet shows.
    private static let stripsOfPage = 8
    private static let tabHeight = 40
    private static let pageWidth = stripsOfPage * (stripWidth + gap) + gap
    private static let pageHeight = tabHeight + stripHeight + 2 * gap

    /// Pages of eight strips, and behind them of the sends to each bus.
    private static func tabs(_ surface: Surface) -> [JSONValue] {
        tabs(of: surface.strips, id: "page", "") { Surface.page(of: $0, in: surface.pages) }
            + surface.sends.enumerated().flatMap { index, sends in
                tabs(of: sends.strips, id: "sends/\(index + 1)", "to \(sends.bus) ") { _ in nil }
            }
    }

    private static func tabs(
        of strips: [Surface.Strip], id: String, _ title: String,
        page: (Surface.Strip) -> ProcessorPage?
    ) -> [JSONValue] {
        stride(from: 0, to: strips.count, by: stripsOfPage).map { first in
            let last = min(first + stripsOfPage, strips.count)
            let panels = strips[first..<last].enumerated().map { index, strip in
                panel(strip, index, page: page(strip))
            }
            return widget(
                "tab", "\(id)/\(first + 1)",
                [
                    "label": .string("\(title)\(first + 1)-\(last)"), "widgets": .array(panels),
                    "tabs": .array([]),
                ])
        }
    }

    /// - Parameter page: opens from the strip.
    private static func panel(
        _ strip: Surface.Strip, _ index: Int, page: ProcessorPage? = nil, left: Int = gap, top: Int = gap
    ) -> JSONValue {
        let children = children(of: strip, page)
        return placed(
            widget(
                "panel", strip.address,
                ["widgets": .array(children), "tabs": .array([]), "scroll": .bool(false)]),
            left + index * (stripWidth + gap), top, stripWidth, stripHeight)
    }

    private static func children(of strip: Surface.Strip, _ page: ProcessorPage?) -> [JSONValue] {
        var children = [
            placed(label(strip), 5, 5, 100, 35),
            toggle(strip, .mute, "M", left: 5),
            placed(fader(strip), 5, 140, 65, 380),
        ]
        if strip.has(.meter) { children.append(placed(meter(strip), 75, 140, 30, page == nil ? 380 : 335)) }
        if let page { children.append(placed(modal(page), 75, 480, 30, 40)) }
        if strip.has(.solo) { children.append(toggle(strip, .solo, "S", left: 60)) }
        if strip.has(.pan) { children.append(placed(pan(strip), 5, 95, 100, 35)) }
        return children
    }

    private static func toggle(
        _ strip: Surface.Strip, _ control: Control, _ text: String, left: Int
    ) -> JSONValue {
        placed(button(strip.address(of: control), text, mode: "toggle"), left, 45, 45, 40)
    }

    private static func label(_ strip: Surface.Strip) -> JSONValue {
        widget(
            "text", "\(strip.address)/label",
            [
                "value": .string(strip.name),
                "address": .string(strip.has(.name) ? strip.address(of: .name) : "auto"),
                "interaction": .bool(false),
            ])
    }

    private static func pan(_ strip: Surface.Strip) -> JSONValue {
        let range = Surface.range(of: .pan)
        return widget(
            "fader", strip.address(of: .pan),
            [
                "address": .string(strip.address(of: .pan)), "typeTags": .string("f"),
                "horizontal": .bool(true), "design": .string("compact"),
                "origin": .number(0), "default": .number(0), "doubleTap": .bool(true),
                "range": .object(["min": .number(range.lowerBound), "max": .number(range.upperBound)]),
            ])
    }

    private static func fader(_ strip: Surface.Strip) -> JSONValue {
        var fields: JSONObject = [
            "address": .string(strip.address(of: .volumePosition)), "typeTags": .string("f"),
            "range": .object(["min": .number(0), "max": .number(1)]),
            "default": .number(Surface.unityPosition), "doubleTap": .bool(true),
        ]
        if strip.has(.touch(.volume)) {
            fields["onTouch"] = .string(
                """
                send('\(strip.address(of: .touch(.volume)))', {type: 'i', value: event.type == 'start' ? 1 : \
                0})
                """
            )
        }
        return widget("fader", strip.address(of: .volumePosition), fields)
    }

    /// There is no widget for meters: a fader that nobody can move, in dB.
    private static func meter(_ strip: Surface.Strip) -> JSONValue {
        let peak = "(OSC{\(strip.address(of: .meter)), 0, false}[SIDE] || 0)"
        let (left, right) = (peak.replacing("SIDE", with: "0"), peak.replacing("SIDE", with: "1"))
        return widget(
            "fader", strip.address(of: .meter),
            [
                "value": .string("#{20 * Math.log10(Math.max(0.001, \(left), \(right)))}"),
                "bypass": .bool(true), "interaction": .bool(false),
                "design": .string("compact"),
                "range": .object(["min": .number(Surface.lowestLevel), "max": .number(Surface.highestLevel)]),
            ])
    }

    private static let (buttonWidth, buttonHeight) = (108, 70)

    private static var transportButtons: [JSONValue] {
        let start = widget(
            "button", Surface.start.1,
            [
                "label": .string(Surface.start.0), "mode": .string("momentary"),
                "address": .string(Surface.start.1), "typeTags": .string("f"),
                "on": .number(0), "off": .number(0),
            ])
        let seconds = widget(
            "text", Surface.position,
            [
                "value": .string("#{(OSC{\(Surface.position), 0, false}[1] || 0).toFixed(1) + ' s'}"),
                "bypass": .bool(true), "interaction": .bool(false),
            ])
        let buttons = Surface.transport.map { button($0.1, $0.0, mode: "momentary") }
        return buttons + [start, button(Surface.loop.1, Surface.loop.0, mode: "toggle"), seconds]
    }

    private static func sceneButtons(_ surface: Surface) -> [JSONValue] {
        surface.scenes.enumerated().map { index, name in
            widget(
                "button", "\(Surface.recall)/\(index + 1)",
                [
                    "label": .string(name), "mode": .string("momentary"), "address": .string(Surface.recall),
                    "typeTags": .string("s"), "on": .string(name), "off": .null,
                ])
        }
    }

    /// A row of large buttons, and below it one of scenes.
    private static func transport(_ surface: Surface, left: Int, top: Int) -> JSONValue {
        let rows = [transportButtons, sceneButtons(surface)].filter { !$0.isEmpty }
        let children = rows.enumerated().flatMap { row, widgets in
            widgets.enumerated().map { column, widget in
                placed(
                    widget, column * (buttonWidth + gap), row * (buttonHeight + gap), buttonWidth,
                    buttonHeight)
            }
        }
        return placed(
            widget(
                "panel", "transport",
                ["widgets": .array(children), "tabs": .array([]), "scroll": .bool(false)]), left, top,
            pageWidth - gap, rows.count * (buttonHeight + gap))
    }

    static func button(_ address: String, _ label: String, mode: String) -> JSONValue {
        widget(
            "button", address,
            [
                "label": .string(label), "mode": .string(mode), "address": .string(address),
                "typeTags": .string("i"), "on": .number(1), "off": .number(0),
            ])
    }

    static func widget(_ type: String, _ id: String, _ fields: JSONObject) -> JSONValue {
        var object: JSONObject = ["type": .string(type), "id": .string(id)]
        for (key, value) in fields.fields { object[key] = value }
        return .object(object)
    }

    static func placed(_ widget: JSONValue, _ left: Int, _ top: Int, _ width: Int, _ height: Int) -> JSONValue
    {
        guard var object = widget.objectValue else { return widget }
        for (key, value) in [("left", left), ("top", top), ("width", width), ("height", height)] {
            object[key] = .number(value)
        }
        return .object(object)
    }
}
