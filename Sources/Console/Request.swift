import Remote

/// A command that is being carried out, and for whom.
struct Request {
    /// It names the step in the history.
    var command = Command.nothing
    /// Who asks; nil is the program itself.
    var author: ClientID?
    /// What the author is told beside the answers.
    var notes: [String] = []
    /// The lanes that the command is about and has moved already, as hands that write do.
    var movedLanes: Set<Lane> = []

    /// The command is carried out: what the program does from here on nobody has asked for.
    mutating func end() { (author, movedLanes) = (nil, []) }
}
