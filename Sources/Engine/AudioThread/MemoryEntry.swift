/// Some words of what one strip remembered.
struct MemoryEntry {
    /// Of all that were to be put.
    var number: Int64 = 0
    var note = MemoryNote(strip: 0, pass: 0, frame: 0)
    var place = MemoryPlace(.gate)
    /// Which words of all that belong there these are.
    var first: Int32 = 0
    var count: Int32 = 0
    var total: Int32 = 0

    @_noLocks
    init() {}
}
