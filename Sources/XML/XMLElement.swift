/// An element of an XML document with what is in it: enough for files that programs exchange.
public struct XMLElement: Equatable, Sendable {
    /// A name and its value.
    public struct Attribute: Equatable, Sendable {
        public let name: String
        public let value: String
    }

    public let name: String
    /// In the order in which they are written.
    public private(set) var attributes: [Attribute]
    public var children: [XMLElement]
    /// What stands in it beside other elements, all of it together.
    public var text: String

    /// - Parameter attributes: those without a value are left out.
    public init(
        _ name: String, _ attributes: KeyValuePairs<String, String?> = [:], _ children: [XMLElement] = [],
        text: String = ""
    ) {
        self.init(name, pairs: attributes.map { ($0, $1) }, children, text: text)
    }

    /// The same with attributes that are put together.
    public init(_ name: String, pairs: [(String, String?)], _ children: [XMLElement] = [], text: String = "")
    {
        self.init(
            name,
            attributes: pairs.compactMap { name, value in value.map { Attribute(name: name, value: $0) } })
        (self.children, self.text) = (children, text)
    }

    init(_ name: String, attributes: [Attribute]) {
        (self.name, self.attributes, children, text) = (name, attributes, [], "")
    }

    /// The value of an attribute; nil: it has none of that name.
    public subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// The first element of a name in it.
    public func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// All elements of a name in it.
    public func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    // MARK: - As text

    /// The document whose root it is.
    public var document: String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        write(to: &text, depth: 0)
        return text
    }

    private func write(to text: inout String, depth: Int) {
        let margin = String(repeating: " ", count: 2 * depth)
        text += "\(margin)<\(name)"
        for attribute in attributes {
            text += " \(attribute.name)=\"\(xmlEscaped(attribute.value, inAttribute: true))\""
        }
        if children.isEmpty, self.text.isEmpty {
            text += "/>\n"
        } else if children.isEmpty {
            text += ">\(xmlEscaped(self.text))</\(name)>\n"
        } else {
            text += ">\n"
            if !self.text.isEmpty { text += "\(margin)  \(xmlEscaped(self.text))\n" }
            for child in children { child.write(to: &text, depth: depth + 1) }
            text += "\(margin)</\(name)>\n"
        }
    }
}

/// A text as it stands in an XML document. What none can hold, as control characters, is left out.
/// - Parameter inAttribute: ends of lines and tabs are kept there too, where they would be read as spaces.
public func xmlEscaped(_ text: String, inAttribute: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "\n", "\t", "\r":
            if inAttribute || scalar == "\r" {
                result += "&#\(scalar.value);"
            } else {
                result.unicodeScalars.append(scalar)
            }
        case "\u{0}"..."\u{1f}", "\u{fffe}", "\u{ffff}": break
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
