import Console
import Glibc
import Loop
import OSC
import Realtime
import Remote

/// The edge where OSC comes in: packets become commands, answers and refusals become messages. liblo codes
/// and decodes them (module OSC says why the sockets are not its).
package final class OSCEdge: EventSource {
    private let lines: OSCLines
    private let console: Console
    private let link: ServerLink
    /// Messages of bundles whose time has not come, in the order of their times.
    private var scheduled: [(time: UInt64, message: OSCMessage, peer: OSCPeer)] = []
    private var subscriptions = Subscriptions()
    /// How much of what each has asked for is begun and not done: it waits for a disk, a decoder or a person.
    private var open: [OSCPeer: Int] = [:]
    /// What each has asked behind that: what follows something that waits for a disk waits too, so that
    /// everyone's orders keep their order. A decoder and a person take longer: what is asked behind those is
    /// done meanwhile, but for what is to tell that all is done.
    private var behind: [OSCPeer: [Step]] = [:]
    /// Who waits for a person to move something.
    private var learners: Set<OSCPeer> = []

    /// A command, the message that asked for it, and the moment that it is for, on the mixer's clock; nil for
    /// at once.
    private struct Step {
        let command: Command
        let message: OSCMessage
        var at: Int64?
        /// Of a pattern over kinds of strips: those of this kind, and what is found of all kinds.
        var kind: (strips: StripReference, search: Search)?
    }

    /// What a pattern over kinds of strips has found so far.
    private final class Search {
        /// How many kinds are still to be looked through.
        var left: Int
        var hasFound = false

        init(_ kinds: Int) { left = kinds }
    }

    /// Who has more to be done of one packet than a turn has time for.
    private var unfinished: [OSCPeer] = []
    /// When this turn has taken long enough for one packet.
    private var packetEndsAt: UInt64 = 0
    private static let packetNanoseconds: UInt64 = 20_000_000
    /// What a peer may have waiting behind something before it is not heard on.
    private static let maximumBehind = 1024

    /// A bound for what a controller may have pending.
    private static let maximumScheduled = 10_000

    package init(_ lines: [any OSCLine], _ console: Console, _ link: ServerLink) {
        self.lines = OSCLines(lines)
        self.console = console
        self.link = link
    }

    // MARK: - The loop

    package var descriptors: [pollfd] { lines.descriptors }

    package var dueAt: UInt64? {
        let now = monotonicNanoseconds()
        var due = !unfinished.isEmpty || lines.hasWaiting(from: isHeard) ? now : subscriptions.dueAt
        if let first = scheduled.first?.time {
            let time = now + UInt64(max(0, NTPTime.nanoseconds(until: first) - lead))
            due = min(due ?? time, time)
        }
        if let touch = console.touches.dueAt { due = min(due ?? touch, touch) }
        return due
    }

    /// Carries out what has come, and what is due.
    package func dispatch() {
        let peers = unfinished
        unfinished = []
        for peer in peers { goOn(peer) }
        lines.receive(from: isHeard) { packet, peer in
            console.touches.renew(client(peer))
            beginPacket()
            console.engine.together { carryOut(packet.messages[...], from: peer) }
        }
        letGoOn()
        runScheduled()
        console.touches.expire { client in lines.isThere(key: client.key) }
        if learners.contains(where: { !lines.isThere($0) }) { console.endLearning("whoever asked is gone") }
        console.letGo { page in !lines.isThere(key: page.key) }
        tellNotices()
        if !subscriptions.isEmpty {
            subscriptions.tell(lines) { isWanted in console.told(where: isWanted).map(\.message) }
        }
    }

    private func tellNotices() {
        for notice in Notices.shared.drain() {
            let message = Answer.notice(.init(level: notice.level, text: notice.text)).message
            for peer in subscriptions.peers { lines.send(message, to: peer) }
        }
    }

    private func isHeard(_ peer: OSCPeer) -> Bool { (behind[peer]?.count ?? 0) < Self.maximumBehind }

    private func beginPacket() { packetEndsAt = monotonicNanoseconds() + Self.packetNanoseconds }

    /// Whether all that has come is carried out.
    var isIdle: Bool {
        unfinished.isEmpty && open.isEmpty && behind.isEmpty && !lines.hasWaiting(from: isHeard)
    }

    private func client(_ peer: OSCPeer) -> ClientID {
        let isPage = if case .web = peer { true } else { false }
        return ClientID(edge: "osc", key: peer.key, isPage: isPage)
    }

    // MARK: - Bundles of a later time

    /// How long before its time a bundle is handed to the audio thread, in nanoseconds: that thread is at
    /// most a period ahead of what is heard, and this one is late on a busy machine.
    private var lead: Int64 {
        link.sampleRate > 0
            ? Int64(console.engine.period) * 1_000_000_000 / Int64(link.sampleRate) + Self.latenessNanoseconds
            : 0
    }

    /// As late as this thread may be, so that a bundle is heard at its frame all the same.
    private static let latenessNanoseconds: Int64 = 20_000_000

    private func schedule(_ message: OSCMessage, at time: UInt64, from peer: OSCPeer) {
        guard lines.mayChange(peer) else {
            return refuse(message, "a guest asks for nothing that is for later", peer)
        }
        guard scheduled.count < Self.maximumScheduled else {
            return refuse(
                message,
                "\(Self.maximumScheduled) messages are waiting for their time already: /clear forgets them",
                peer)
        }
        // Behind those of the same time: a bundle keeps its order.
        let index = scheduled.partition(before: time)
        scheduled.insert((time, message, peer), at: index)
        for command in (try? Command.commands(of: message)) ?? [] { console.expect(command) }
    }

    private func runScheduled() {
        while let time = scheduled.first?.time, NTPTime.nanoseconds(until: time) <= lead {
            let due = scheduled.prefix { $0.time == time }
            scheduled.removeFirst(due.count)
            let clock = clock(at: time)
            beginPacket()
            console.engine.together(at: clock) {
                for (_, message, peer) in due {
                    carryOut([(OSCPacket.immediately, message)], from: peer, at: clock)
                }
            }
        }
    }

    /// The mixer's clock at an NTP time: the frame that the server's own clock gives it.
    private func clock(at time: UInt64) -> Int64? {
        link.clock(inMicroseconds: NTPTime.nanoseconds(until: time) / 1000, now: console.engine.clock)
    }

    // MARK: - Messages

    private func carryOut(
        _ messages: ArraySlice<(time: UInt64, message: OSCMessage)>, from peer: OSCPeer,
        at clock: Int64? = nil
    ) {
        for (time, message) in messages {
            if time > OSCPacket.immediately, NTPTime.nanoseconds(until: time) > 0 {
                schedule(message, at: time, from: peer)
            } else {
                do throws(CommandError) { carryOut(try steps(of: message, at: clock), from: peer) } catch {
                    refuse(message, error.description, peer)
                }
            }
        }
    }

    private func steps(of message: OSCMessage, at clock: Int64?) throws(CommandError) -> [Step] {
        let meant = try Command.meant(by: message)
        let search = meant.count > 1 ? Search(meant.count { $0.strips != nil }) : nil
        return meant.map { command, strips in
            Step(
                command: command, message: message, at: clock,
                kind: strips.flatMap { strips in search.map { (strips, $0) } })
        }
    }

    /// Whether a step is of a kind that has no such strip, where others may have one: the last of them says
    /// that none has.
    private func isPassedOver(_ step: Step) -> Bool {
        guard let (strips, search) = step.kind else { return false }
        search.left -= 1
        if console.hasStrips(strips) {
            search.hasFound = true
            return false
        }
        return search.left > 0 || search.hasFound
    }

    /// Carries out one command after another, but for what has to wait.
    private func carryOut(_ steps: [Step], from peer: OSCPeer) {
        for step in steps {
            if mustWait(step, peer) {
                behind[peer, default: []].append(step)
            } else if monotonicNanoseconds() > packetEndsAt {
                // Others have their turn; this goes on in the next.
                behind[peer, default: []].append(step)
                goOnSoon(peer)
            } else {
                do throws(CommandError) { try carryOut(step, from: peer) } catch {
                    refuse(step.message, error.description, peer)
                }
            }
        }
    }

    private func goOnSoon(_ peer: OSCPeer) { if !unfinished.contains(peer) { unfinished.append(peer) } }

    private func mustWait(_ step: Step, _ peer: OSCPeer) -> Bool {
        if open[peer] == nil, behind[peer] == nil { return false }
        if step.command.overtakes { return false }
        guard let open = open[peer] else { return true }
        return open > patient(peer) || step.command.isBarrier
            || behind[peer]?.contains { !$0.command.isBarrier } == true
    }

    /// How much of what a peer has asked for waits for a decoder or for a person.
    private func patient(_ peer: OSCPeer) -> Int {
        (learners.contains(peer) ? 1 : 0) + console.waitingEdits(of: client(peer))
    }

    /// What was behind something that has come to wait for a decoder waits no more.
    private func letGoOn() {
        for (peer, steps) in behind where open[peer].map({ $0 <= patient(peer) }) ?? false {
            if !unfinished.contains(peer), steps.contains(where: { !$0.command.isBarrier }) { goOn(peer) }
        }
    }

    /// Carries out what a peer has asked behind something that has been done, as far as it need not wait on:
    /// what is for one moment together.
    private func goOn(_ peer: OSCPeer) {
        guard var steps = behind.removeValue(forKey: peer)?[...] else { return }
        beginPacket()
        while let first = steps.first {
            let group = steps.prefix { $0.at == first.at }
            steps = steps.dropFirst(group.count)
            console.engine.together(at: first.at) { carryOut(Array(group), from: peer) }
        }
    }

    private func carryOut(_ step: Step, from peer: OSCPeer) throws(CommandError) {
        if !lines.mayChange(peer), !step.command.onlyAsks {
            throw CommandError("a guest may look and listen, and change nothing")
        }
        if isPassedOver(step) { return }
        switch step.command {
        case .subscribe(let pattern, let rate): try subscriptions.add(peer, pattern, rate: rate)
        case .unsubscribe(let pattern): subscriptions.remove(peer, pattern)
        case .clear: scheduled = []
        case .panic: panic(step, from: peer)
        case .help(let address):
            for help in try MiniMix.help(address) { send(help, for: step.message, to: peer) }
        case .miniMix(let command):
            carryOut(command, for: step, from: peer)
        default: begin(step, from: peer) { answers, _ in answers.map { $0.message(to: step.message) } }
        }
    }

    /// Nothing that was asked before it makes a sound behind it.
    private func panic(_ step: Step, from peer: OSCPeer) {
        scheduled = []
        for peer in behind.keys { behind[peer]?.removeAll { $0.command == .play } }
        begin(step, from: peer) { answers, _ in answers.map(\.message) }
    }

    private func carryOut(_ command: MiniMixCommand, for step: Step, from peer: OSCPeer) {
        let (set, ask, answer) = MiniMix.commands(command)
        func tell() {
            begin(Step(command: ask, message: step.message, at: step.at), from: peer) { answers, _ in
                answers.compactMap(answer)
            }
        }
        if let set {
            begin(Step(command: set, message: step.message, at: step.at), from: peer) { _, isDone in
                if isDone { tell() }
                return []
            }
        } else {
            tell()
        }
    }

    private func begin(
        _ step: Step, from peer: OSCPeer,
        _ coded: @escaping (_ answers: [Answer], _ isDone: Bool) -> [OSCMessage]
    ) {
        var (isDone, hasWaited) = (false, false)
        console.run(step.command, from: client(peer)) { [self] outcome in
            isDone = true
            report(outcome, of: step, from: peer, coded)
            guard hasWaited else { return }
            if step.command.learns { learners.remove(peer) }
            open[peer] = open[peer].flatMap { $0 > 1 ? $0 - 1 : nil }
            // In the next turn: this may have been done in the middle of what another has sent.
            if behind[peer] != nil { goOnSoon(peer) }
        }
        if isDone { return }
        hasWaited = true
        open[peer, default: 0] += 1
        if step.command.learns { learners.insert(peer) }
    }

    /// Tells whoever asked what has come of it.
    private func report(
        _ outcome: Result<[Answer], CommandError>, of step: Step, from peer: OSCPeer,
        _ coded: (_ answers: [Answer], _ isDone: Bool) -> [OSCMessage]
    ) {
        switch outcome {
        case .failure(let error):
            refuse(step.message, error.description, peer)
            _ = coded([], false)
        case .success(let answers):
            for answer in coded(answers, true) { send(answer, for: step.message, to: peer) }
            // The sender knows the values it set; any other changed value goes to every subscriber.
            if !step.message.arguments.isEmpty, subscriptions.has(peer) {
                subscriptions.noteOwn(console.settings(of: step.command).map(\.message), of: peer)
            }
        }
    }

    private func send(_ answer: OSCMessage, for message: OSCMessage, to peer: OSCPeer) {
        if !lines.send(answer, to: peer) { refuse(message, Answer.tooLong, peer) }
    }

    private func refuse(_ message: OSCMessage, _ reason: String, _ peer: OSCPeer) {
        if message.isAnswer { return }
        lines.send(OSCMessage("/error", .string(message.address), .string(reason)), to: peer)
    }
}

extension Command {
    /// It is answered when all before it is done.
    fileprivate var isBarrier: Bool { if case .ping = self { true } else { false } }

    /// It waits for a person.
    fileprivate var learns: Bool { if case .midi(.learn) = self { true } else { false } }
}

extension Array where Element == (time: UInt64, message: OSCMessage, peer: OSCPeer) {
    /// The index of the first whose time is after `time`; they lie in the order of their times.
    fileprivate func partition(before time: UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].time > time { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
