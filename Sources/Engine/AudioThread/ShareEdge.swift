import Realtime

/// How a line takes part in automixes.
struct ShareEdge {
    let memory: UnsafeMutablePointer<ShareMemory>
    let pace: SharePace
    /// In the new plan and in the one before; nil: it takes no part there.
    let weight: Double?
    let weightBefore: Double?
    /// Of all that are worked out together: the automixes, and the lines that take part in any of them, it
    /// among them.
    let mixes: UnsafeMutablePointer<ShareMix>
    let mixCount: Int
    let members: UnsafeMutablePointer<UnsafeMutablePointer<Line>>
    let memberCount: Int
    /// Something of these automixes is not as it was in the plan before.
    let changes: Bool
    /// It is the last of them that is mixed.
    let isLast: Bool
    /// Where its sound waits for the levels of all.
    let block: Channels
    /// The same of what was played before, while that is mixed apart.
    let blockBefore: Channels
}
