/// One place in which two documents differ.
public struct JSONDifference: Equatable, Sendable, CustomStringConvertible {
    /// As `track 1, fader`: an item of a list is called as the list is, without its s, and counts from 1.
    public let place: String
    /// nil: not there.
    public let before, after: JSONValue?

    public var description: String {
        switch (before, after) {
        case (let before?, let after?): "\(place): \(before.compactText) -> \(after.compactText)"
        case (nil, let after): "\(place): added: \(after?.compactText ?? "null")"
        case (let before?, nil): "\(place): removed: \(before.compactText)"
        }
    }
}
