import CZlib

/// A layout for TouchOSC: zlib-compressed XML, pages of eight strips beside the master and the transport.
public enum TouchOSC {
    /// The bytes of the file.
    public static func file(_ surface: Surface) -> [UInt8] { compressed(Array(xml(surface).utf8)) }

    /// The strips of each page, and the place of its first; one page at least.
    private static func parted(_ strips: [Surface.Strip]) -> [(strips: [Surface.Strip], first: Int)] {
        stride(from: 0, to: max(1, strips.count), by: stripsPerPage).map { first in
            (Array(strips[first..<min(first + stripsPerPage, strips.count)]), first)
        }
    }

    static func xml(_ surface: Surface) -> String {
        let pages = parted(surface.strips).map { page($0.strips, first: $0.first) }
        let sends = surface.sends.flatMap { bus, strips in
            strips.isEmpty ? [] : parted(strips).map { page($0.strips, first: $0.first, of: bus) }
        }
        let pager = pager(pages + sends, surface)
        var root = Node("GROUP", "jmix", Frame(0, 0, width, height))
        root.properties.append(.string("script", subscription))
        root.children =
            [pager, strip(surface.master, x: pageWidth, y: tabHeight)] + transport
            + surface.scenes.enumerated().map(scene)
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><lexml version=\"3\">\(root.xml)</lexml>"
    }

    private static func pager(_ pages: [Node], _ surface: Surface) -> Node {
        var pager = Node("PAGER", "tracks", Frame(0, 0, pageWidth, height - transportHeight))
        pager.properties += [
            .boolean("tabbar", true), .integer("tabbarSize", tabHeight), .boolean("tabLabels", true),
        ]
        pager.values = [Value("page", "0")]
        pager.children = pages + (surface.pages.isEmpty ? [] : [processors(surface.pages)])
        return pager
    }

    static let (width, height) = (1024, 768)
    /// The transport's row, and that of the scenes below it.
    static let (stripWidth, stripsPerPage, tabHeight, transportHeight, rowHeight) = (112, 8, 40, 132, 66)
    static var pageWidth: Int { stripWidth * stripsPerPage }

    /// Subscribes by itself, and again before the subscription ends.
    private static var subscription: String {
        """
        local last = -\(Surface.renewalMilliseconds)
        function update()
          local now = getMillis()
          if now - last >= \(Surface.renewalMilliseconds) then
            last = now
            sendOSC('/subscribe')
          end
        end
        """
    }

    /// Both sides' peaks come; the louder one is shown, in dB.
    private static var meterScript: String {
        """
        function onReceiveOSC(message, connections)
          local levels = message[2]
          local peak = math.max(levels[1].value, levels[2].value)
          local level = 20 * math.log(math.max(peak, 0.000001)) / math.log(10)
          self.values.x = math.min(1, math.max(0, (level - (\(Surface.lowestLevel))) / \
        \(Surface.highestLevel - Surface.lowestLevel)))
          return true
        end
        """
    }

    /// - Parameter bus: to which all of them are sends.
    private static func page(_ strips: [Surface.Strip], first: Int, of bus: String? = nil) -> Node {
        let name = "\(bus.map { "\($0) " } ?? "")\(first + 1)-\(first + max(1, strips.count))"
        var page = Node("GROUP", name, Frame(0, tabHeight, pageWidth, height - transportHeight - tabHeight))
        page.properties.append(.string("tabLabel", name))
        page.children = strips.enumerated().map { strip($1, x: $0 * stripWidth, y: 0) }
        return page
    }

    private static func strip(_ strip: Surface.Strip, x: Int, y: Int) -> Node {
        var group = Node(
            "GROUP", strip.address, Frame(x, y, stripWidth - 4, height - transportHeight - tabHeight))
        let label = label(of: strip)
        group.children = [label, toggle(strip.address(of: .mute), Frame(4, 40, 48, 44)), fader(strip)]
        if strip.has(.meter) { group.children.append(meter(strip)) }
        if strip.has(.solo) { group.children.append(toggle(strip.address(of: .solo), Frame(56, 40, 48, 44))) }
        if strip.has(.pan) { group.children.append(pan(strip)) }
        return group
    }

