/// How the server's transport stands.
public struct ServerTransport: Equatable, Sendable {
    public enum State: Sendable { case stopped, rolling, starting }

    public let state: State
    /// In frames at the server's rate.
    public let frame: Int64

    public init(state: State, frame: Int64) {
        self.state = state
        self.frame = frame
    }
}
