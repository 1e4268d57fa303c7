import Remote

/// The page of processors: a page for each strip, within a pager of its own.
extension TouchOSC {
    private static let (titleWidth, cellWidth, cellHeight) = (64, 118, 58)

    static func processors(_ pages: [ProcessorPage]) -> Node {
        let room = Frame(0, tabHeight, pageWidth, height - transportHeight - tabHeight)
        var group = Node("GROUP", "processors", room)
        group.properties.append(.string("tabLabel", "processors"))
        var pager = Node("PAGER", "processors/strips", Frame(0, 0, room.w, room.h))
        pager.properties += [
            .boolean("tabbar", true), .integer("tabbarSize", tabHeight), .boolean("tabLabels", true),
        ]
        pager.values = [Value("page", "0")]
        pager.children = pages.map { page($0, Frame(0, tabHeight, room.w, room.h - tabHeight)) }
        group.children = [pager]
        return group
    }

    private static func page(_ page: ProcessorPage, _ frame: Frame) -> Node {
        var group = Node("GROUP", "\(page.strip.address)/page", frame)
        group.properties.append(.string("tabLabel", page.strip.name))
        for (row, content) in page.rows.enumerated() {
            let top = 2 + row * cellHeight
            group.children.append(
                label(
                    content.title, "\(page.strip.address)/\(content.title)/title",
                    Frame(2, top + 16, titleWidth, 38)))
            for (column, cell) in content.cells.enumerated() {
                group.children += nodes(cell, of: page.strip, left: titleWidth + 4 + column * cellWidth, top)
            }
        }
        return group
    }

    /// A cell with its label above.
    private static func nodes(
        _ cell: ProcessorPage.Cell, of strip: Surface.Strip, left: Int, _ top: Int
    ) -> [Node] {
        let address = strip.address(of: cell.control)
        return [label(cell.label, "\(address)/label", Frame(left, top, cellWidth - 6, 16))]
            + nodes(cell, address, Frame(left, top + 16, cellWidth - 6, 38))
    }

    private static func label(_ text: String, _ id: String, _ frame: Frame) -> Node {
        var label = Node("LABEL", id, frame)
        label.properties += [.boolean("interactive", false), .boolean("background", false)]
        label.values = [Value("text", text)]
        return label
    }

    private static func nodes(_ cell: ProcessorPage.Cell, _ address: String, _ frame: Frame) -> [Node] {
        switch cell.shape {
        case .toggle: return [toggle(address, frame)]
        case .either(let low, let high): return [button(address, frame, Int(low), Int(high))]
        case .words(let words):
            let width = frame.w / words.count
            return words.enumerated().map { index, word in
                press(
                    word, address, id: "\(address)/\(word)", [.constant(word, "STRING")],
                    Frame(frame.x + index * width, frame.y, width, frame.h))
            }
        case .slider(let travel): return [slider(address, travel, frame)]
        }
    }

    /// One that stays where it is put, and is one of two numbers.
    private static func button(_ address: String, _ frame: Frame, _ low: Int, _ high: Int) -> Node {
        var button = Node("BUTTON", address, frame)
        button.properties.append(.integer("buttonType", 1))
        button.messages = [Message(address, [.value("x", "FLOAT", low, high)])]
        return button
    }

    private static func slider(_ address: String, _ travel: ProcessorPage.Travel, _ frame: Frame) -> Node {
        let (low, high) = (travel.range.lowerBound, travel.range.upperBound)
        var slider = Node("FADER", address, frame)
        // 1: to the east.
        slider.properties.append(.integer("orientation", 1))
        if travel.isByRatio {
            slider.properties.append(.string("script", byRatio(address, travel)))
            slider.messages = [Message(address, [.value("x", "FLOAT", 0, 1)], sends: false)]
        } else {
            slider.messages = [Message(address, [.value("x", "FLOAT", Int(low), Int(high))])]
        }
        return slider
    }

    /// The app's own scale goes by equal steps: what goes by equal ratios is sent and shown by a script.
    private static func byRatio(_ address: String, _ travel: ProcessorPage.Travel) -> String {
        let (low, high) = (travel.range.lowerBound, travel.range.upperBound)
        // What is off lies at one end, and is said as 0.
        let end = travel.off == .high ? 1 : 0
        let isOff = travel.off == nil ? "false" : "x == \(end)"
        return """
            function onValueChanged(key)
              if key == 'x' and self.values.touch then
                local x = self.values.x
                sendOSC('\(address)', (\(isOff)) and 0 or \(low) * (\(high) / \(low)) ^ x)
              end
            end
            function onReceiveOSC(message, connections)
              local value = message[2][1].value
              if value <= 0 then value = \(end == 1 ? high : low) end
              value = math.max(value, \(low))
              if not self.values.touch then
                self.values.x = math.min(1, math.log(value / \(low)) / math.log(\(high) / \(low)))
              end
              return true
            end
            """
    }
}
