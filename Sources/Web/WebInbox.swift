import OSC
import Realtime

/// What has come in by the web for the control thread, and what that thread has sent and is not gone yet.
/// Both threads; never waits for either.
package final class WebInbox: @unchecked Sendable {
    // Safe to share: all of it is behind one lock, and the doorbell is made for two threads.
    struct Connection {
        let role: WebAccess.Role
        /// Sends a frame, or closes; called from the control thread. nil: it has ended, and what it has said
        /// is still carried out.
        var send: (@Sendable (WebFrame) -> Void)?
        /// Reads on, after it was told to wait.
        var readOn: (@Sendable () -> Void)?
        var unsent = 0
        var isWaiting = false
    }

    private struct State {
        var connections: [Int: Connection] = [:]
        var lastNumber = 0
        /// What each has said, packets and texts in their order; a byte before each says which it is.
        var said = FairQueue<OSCPeer>()
        var texts: [(peer: Int, text: String)] = []
        var questions: [WebQuestion] = []
    }

    private static let (packetMark, textMark): (UInt8, UInt8) = (0, 1)

    private let state = Guarded(State())
    let doorbell = Doorbell()

    package init() {}

    /// What one has left beyond this stays in its socket.
    private static let maximumWaiting = 256
    private static let maximumQuestions = 64
    /// Bytes on their way to one that is told more.
    private static let patientUnsent = 1 << 16
    /// One that lets so much pile up is dropped.
    private static let maximumUnsent = 16 << 20

    // MARK: - The web's thread

    func open(
        _ role: WebAccess.Role, send: @escaping @Sendable (WebFrame) -> Void,
        readOn: @escaping @Sendable () -> Void
    ) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.connections[state.lastNumber] = Connection(role: role, send: send, readOn: readOn)
            return state.lastNumber
        }
    }

    func close(_ number: Int) {
        state.withLock { state in
            state.connections[number]?.send = nil
            state.connections[number]?.readOn = nil
            Self.forgetIfDone(number, &state)
        }
        doorbell.ring()
    }

    /// One that has ended goes when all it has said is taken.
    private static func forgetIfDone(_ number: Int, _ state: inout State) {
        if let connection = state.connections[number], connection.send == nil,
            state.said.count(of: .web(number)) == 0
        {
            state.connections[number] = nil
        }
    }

    /// - Returns: whether it may be read on at once.
    func receive(_ packet: [UInt8], from number: Int) -> Bool {
        receive(packet, Self.packetMark, from: number)
    }

    /// The same of text.
    func receive(text: [UInt8], from number: Int) -> Bool { receive(text, Self.textMark, from: number) }

    private func receive(_ bytes: [UInt8], _ mark: UInt8, from number: Int) -> Bool {
        let mayGoOn = state.withLock { state in
            state.said.append([mark] + bytes, from: .web(number), isBounded: false)
            let mayGoOn = state.said.count(of: .web(number)) < Self.maximumWaiting
            if !mayGoOn { state.connections[number]?.isWaiting = true }
            return mayGoOn
        }
        doorbell.ring()
        return mayGoOn
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

    func hasPackets(_ isHeard: (OSCPeer) -> Bool) -> Bool { state.withLock { $0.said.hasNext(isHeard) } }

    /// The next packet of whose turn it is; texts on the way to it are put down for `takeTexts`.
    package func nextPacket(_ isHeard: (OSCPeer) -> Bool) -> (packet: [UInt8], peer: OSCPeer)? {
        while true {
            let (next, readOn) = state.withLock {
                state -> ((packet: [UInt8], peer: OSCPeer)?, (@Sendable () -> Void)?) in
                guard let next = state.said.next(isHeard), case .web(let number) = next.peer else {
                    return (nil, nil)
                }
                var readOn: (@Sendable () -> Void)?
                if state.connections[number]?.isWaiting == true,
                    state.said.count(of: next.peer) < Self.maximumWaiting / 4
                {
                    state.connections[number]?.isWaiting = false
                    readOn = state.connections[number]?.readOn
                }
                if next.packet.first == Self.textMark {
                    state.texts.append((number, String(decoding: next.packet.dropFirst(), as: UTF8.self)))
                }
                return (next, readOn)
            }
            readOn?()
            guard let next else { return nil }
            if next.packet.first == Self.packetMark { return (Array(next.packet.dropFirst()), next.peer) }
        }
    }

    /// What those have said who have ended is carried out by now.
    func forgetEnded() {
        state.withLock { state in
            for number in Array(state.connections.keys) { Self.forgetIfDone(number, &state) }
        }
    }

    package func takeTexts() -> [(peer: Int, text: String)] {
        state.withLock { state in
            defer { state.texts = [] }
            return state.texts
        }
    }

    /// A few at a time: others want their turn.
    package func takeQuestions(_ count: Int = .max) -> [WebQuestion] {
        state.withLock { state in
            let taken = Array(state.questions.prefix(count))
            state.questions.removeFirst(taken.count)
            return taken
        }
    }

    var hasQuestions: Bool { state.withLock { !$0.questions.isEmpty } }

    func send(_ frame: WebFrame, to number: Int) {
        let send = state.withLock { state -> (@Sendable (WebFrame) -> Void)? in
            guard let connection = state.connections[number], let send = connection.send else { return nil }
            // One that never reads has been given time by whoever tells it things; what it asks for itself is
            // its own affair.
            if connection.unsent > Self.maximumUnsent {
                return { _ in send(.close) }
            }
            state.connections[number]!.unsent += frame.count
            return send
        }
        send?(frame)
    }

    func role(of number: Int) -> WebAccess.Role? { state.withLock { $0.connections[number]?.role } }

    func isReady(_ number: Int) -> Bool {
        state.withLock {
            $0.connections[number].map { $0.send != nil && $0.unsent < Self.patientUnsent } ?? false
        }
    }

    /// Those that are open.
    package var connections: [Int] {
        state.withLock { $0.connections.filter { $0.value.send != nil }.keys.sorted() }
    }
}
