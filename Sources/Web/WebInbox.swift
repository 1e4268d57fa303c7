import OSC
import Realtime

/// What has come in by the web for the control thread, and what that thread has sent and is not gone yet. Both threads; never waits for either.
package final class WebInbox: @unchecked Sendable {
    // Safe to share: all of it is behind one lock, and the doorbell is made for two threads.
    struct Connection {
        let role: WebAccess.Role
        /// Sends a frame, or closes; called from the control thread.
        let send: @Sendable (WebFrame) -> Void
        /// Reads on, after it was told to wait.
        let readOn: @Sendable () -> Void
        var unsent = 0
        var isWaiting = false
    }

    private struct State {
        var connections: [Int: Connection] = [:]
        var lastNumber = 0
        var packets = FairQueue<OSCPeer>()
        var texts: [(peer: Int, text: String)] = []
        var questions: [WebQuestion] = []
    }

    private let state = Guarded(State())
    let doorbell = Doorbell()

    package init() {}

    /// What one has left beyond this stays in its socket.
    private static let maximumWaiting = 256
    private static let maximumTexts = 4096
    private static let maximumQuestions = 64
    /// Bytes on their way to one that is told more.
    private static let patientUnsent = 1 << 16
    /// One that lets so much pile up is dropped.
    private static let maximumUnsent = 16 << 20

    // MARK: - The web's thread

    func open(_ role: WebAccess.Role, send: @escaping @Sendable (WebFrame) -> Void, readOn: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.connections[state.lastNumber] = Connection(role: role, send: send, readOn: readOn)
            return state.lastNumber
        }
    }

    func close(_ number: Int) {
        state.withLock { state in
            state.connections[number] = nil
            state.packets.forget(.web(number))
        }
        doorbell.ring()
    }

    /// - Returns: whether it may be read on at once.
    func receive(_ packet: [UInt8], from number: Int) -> Bool {
        let mayGoOn = state.withLock { state in
            state.packets.append(packet, from: .web(number), isBounded: false)
            let mayGoOn = state.packets.count(of: .web(number)) < Self.maximumWaiting
            if !mayGoOn { state.connections[number]?.isWaiting = true }
            return mayGoOn
        }
        doorbell.ring()
        return mayGoOn
    }

    /// - Returns: false if there is too much: it is not taken.
    func receive(text: String, from number: Int) -> Bool {
        let isTaken = state.withLock { state in
            guard state.texts.count < Self.maximumTexts else { return false }
            state.texts.append((number, text))
            return true
        }
        doorbell.ring()
        return isTaken
    }

    /// - Returns: false if there is too much: it is not taken.
    func ask(_ question: WebQuestion) -> Bool {
        let isTaken = state.withLock { state in
            guard state.questions.count < Self.maximumQuestions else { return false }
            state.questions.append(question)
            return true
        }
        doorbell.ring()
        return isTaken
    }

    /// So many bytes have gone.
    func sent(_ bytes: Int, to number: Int) { state.withLock { $0.connections[number]?.unsent -= bytes } }

    // MARK: - The control thread

    func hasPackets(_ isHeard: (OSCPeer) -> Bool) -> Bool { state.withLock { $0.packets.hasNext(isHeard) } }

    package func nextPacket(_ isHeard: (OSCPeer) -> Bool) -> (packet: [UInt8], peer: OSCPeer)? {
        let (next, readOn) = state.withLock { state -> ((packet: [UInt8], peer: OSCPeer)?, (@Sendable () -> Void)?) in
            guard let next = state.packets.next(isHeard) else { return (nil, nil) }
            guard case .web(let number) = next.peer, state.connections[number]?.isWaiting == true, state.packets.count(of: next.peer) < Self.maximumWaiting / 4 else { return (next, nil) }
            state.connections[number]?.isWaiting = false
            return (next, state.connections[number]?.readOn)
        }
        readOn?()
        return next
    }

    package func takeTexts() -> [(peer: Int, text: String)] {
        state.withLock { state in
            defer { state.texts = [] }
            return state.texts
        }
    }

    package func takeQuestions() -> [WebQuestion] {
        state.withLock { state in
            defer { state.questions = [] }
            return state.questions
        }
    }

    func send(_ frame: WebFrame, to number: Int) {
        let send = state.withLock { state -> (@Sendable (WebFrame) -> Void)? in
            guard let connection = state.connections[number] else { return nil }
            // One that never reads has been given time by whoever tells it things; what it asks for itself is its own affair.
            if connection.unsent > Self.maximumUnsent {
                return { _ in connection.send(.close) }
            }
            state.connections[number]!.unsent += frame.count
            return connection.send
        }
        send?(frame)
    }

    func role(of number: Int) -> WebAccess.Role? { state.withLock { $0.connections[number]?.role } }

    func isReady(_ number: Int) -> Bool { state.withLock { $0.connections[number].map { $0.unsent < Self.patientUnsent } ?? false } }

    package var connections: [Int] { state.withLock { $0.connections.keys.sorted() } }
}

/// What goes out on a WebSocket.
enum WebFrame: Sendable {
    case packet([UInt8])
    case text(String)
    case close

    var count: Int {
        switch self {
        case .packet(let bytes): bytes.count
        case .text(let text): text.utf8.count
        case .close: 0
        }
    }
}
