import JSON

/// A place on the timeline with a name: what one goes to, and a chapter of what is rendered.
public struct Marker: Equatable, Sendable {
    /// Unlike any other's.
    public var name: String
    /// Where it is.
    public var at: MediaTime
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// More than a day has minutes; a bound for what a remote control may make the mixer hold.
    public static let maximum = 1000

    /// A marker of that name; `problem` says which it cannot have.
    public init(name: String, at: MediaTime) { (self.name, self.at) = (name, at) }

    /// Why `name` cannot name a marker, or nil.
    public static func problem(_ name: String) -> String? {
        if name.isEmpty { return "a marker's name must not be empty" }
        if name.utf8.count > StripName.maximumLength {
            return "a marker's name has at most \(StripName.maximumLength) bytes"
        }
        if StripName.hasControlCharacters(name) { return "a marker's name has no control characters" }
        // Whoever goes there names it where a time could stand.
        let isTaken =
            name == "end" || name.hasPrefix("+") || name.hasPrefix("-")
            || (try? TimeSpec(parsing: name)) != nil
        return isTaken ? "\"\(name)\" would be taken for a time" : nil
    }
}

extension Session {
    /// Sets a marker, in place of the one of that name; they are kept in the order of their times.
    public mutating func setMarker(_ marker: Marker) {
        var marker = marker
        if let index = markers.firstIndex(where: { $0.name == marker.name }) {
            marker.unknown = markers.remove(at: index).unknown
        }
        markers.insert(marker, at: markers.firstIndex { $0.at > marker.at } ?? markers.count)
    }
}
