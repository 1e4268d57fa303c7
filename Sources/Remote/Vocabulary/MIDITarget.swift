import Timeline

/// What a MIDI message is to move.
public enum MIDITarget: Equatable, Sendable {
    case control(StripReference, Control)
    /// What a line of the shell does.
    case line(String)

    /// - Throws: `CommandError` for a line that says nothing, or needs the shell itself.
    init(line: String) throws(CommandError) {
        switch try Command(words: try LineWords.split(line)) {
        case .wait, .waitUntil, .midi: throw CommandError("\"\(line)\" is nothing that a message can do")
        default: self = .line(line)
        }
    }
}
