import Engine
import Files
import Realtime
import Remote
import Timeline

/// An edit that waits until it is known how long the sounds are that it cuts, or is placed by.
struct WaitingEdit {
    /// Who asks; nil is the program itself.
    let client: ClientID?
    /// How often the session had changed when it was asked for.
    var changeCount = 0
    /// The files that it names, as the session keeps them.
    var names: [FilePath: String] = [:]
    /// nil: it is no save.
    var save: WaitingSave?
    /// The clips whose lengths count for it, as the session is by now.
    let measured: () -> [Clip]
    /// It is a save whose turn among the edits has come.
    var isUnderWay: Bool { save.map { $0.stage != .behindEdits } ?? false }
    /// Carries it out.
    let go: () -> Void
    /// Gives it up, and tells why.
    let drop: (CommandError) -> Void
}
