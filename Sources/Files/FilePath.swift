/// The path of a file as what it is to the system: its bytes tell it from another. Texts of Swift that differ
/// only in how their letters are composed are equal, while the files of such names are two.
public struct FilePath: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// As it is written.
    public let text: String

    public init(_ text: String) { self.text = text }
    public init(stringLiteral text: String) { self.text = text }

    public var description: String { text }

    public static func == (a: FilePath, b: FilePath) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    public static func < (a: FilePath, b: FilePath) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
