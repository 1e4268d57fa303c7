import Glibc
import OSC
import Remote

/// Translates between OSC and the console: packets to commands, answers and refusals to messages.
final class RemoteServer {
    private let server: OSCServer
    private let console: Console
    /// Messages of bundles whose time has not come, in the order of their times.
    private var scheduled: [(time: UInt64, message: OSCMessage, peer: OSCServer.Peer)] = []

    private var subscriptions = Subscriptions()

    /// A bound for what a controller may have pending.
    private static let maximumScheduled = 10_000

    init(_ server: OSCServer, _ console: Console) {
        self.server = server
        self.console = console
    }

    /// Sleeps until a packet comes, the time of a bundle, or `milliseconds`; then carries out what has come.
    func serve(milliseconds: Int32) {
        var descriptors = server.descriptors
        var wait = milliseconds
        if let first = scheduled.first?.time { wait = min(wait, Int32(clamping: Int64(NTPTime.milliseconds(until: first)))) }
        poll(&descriptors, nfds_t(descriptors.count), wait)
        server.receive { packet, peer in
            console.engine.together {
                for (time, message) in packet.messages { take(message, at: time, from: peer) }
            }
        }
        runScheduled()
        if !subscriptions.isEmpty { subscriptions.tell(server, console.values) }
    }

    private func take(_ message: OSCMessage, at time: UInt64, from peer: OSCServer.Peer) {
        guard time > OSCPacket.immediately, NTPTime.milliseconds(until: time) > 0 else { return run(message, from: peer) }
        guard scheduled.count < Self.maximumScheduled else {
            return refuse(message, "\(Self.maximumScheduled) messages are waiting for their time already", peer)
        }
        // Behind those of the same time: a bundle keeps its order.
        let place = scheduled.firstIndex { $0.time > time } ?? scheduled.count
        scheduled.insert((time, message, peer), at: place)
    }

    private func runScheduled() {
        while let time = scheduled.first?.time, NTPTime.milliseconds(until: time) == 0 {
            let due = scheduled.prefix { $0.time == time }
            scheduled.removeFirst(due.count)
            console.engine.together { for (_, message, peer) in due { run(message, from: peer) } }
        }
    }

    private func run(_ message: OSCMessage, from peer: OSCServer.Peer) {
        do throws(CommandError) {
            switch try Command(message) {
            case .subscribe(let pattern, let rate): try subscriptions.add(peer, pattern, rate: rate)
            case .unsubscribe(let pattern): subscriptions.remove(peer, pattern)
            case let command: try run(command, message, from: peer)
            }
        } catch {
            refuse(message, error.description, peer)
        }
    }

    private func run(_ command: Command, _ message: OSCMessage, from peer: OSCServer.Peer) throws(CommandError) {
        for answer in try console.run(command) where !server.send(answer, to: peer) {
            refuse(message, "the answer is too long for a datagram: ask over TCP", peer)
        }
        // What this has set its author knows; whatever else it has changed is news to all.
        if !message.arguments.isEmpty, subscriptions.has(peer) {
            subscriptions.noteOwn(console.settings(of: command), of: peer)
        }
    }

    private func refuse(_ message: OSCMessage, _ reason: String, _ peer: OSCServer.Peer) {
        server.send(OSCMessage("/error", .string(message.address), .string(reason)), to: peer)
    }
}

/// OSC's time tags: seconds since 1900 in the upper 32 bits, fractions of a second in the lower (RFC 5905).
enum NTPTime {
    private static let secondsTo1970: UInt64 = 2_208_988_800

    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (UInt64(time.tv_sec) + secondsTo1970) << 32 | (UInt64(time.tv_nsec) << 32) / 1_000_000_000
    }

    /// How long it is until `time`, rounded up; 0 if it is past.
    static func milliseconds(until time: UInt64) -> UInt64 {
        let now = now
        if time <= now { return 0 }
        // In units of 1/1024 s first: the product then fits for any time.
        let units = (time - now) >> 22
        return units * 1000 / 1024 + 1
    }
}
