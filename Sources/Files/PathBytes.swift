/// A path as what it is to the system: bytes. Texts of Swift that differ only in how their letters are
/// composed are equal; the files of such names are two.
public struct PathBytes: Hashable, Sendable {
    private let bytes: [UInt8]

    public init(_ path: String) { bytes = Array(path.utf8) }
}
