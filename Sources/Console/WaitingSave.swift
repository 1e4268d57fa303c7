import Engine
import Files
import Realtime
import Remote
import Timeline

/// How far a save is that waited among edits. It stands before what was asked for behind it until it is done.
final class WaitingSave {
    enum Stage {
        /// Edits stand before it.
        case behindEdits
        /// What makes another document of the session stands before it.
        case behindDocuments
        case beingWritten
        /// Done, or given up.
        case over
    }

    var stage = Stage.behindEdits
}
