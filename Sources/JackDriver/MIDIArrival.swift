/// A message that has come in by a pair of ports: 0 is `midi_in`, those of a surface's units follow.
public struct MIDIArrival: Equatable, Sendable {
    public let pair: Int
    public let bytes: [UInt8]
}
