import OSC

/// Whole nodes as lines of text: how editors read the tree, and set parts of it.
extension DeskRemote {
    private var writing: NodeText { NodeText(model: model) }

    /// The line of a node, of a single parameter, or of the first node below; nil for what there is not.
    func node(_ path: String) -> OSCMessage? {
        let path = path.hasPrefix("/") ? path : "/\(path)"
        guard let line = line(path) else { return nil }
        // Without a slash before it, as desks answer.
        return OSCMessage("node", .string(line + "\n"))
    }

    private func line(_ path: String) -> String? {
        if tree[path] == nil, let leaf = leaf(path) {
            let node = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            return "\(path) \(writing.text(value(path, leaf), leaf, of: node))"
        }
        return tree.first(below: path).map(line)
    }

    private func line(_ node: ParameterTree.Node) -> String {
        let words = leaves(node).map { writing.text(value($0.address, $0.leaf), $0.leaf, of: node.path) }
        return ([node.path] + words).joined(separator: " ")
    }

    /// `/ ,s "ch/01/mix ON -3.0"`: sets a node's parameters in their order, up to the first that cannot be,
    /// and says the message again.
    func setNode(_ message: OSCMessage, _ peer: OSCPeer) -> [OSCMessage] {
        guard let line = message.arguments.first?.text else { return [] }
        let words = nodeWords(line)
        guard let first = words.first else { return [] }
        let path = first.hasPrefix("/") ? first : "/\(first)"
        let leaves: [(address: String, leaf: ParameterTree.Leaf)]
        if let node = tree[path] {
            leaves = self.leaves(node)
        } else if let leaf = leaf(path) {
            leaves = [(path, leaf)]
        } else {
            return []
        }
        for ((address, leaf), word) in zip(leaves, words.dropFirst()) {
            guard let value = writing.argument(word, leaf), set(address, value.argument, from: peer) else {
                break
            }
        }
        return [message]
    }

    /// The show, and the scenes that there are.
    func showDump() -> [OSCMessage] {
        let show = value("/-show/showfile/show/name")?.written ?? ""
        let zeros = [String](repeating: "0", count: 10).joined(separator: " ")
        let head = "/-show/showfile/show \"\(show)\" \(zeros) \"\(model.firmware)\""
        let scenes = desk.scenes.prefix(model.scenes).indices.compactMap { number in
            tree[model.sceneNode(number)].map(line)
        }
        return ([head] + scenes).map { OSCMessage("node", .string($0 + "\n")) }
    }
}
