import JSON
import Remote

/// A session for Open Stage Control: `open-stage-control --send HOST:7770 --load OUT.json`.
public enum OpenStageControl {
    /// The text of the file.
    public static func text(_ surface: Surface) -> String {
        var widgets: [JSONValue] = []
        for (index, strip) in (surface.strips + [surface.master]).enumerated() {
            widgets.append(panel(strip, index, page: Surface.page(of: strip, in: surface.pages)))
        }
        widgets.append(transport(surface, left: 10, top: stripHeight + 20))
        // Sends on faders: a row for each bus.
        for (row, (bus, strips)) in surface.sends.enumerated() {
            let top = (row + 1) * (stripHeight + 160)
            widgets.append(
                placed(
                    widget(
                        "text", "/sends/\(row + 1)",
                        ["value": .string("to \(bus)"), "bypass": .bool(true), "interaction": .bool(false)]),
                    10, top - 30, 240, 30))
            for (index, strip) in strips.enumerated() { widgets.append(panel(strip, index, top: top)) }
        }
        let root = widget(
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
        return JSONValue.object([
            "createdWith": .string("jmix"), "version": .string("1.26.0"), "type": .string("session"),
            "content": root,
        ]).prettyText() + "\n"
    }

    private static let stripWidth = 110
    private static let stripHeight = 560

    /// - Parameter page: opens from the strip.
    private static func panel(
        _ strip: Surface.Strip, _ index: Int, page: ProcessorPage? = nil, top: Int = 10
    ) -> JSONValue {
        var children: [JSONValue] = [
            placed(
                widget(
                    "text", "\(strip.address)/label",
                    [
                        "value": .string(strip.name),
                        "address": .string(strip.has(.name) ? strip.address(of: .name) : "auto"),
                        "interaction": .bool(false),
                    ]), 5, 5, 100, 35),
            placed(button(strip.address(of: .mute), "M", mode: "toggle"), 5, 45, 45, 40),
            placed(fader(strip), 5, 140, 65, 410),
        ]
        if strip.has(.meter) { children.append(placed(meter(strip), 75, 140, 30, page == nil ? 410 : 365)) }
        if let page { children.append(placed(modal(page), 75, 510, 30, 40)) }
        if strip.has(.solo) {
            children.append(placed(button(strip.address(of: .solo), "S", mode: "toggle"), 60, 45, 45, 40))
        }
        if strip.has(.pan) {
            let range = Surface.range(of: .pan)
            children.append(
                placed(
                    widget(
                        "fader", strip.address(of: .pan),
                        [
                            "address": .string(strip.address(of: .pan)), "typeTags": .string("f"),
                            "horizontal": .bool(true), "design": .string("compact"),
                            "origin": .number(0), "default": .number(0), "doubleTap": .bool(true),
                            "range": .object([
                                "min": .number(range.lowerBound), "max": .number(range.upperBound),
                            ]),
                        ]), 5, 95, 100, 35))
        }
        return placed(
            widget(
                "panel", strip.address,
                ["widgets": .array(children), "tabs": .array([]), "scroll": .bool(false)]),
            10 + index * (stripWidth + 5), top, stripWidth, stripHeight)
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

    private static func transport(_ surface: Surface, left: Int, top: Int) -> JSONValue {
        var children = Surface.transport.enumerated().map { index, item in
            placed(button(item.1, item.0, mode: "momentary"), 5 + index * 85, 5, 80, 50)
        }
        let start = widget(
            "button", Surface.start.1,
            [
                "label": .string(Surface.start.0), "mode": .string("momentary"),
                "address": .string(Surface.start.1), "typeTags": .string("f"),
                "on": .number(0), "off": .number(0),
            ])
        children.append(placed(start, 5 + children.count * 85, 5, 80, 50))
        children.append(
            placed(button(Surface.loop.1, Surface.loop.0, mode: "toggle"), 5 + children.count * 85, 5, 80, 50)
        )
        let seconds = widget(
            "text", Surface.position,
            [
                "value": .string("#{(OSC{\(Surface.position), 0, false}[1] || 0).toFixed(1) + ' s'}"),
                "bypass": .bool(true), "interaction": .bool(false),
            ])
        children.append(placed(seconds, 5 + children.count * 85, 5, 120, 50))
        for (index, name) in surface.scenes.enumerated() {
            let scene = widget(
                "button", "\(Surface.recall)/\(index + 1)",
                [
                    "label": .string(name), "mode": .string("momentary"), "address": .string(Surface.recall),
                    "typeTags": .string("s"), "on": .string(name), "off": .null,
                ])
            children.append(placed(scene, 5 + index * 85, 60, 80, 50))
        }
        return placed(
            widget(
                "panel", "transport",
                ["widgets": .array(children), "tabs": .array([]), "scroll": .bool(false)]), left, top, 730,
            surface.scenes.isEmpty ? 60 : 115)
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
