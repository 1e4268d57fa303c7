import JSON

/// A MIDI message, and what it moves.
public struct MIDIBinding: Equatable, Sendable {
    /// The message that moves it.
    public var source: MIDISource
    /// What the message does.
    public var action: Action
    /// How its value is taken.
    public var mode: Mode
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// What a message does.
    public enum Action: Equatable, Sendable {
        /// Moves a control of a strip, or of its send to a bus, by the word that it has there.
        case control(strip: StripID, bus: StripID?, word: String)
        /// Does what a line of the shell says.
        case line(String)
    }

    /// How what comes in becomes a value.
    public enum Mode: String, CaseIterable, Sendable {
        /// The control goes where the surface stands, at once.
        case jump
        /// The control stays until the surface has come to where it stands.
        case pickup
        /// The control goes the same way as the surface, by the share that each has left to its end.
        case scaled
        /// What comes in are steps: 1 to 63 up, 127 to 65 down.
        case relative
        /// Each press switches.
        case toggle
        /// On while it is pressed.
        case momentary
    }

    /// A message that does `action`, its value taken as `mode` says.
    public init(_ source: MIDISource, _ action: Action, mode: Mode) {
        (self.source, self.action, self.mode) = (source, action, mode)
    }
}
