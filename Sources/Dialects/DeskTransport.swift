/// How the transport stands.
public struct DeskTransport: Equatable, Sendable {
    public let isRolling: Bool
    public let seconds: Double
    public let isLooping: Bool
    /// Armed tracks record while it rolls.
    public let isRecording: Bool

    public init(isRolling: Bool, seconds: Double, isLooping: Bool, isRecording: Bool) {
        (self.isRolling, self.seconds, self.isLooping, self.isRecording) = (
            isRolling, seconds, isLooping, isRecording
        )
    }
}