    private static func label(of strip: Surface.Strip) -> Node {
        var label = Node(
            "LABEL", strip.has(.name) ? strip.address(of: .name) : "\(strip.address)/label",
            Frame(4, 4, 100, 32))
        label.values = [Value("text", strip.name)]
        if strip.has(.name) {
            label.messages = [
                Message(strip.address(of: .name), [.value("text", "STRING", 0, 1)], sends: false)
            ]
        }
        return label
    }

    static func toggle(_ address: String, _ frame: Frame) -> Node {
        var button = Node("BUTTON", address, frame)
        button.properties.append(.integer("buttonType", 1))
        button.messages = [Message(address, [.value("x", "INTEGER", 0, 1)])]
        return button
    }

    private static func fader(_ strip: Surface.Strip) -> Node {
        var fader = Node("FADER", strip.address(of: .volumePosition), Frame(4, 132, 66, 448))
        fader.values = [Value("x", "\(Surface.unityPosition)"), Value("touch", "false")]
        fader.messages = [Message(strip.address(of: .volumePosition), [.value("x", "FLOAT", 0, 1)])]
        if strip.has(.touch(.volume)) {
            fader.messages.append(
                Message(
                    strip.address(of: .touch(.volume)), [.value("touch", "INTEGER", 0, 1)], trigger: "touch",
                    receives: false))
        }
        return fader
    }

    private static func pan(_ strip: Surface.Strip) -> Node {
        let range = Surface.range(of: .pan)
        var pan = Node("FADER", strip.address(of: .pan), Frame(4, 88, 100, 40))
        // 1: to the east.
        pan.properties.append(.integer("orientation", 1))
        pan.values = [Value("x", "0.5")]
        pan.messages = [
            Message(
                strip.address(of: .pan), [.value("x", "FLOAT", Int(range.lowerBound), Int(range.upperBound))])
        ]
        return pan
    }

    private static func meter(_ strip: Surface.Strip) -> Node {
        var meter = Node("FADER", strip.address(of: .meter), Frame(74, 132, 30, 448))
        meter.properties += [
            .boolean("interactive", false), .boolean("cursor", false), .string("script", meterScript),
        ]
        meter.messages = [Message(strip.address(of: .meter), [.value("x", "FLOAT", 0, 1)], sends: false)]
        return meter
    }

    private static var transport: [Node] {
        var nodes = Surface.transport.enumerated().map { index, item in
            press(item.0, item.1, [], cell(index, row: 0))
        }
        nodes.append(
            press(Surface.start.0, Surface.start.1, [.constant("0", "FLOAT")], cell(nodes.count, row: 0)))
        // It is told as two times, which are no place of a switch.
        nodes.append(
            labelled(
                Surface.loop.0, Surface.loop.1,
                Message(Surface.loop.1, [.value("x", "INTEGER", 0, 1)], receives: false), isSwitch: true,
                cell(nodes.count, row: 0)))
        return nodes
    }

    private static func scene(_ index: Int, _ name: String) -> Node {
        press(
            name, Surface.recall, id: "\(Surface.recall)/\(index + 1)", [.constant(name, "STRING")],
            cell(index, row: 1))
    }

    private static func cell(_ index: Int, row: Int) -> Frame {
        Frame(4 + index * 128, height - transportHeight + 6 + row * (rowHeight - 4), 122, 54)
    }

    /// A button with its word on it, which sends when it is pressed and not when it is let go.
    static func press(
        _ text: String, _ address: String, id: String? = nil, _ arguments: [Partial], _ frame: Frame
    ) -> Node {
        labelled(
            text, id ?? address, Message(address, arguments, condition: "RISE", receives: false),
            isSwitch: false, frame)
    }

    private static func labelled(
        _ text: String, _ id: String, _ message: Message, isSwitch: Bool, _ frame: Frame
    ) -> Node {
        var group = Node("GROUP", "\(id)/press", frame)
        var button = Node("BUTTON", id, Frame(0, 0, frame.w, frame.h))
        if isSwitch { button.properties.append(.integer("buttonType", 1)) }
        button.messages = [message]
        var label = Node("LABEL", "\(id)/label", Frame(0, 0, frame.w, frame.h))
        label.properties += [.boolean("interactive", false), .boolean("background", false)]
        label.values = [Value("text", text)]
        group.children = [button, label]
        return group
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var size = compressBound(uLong(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(size))
        // The buffer is as large as zlib says it can ever need, so this cannot fail.
        compress(&result, &size, bytes, uLong(bytes.count))
        return Array(result[..<Int(size)])
    }
}
