/// Which state of the session this is.
public struct Edition: Equatable, Sendable {
    /// It grows whenever the timeline, the markers, the scenes or the strips change.
    public let number: Int
    /// What undo would take back and redo make again; empty for nothing.
    public let undo: String
    public let redo: String

    public init(_ number: Int, undo: String, redo: String) {
        (self.number, self.undo, self.redo) = (number, undo, redo)
    }
}
