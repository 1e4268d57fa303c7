/// A stretch of mixed samples.
public struct MixBlock: Equatable, Sendable {
    /// The frame of the timeline that the first sample belongs to, at the composition's rate.
    public let frame: Int64
    /// The left side, one sample a frame.
    public let left: [Float]
    /// The right side, as many.
    public let right: [Float]

    package init(frame: Int64, left: [Float], right: [Float]) {
        (self.frame, self.left, self.right) = (frame, left, right)
    }
}
