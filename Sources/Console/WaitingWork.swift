/// Work that is done behind something else, each kind in the order in which it came. Control thread.
struct WaitingWork {
    /// Behind moves that are to become automation, or at a time at the latest.
    var behindWriting: [(until: UInt64, go: () -> Void)] = []
    /// Behind takes that are to become clips, or at a time at the latest; and whether these takes are being
    /// looked for.
    var behindTakes: [(until: UInt64, isLooking: Bool, go: () -> Void)] = []
    /// Saves, loads and returns to other documents, one behind another (`Console.inTurn`).
    var documents: [(_ finish: @escaping () -> Void) -> Void] = []
    /// Edits behind decoders: it is not known yet how long sounds are.
    var edits: [WaitingEdit] = []
    /// The lengths for the first of the edits are being looked at.
    var isLookingAtLengths = false
    /// Some edits need not wait any more, but others have their turn first.
    var hasReadyEdits = false
}
