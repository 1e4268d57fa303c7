/// What comes in by ports of single strips, for one call of `render`.
public struct DirectIns {
    let ins: UnsafeMutablePointer<DirectIn>
    let count: Int

    /// `count` inputs at `ins`, which stay the caller's.
    @_noLocks
    public init(_ ins: UnsafeMutablePointer<DirectIn>, count: Int) {
        self.ins = ins
        self.count = count
    }
}
