import Glibc
import OSC
import Realtime
import Remote

/// Translates between OSC and the console: packets to commands, answers and refusals to messages.
final class RemoteServer {
    private let server: OSCServer
    private let console: Console
    private let link: ServerLink
    /// Messages of bundles whose time has not come, in the order of their times.
    private var scheduled: [(time: UInt64, message: OSCMessage, peer: OSCServer.Peer)] = []

    private var subscriptions = Subscriptions()

    /// A bound for what a controller may have pending.
    private static let maximumScheduled = 10_000

    init(_ server: OSCServer, _ console: Console, _ link: ServerLink) {
        self.server = server
        self.console = console
        self.link = link
    }

    /// Sleeps until a packet comes, the time of a bundle, or `milliseconds`; then carries out what has come.
    func serve(milliseconds: Int32) {
        var descriptors = server.descriptors
        var wait = milliseconds
        if let first = scheduled.first?.time { wait = min(wait, Int32(clamping: max(0, NTPTime.nanoseconds(until: first) - lead) / 1_000_000)) }
        if let due = subscriptions.dueAt { wait = min(wait, Int32(clamping: (Int64(due) - Int64(monotonicNanoseconds())) / 1_000_000 + 1)) }
        poll(&descriptors, nfds_t(descriptors.count), server.hasWaiting ? 0 : max(0, wait))
        server.receive { packet, peer in
            console.touches.renew(peer)
            console.engine.together {
                for (time, message) in packet.messages { take(message, at: time, from: peer) }
            }
        }
        runScheduled()
        console.touches.expire(isThere: server.isThere)
        if !subscriptions.isEmpty { subscriptions.tell(server, console.values) }
    }

    // MARK: - Bundles of a later time

    /// How long before its time a bundle is handed to the audio thread, in nanoseconds: that thread is at most a period ahead of what is
    /// heard, and this one may be late by a few milliseconds.
    private var lead: Int64 { link.sampleRate > 0 ? Int64(console.engine.period) * 1_000_000_000 / Int64(link.sampleRate) + 5_000_000 : 0 }

    private func take(_ message: OSCMessage, at time: UInt64, from peer: OSCServer.Peer) {
        guard time > OSCPacket.immediately, NTPTime.nanoseconds(until: time) > 0 else { return run(message, from: peer) }
        guard scheduled.count < Self.maximumScheduled else {
            return refuse(message, "\(Self.maximumScheduled) messages are waiting for their time already: /clear forgets them", peer)
        }
        // Behind those of the same time: a bundle keeps its order.
        let place = scheduled.partition(before: time)
        scheduled.insert((time, message, peer), at: place)
        for case .locate(let place) in (try? Command.commands(of: message)) ?? [] { console.expectLocate(to: place) }
    }

    private func runScheduled() {
        while let time = scheduled.first?.time, NTPTime.nanoseconds(until: time) <= lead {
            let due = scheduled.prefix { $0.time == time }
            scheduled.removeFirst(due.count)
            console.engine.together(at: clock(at: time)) { for (_, message, peer) in due { run(message, from: peer) } }
        }
    }

    /// The mixer's clock at an NTP time: the frame that the server's own clock gives it.
    private func clock(at time: UInt64) -> Int64? {
        link.clock(inMicroseconds: NTPTime.nanoseconds(until: time) / 1000, now: console.engine.clock)
    }

    // MARK: - Messages

    private func run(_ message: OSCMessage, from peer: OSCServer.Peer) {
        console.author = peer
        defer { console.author = nil }
        do throws(CommandError) {
            for command in try Command.commands(of: message) {
                switch command {
                case .subscribe(let pattern, let rate): try subscriptions.add(peer, pattern, rate: rate)
                case .unsubscribe(let pattern): subscriptions.remove(peer, pattern)
                case .clear: scheduled = []
                default: try run(command, message, from: peer)
                }
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

extension Array where Element == (time: UInt64, message: OSCMessage, peer: OSCServer.Peer) {
    /// The place before the first whose time is after `time`; they lie in the order of their times.
    fileprivate func partition(before time: UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].time > time { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// OSC's time tags: seconds since 1900, round and round, in the upper 32 bits, fractions of a second in the lower (RFC 5905).
enum NTPTime {
    private static let secondsTo1970: UInt64 = 2_208_988_800

    /// How long it is until `time`; negative once it is past.
    static func nanoseconds(until time: UInt64) -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        // The upper half counts round in 136 years: it means the moment nearest to now (RFC 5905, "eras"), also from 2036 on.
        let present = UInt32(truncatingIfNeeded: UInt64(now.tv_sec) &+ secondsTo1970)
        let seconds = Int64(Int32(bitPattern: UInt32(time >> 32) &- present))
        return seconds * 1_000_000_000 + Int64(((time & 0xffff_ffff) * 1_000_000_000) >> 32) - Int64(now.tv_nsec)
    }
}
