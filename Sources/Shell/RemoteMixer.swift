import OSC
import Remote
import Timeline

/// A running mixer as the shell sees it: sends a command, and knows from the barrier behind it what became of
/// it.
package final class RemoteMixer: CommandTarget {
    package let url: OSCURL
    private var client: OSCClient?
    private var lastPing: Int32 = 0
    /// Nobody is there over TCP.
    private var isUDPAlone = false

    /// Loading a session of many tracks takes a moment; a mixer that is silent for longer is none.
    private let patience: Int32

    /// Told once that the mixer, which answers others, takes longer with this: then it is waited for.
    private var atWork: ((String) -> Void)?
    private let waitsForWork: Bool

    /// - Parameters:
    ///   - patience: how long nothing need be heard of the mixer, in milliseconds.
    ///   - atWork: told once that the mixer takes longer with something, which is waited for as long as the
    ///     mixer answers others; nil: nothing is waited for.
    package init(_ url: OSCURL, patience: Int32 = 5000, atWork: ((String) -> Void)? = nil) {
        (self.url, self.patience, self.atWork, waitsForWork) = (url, patience, atWork, atWork != nil)
    }

    package let isRunning = true

    package func greeting() throws(CommandFailure) -> String {
        guard let version = try run(.version).first?[Answer.version] else { return "a mixer at \(url)" }
        return "\(version) at \(url)"
    }

    package func run(_ command: Command) throws(CommandFailure) -> [Answer] {
        guard case .several(let commands) = command else { return try runOne(command) }
        var answers: [Answer] = []
        for command in commands { answers += try runOne(command) }
        return answers
    }

    private func runOne(_ command: Command) throws(CommandFailure) -> [Answer] {
        let messages = command.onlyAsks ? command.questions : command.messages
        try checkLength(of: messages)
        // Datagrams of many strips come faster than they can be taken: those that find no room are lost.
        if url.transport == .udp, !isUDPAlone, command.onlyAsks,
            messages.contains(where: { OSCPattern.isPattern($0.address) })
        {
            do throws(CommandFailure) { return try askedOverTCP(command) } catch {
                guard case .noMixer = error else { throw error }
                isUDPAlone = true
            }
        }
        let outcome: Result<[OSCMessage], CommandFailure>
        do throws(OSCNetworkError) {
            outcome = try talk(messages, awaited: command.awaited)
        } catch {
            // A mixer that was started anew has forgotten this connection: the next command makes a new one.
            client = nil
            throw .noMixer(
                "no mixer at \(url): \(error.reason). Is jmix running? Another address: --url or $JMIX_URL")
        }
        if case .failure(.refused(Answer.tooLong)) = outcome, url.transport == .udp, command.onlyAsks {
            return try askedOverTCP(command)
        }
        return try Self.answers(try outcome.get())
    }

    private func checkLength(of messages: [OSCMessage]) throws(CommandFailure) {
        if let message = messages.first(where: { $0.packet.count > OSCMessage.maximumBytes }) {
            throw .refused(
                """
                that is too long to be sent: \(message.packet.count) bytes, where a message has at most \
                \(OSCMessage.maximumBytes)
                """
            )
        }
    }

    /// What the messages say.
    private static func answers(_ messages: [OSCMessage]) throws(CommandFailure) -> [Answer] {
        var answers: [Answer] = []
        for message in messages {
            guard let answer = Answer(message) else { throw .refused(unknown(message)) }
            answers.append(answer)
        }
        return answers
    }

    static let givenUp = "it is given up here; the mixer may do it all the same"

    /// Whether the mixer answers somebody who has asked for nothing else.
    private var isThere: Bool {
        guard let other = try? OSCClient(url), (try? other.send(OSCMessage("/ping", .int32(0)))) != nil else {
            return false
        }
        return (try? other.receive(milliseconds: patience)) != nil
    }

    private func sayItWorks() {
        atWork?(
            "the mixer is at work on that: a file is being decoded, or a disk is slow; Ctrl-C ends the wait")
        atWork = nil
    }

    /// An answer that no datagram holds, from the same mixer.
    private func askedOverTCP(_ command: Command) throws(CommandFailure) -> [Answer] {
        try RemoteMixer(url.overTCP, patience: patience, atWork: atWork).run(command)
    }

    /// What to say of an answer of another version.
    private static func unknown(_ message: OSCMessage) -> String {
        "the mixer answers \(message.address) in a way that jmixctl \(programVersion) does not know"
    }

    /// Why the mixer has refused something; nil: the message does not say.
    private static func reason(_ message: OSCMessage) -> String? {
        guard message.arguments.count == 2, case .string(let reason) = message.arguments[1] else {
            return nil
        }
        return reason
    }

    /// - Parameter awaited: how long the mixer waits for a person before it answers, in milliseconds.
    private func talk(
        _ messages: [OSCMessage], awaited: Int32
    ) throws(OSCNetworkError) -> Result<[OSCMessage], CommandFailure> {
        // A mixer that was started anew has a new connection, and nothing has been asked of the old one.
        let client = if let open = self.client, !open.isClosed { open } else { try OSCClient(url) }
        self.client = client
        lastPing &+= 1
        for message in messages { try client.send(message) }
        // What the mixer answers to this was all done before: then there is no refusal still on its way.
        try client.send(OSCMessage("/ping", .int32(lastPing)))
        var answers: [OSCMessage] = []
        var refusal: String?
        while true {
            guard let message = try client.receive(milliseconds: patience + awaited) else {
                if let outcome = try silence(of: client, for: patience + awaited) { return outcome }
                continue
            }
            switch message.address {
            case "/pong" where message.arguments == [.int32(lastPing)]:
                return refusal.map { .failure(.refused($0)) } ?? .success(answers)
            case "/pong": continue
            case "/error": refusal = refusal ?? Self.reason(message)
            default: answers.append(message)
            }
        }
    }

    /// What it means that nothing came for so many milliseconds; nil: it still works.
    private func silence(
        of client: OSCClient, for milliseconds: Int32
    ) throws(OSCNetworkError) -> Result<[OSCMessage], CommandFailure>? {
        if LineEditor.isInterrupted {
            // What comes late is no answer to what is asked next.
            self.client = nil
            return .failure(.refused(Self.givenUp))
        }
        // A file may be decoded for minutes before it is known where it is to be cut.
        if waitsForWork, isThere {
            sayItWorks()
            try client.send(OSCMessage("/ping", .int32(lastPing)))
            return nil
        }
        self.client = nil
        let seconds = Double(milliseconds) / 1000
        return .failure(.noMixer("no mixer answers at \(url) within \(seconds) s"))
    }
}

extension Command {
    /// How long the mixer waits for a person before it answers, in milliseconds.
    fileprivate var awaited: Int32 {
        if case .midi(.learn) = self { Int32(MIDICommand.patience) * 1000 } else { 0 }
    }
}
