import Console
import Dialects
import Glibc
import JSON
import Loop
import OSC
import Realtime
import Remote
import Timeline

/// The edge where remotes of X32 and X-Air desks come in: a port of its own for each of both dialects.
package final class DeskEdge: EventSource {
    private let server: OSCServer
    private let console: Console
    private let desk: ConsoleDesk
    private let remote: DeskRemote
    private let model: DeskModel
    /// The session whose memory the remote has, by how many had been opened.
    private var seenOpenings = -1
    private var followAt: UInt64 = 0
    private var keepAt: UInt64 = 0
    /// nil: nobody is told of changes.
    private var watch: DeskWatch?

    /// Those with a lease are told of changes so often.
    private static let followNanoseconds: UInt64 = 30_000_000
    /// What a remote has had remembered goes into the session so often at the most.
    private static let keepNanoseconds: UInt64 = 500_000_000

    /// - Parameters:
    ///   - server: listens for datagrams where that desk's remotes speak to.
    ///   - name: what the mixer is called among others.
    package init(_ model: DeskModel, _ server: OSCServer, _ console: Console, name: String) {
        (self.model, self.server, self.console) = (model, server, console)
        desk = ConsoleDesk(
            console, ClientID(edge: model.rawValue, key: []), meters: model == .x32 ? .x32 : .xair)
        remote = DeskRemote(model, desk, name: name)
        console.beforeSaving.append { [weak self] in self?.keep() }
    }

    // MARK: - The loop

    package var descriptors: [pollfd] { server.descriptors }

    package var dueAt: UInt64? {
        if server.hasWaiting(from: { _ in true }) { return 0 }
        let keeping = remote.hasNewMemory ? keepAt : nil
        return [remote.dueAt, remote.hasRemotes ? followAt : nil, keeping].compactMap { $0 }.min()
    }

    package func dispatch() {
        recall()
        let now = monotonicNanoseconds()
        server.receive(from: { _ in true }) { packet, peer in
            // Desks know no bundles.
            guard packet.messages.count == 1, let (_, message) = packet.messages.first else { return }
            console.engine.together { receive(message, peer, now) }
        }
        if !remote.hasRemotes {
            // Whoever comes next asks how things are.
            if watch != nil { remote.forgetBoard() }
            (watch, followAt) = (nil, 0)
        } else if now >= followAt {
            followAt = now + Self.followNanoseconds
            watch = watch ?? DeskWatch()
            remote.follow(watch!.changes(console))
        }
        for (message, peer) in remote.takeMessages(now: now) { server.send(message, to: peer) }
        keep(now)
    }

    private func receive(_ message: OSCMessage, _ peer: OSCPeer, _ now: UInt64) {
        let answers = remote.receive(message, from: peer, host: { Self.host(towards: peer) }, now: now)
        for answer in answers { server.send(answer, to: peer) }
    }

    /// By which a remote reaches this computer.
    private static func host(towards peer: OSCPeer) -> String {
        if case .udp(let address) = peer { address.localHost ?? "0.0.0.0" } else { "0.0.0.0" }
    }

    // MARK: - Memory

    /// Another session is open: the remote remembers what that has kept.
    private func recall() {
        guard seenOpenings != console.document.openings else { return }
        seenOpenings = console.document.openings
        let present = console.session.deskMemory[model.rawValue] ?? JSONObject()
        remote.recall(
            Dictionary(
                present.fields.compactMap { address, value in value.argument.map { (address, $0) } },
                uniquingKeysWith: { $1 }))
    }

    /// What remotes have had remembered is the session's.
    private func keep(_ now: UInt64) {
        if now >= keepAt { keep() }
    }

    private func keep() {
        recall()
        guard let memory = remote.takeMemory() else { return }
        keepAt = monotonicNanoseconds() + Self.keepNanoseconds
        var object = JSONObject()
        for (address, argument) in memory.sorted(by: { $0.key < $1.key }) {
            object[address] = JSONValue(argument)
        }
        console.remember(object, of: model.rawValue)
    }
}

extension JSONValue {
    fileprivate init(_ argument: OSCArgument) {
        self =
            switch argument {
            case .int32(let number): .number(number)
            case .float(let number): .number(Double("\(number)") ?? Double(number))
            case .string(let text): .string(text)
            default: .null
            }
    }

    fileprivate var argument: OSCArgument? {
        if let text = stringValue { return .string(text) }
        if let number = intValue { return .int32(Int32(clamping: number)) }
        return doubleValue.map { .float(Float($0)) }
    }
}
