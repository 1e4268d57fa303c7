import CExpat

/// Why a text is no XML document that is read here.
public struct XMLError: Error, CustomStringConvertible {
    /// Counts from 1.
    public let line: Int
    public let reason: String
    public var description: String { "line \(line): \(reason)" }
}

extension XMLElement {
    /// Deeper elements are not read.
    private static let maximumDepth = 200

    /// More elements and attributes, together, are not read: they take some hundred bytes each, and are
    /// written in five.
    private static let maximumParts = 1_000_000

    /// The root of a document, read by expat. One with a document type of its own is refused: what that
    /// declares can name other files and grow without bound.
    /// - Throws: `XMLError`: it is none.
    public init(parsing bytes: [UInt8]) throws(XMLError) {
        let building = Building()
        guard let parser = XML_ParserCreate(nil) else {
            throw XMLError(line: 1, reason: "there is no memory for it")
        }
        defer { XML_ParserFree(parser) }
        building.parser = parser
        XML_SetUserData(parser, Unmanaged.passUnretained(building).toOpaque())
        XML_SetElementHandler(parser) { data, name, attributes in
            Building.of(data).begin(name!, attributes!)
        } _: { data, _ in
            Building.of(data).closeElement()
        }
        XML_SetCharacterDataHandler(parser) { data, text, count in
            Building.of(data).add(UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            Building.of(data).refuse("a document type of its own is not read")
        }
        let isWhole =
            bytes.count <= Int32.max
            && bytes.withUnsafeBytes { bytes in
                XML_Parse(parser, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), 1)
                    == XML_STATUS_OK
            }
        guard isWhole, let root = building.root else {
            let reason =
                building.refusal ?? XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
                ?? "it is no XML"
            throw XMLError(line: Int(XML_GetCurrentLineNumber(parser)), reason: reason)
        }
        self = root
    }

    /// The elements that are open, while expat goes through the text.
    private final class Building {
        private var open: [XMLElement] = []
        private var texts: [[UInt8]] = []
        private var parts = 0
        var root: XMLElement?
        var refusal: String?
        /// As long as it lives.
        var parser: XML_Parser?

        static func of(_ data: UnsafeMutableRawPointer?) -> Building {
            Unmanaged<Building>.fromOpaque(data!).takeUnretainedValue()
        }

        func begin(_ name: UnsafePointer<CChar>, _ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
            if open.count == XMLElement.maximumDepth {
                return refuse("its elements lie too deep in each other")
            }
            var attributes: [Attribute] = []
            var index = 0
            parts += 1
            while let key = pairs[index], let value = pairs[index + 1] {
                attributes.append(Attribute(name: String(cString: key), value: String(cString: value)))
                index += 2
                parts += 1
            }
            if parts > XMLElement.maximumParts {
                return refuse("it has more than \(XMLElement.maximumParts) elements and attributes")
            }
            open.append(XMLElement(String(cString: name), attributes: attributes))
            texts.append([])
        }

        func closeElement() {
            guard var element = open.popLast(), let text = texts.popLast() else { return }
            element.text = XMLElement.trimmed(text)
            if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
        }

        func add(_ bytes: UnsafeRawBufferPointer) { if !texts.isEmpty { texts[texts.count - 1] += bytes } }

        func refuse(_ reason: String) {
            refusal = reason
            XML_StopParser(parser, XML_Bool(XML_FALSE))
        }
    }

    private static func trimmed(_ bytes: [UInt8]) -> String {
        func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
