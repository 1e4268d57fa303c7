import JSON
import Speakers

/// A fader that several others hang on: it multiplies their faders, and its mute silences them.
@dynamicMemberLookup
public struct DCA: Equatable, Sendable {
    /// Its name, fader, mute and automation; the rest of a strip it has not.
    public var strip: Strip
    /// The tracks and buses that hang on it, or the master.
    public var members: [StripID] = []

    /// One that nothing hangs on.
    public init(name: String) { strip = Strip(name: name) }

    /// What the strip has.
    public subscript<Value>(dynamicMember path: KeyPath<Strip, Value>) -> Value { strip[keyPath: path] }
    /// What the strip has.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Strip, Value>) -> Value {
        get { strip[keyPath: path] }
        // In its place: a copy of many events for each that is added would take the square of the time.
        _modify { yield &strip[keyPath: path] }
    }
}
