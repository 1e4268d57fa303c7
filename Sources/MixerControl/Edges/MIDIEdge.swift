import Console
import Dialects
import Glibc
import JackDriver
import Loop
import Realtime
import Remote
import Timeline

/// The edge where MIDI comes in: `midi_in` moves what was learned, the ports of a surface's units are the
/// surface's. What is told back is computed when it is sent, 50 times a second at the most.
package final class MIDIEdge: EventSource {
    private let console: Console
    private let link: ServerLink
    private let desk: ConsoleDesk
    private var bound = BoundMIDI()
    private var guess = MIDIGuess()
    /// Who learns, by a number.
    private var learner: Int?
    private var surface: MackieEdge?
    private var listeners = MIDIListeners()
    /// The map that the bindings were last taken from, and which edition it was.
    private var followed: (map: MIDIMap, edition: Int)?
    private var tellAt: UInt64 = 0
    private var updateAt: UInt64 = 0

    static let tellNanoseconds: UInt64 = 20_000_000
    /// So long before a period's end its last news are made, and no longer than that.
    static let wayNanoseconds: UInt64 = 7_000_000
    static let longestWayNanoseconds: UInt64 = 10_000_000
    static let lookNanoseconds: UInt64 = 200_000_000

    package init(_ console: Console, _ link: ServerLink) {
        (self.console, self.link) = (console, link)
        desk = ConsoleDesk(console, ClientID(edge: "midi", key: [0]), meters: .surface, logsRefusals: true)
    }

    // MARK: - The loop

    package var descriptors: [pollfd] { [link.midiDescriptor] }

    package var dueAt: UInt64? {
        let learning = [guess.dueAt, console.learning?.endsAt].compactMap { $0 }.min()
        let telling = bound.isEmpty && surface == nil ? nil : tellAt
        return [learning, telling, updateAt].compactMap { $0 }.min()
    }

    package func dispatch() {
        follow()
        let now = monotonicNanoseconds()
        if console.learning?.number != learner {
            // What was moved for another is not meant by who learns now.
            (guess, learner) = (MIDIGuess(), console.learning?.number)
        }
        let arrivals = link.receiveMIDI()
        if !arrivals.isEmpty {
            console.engine.together {
                for arrival in arrivals {
                    receive(arrival, now)
                    // What it has done may have moved what others are bound to.
                    follow()
                }
            }
        }
        learn(now)
        surface?.renewTouches()
        if now >= updateAt { updateListeners(now) }
        if now >= tellAt { tell(now) }
    }

    /// The bindings and the surface are the session's.
    private func follow() {
        let map = console.session.midi
        if surface?.units ?? 0 != map.pairs {
            if map.pairs == 0 {
                surface?.close()
                surface = nil
            } else if let surface {
                surface.follow(units: map.pairs)
            } else {
                surface = MackieEdge(console, link, units: map.pairs)
            }
        }
        guard followed?.map != map || followed?.edition != console.document.edition else { return }
        followed = (map, console.document.edition)
        bound.follow(map.bindings.compactMap(target))
    }

    /// A binding with the number that its strip has at present; nil where its strip, or the line, is no more
    /// what it was.
    private func target(_ binding: MIDIBinding) -> BoundTarget? {
        switch binding.action {
        case .line(let line):
            guard let words = try? LineWords.split(line), let command = try? Command(words: words) else {
                return nil
            }
            return BoundTarget(binding.source, .command(command), binding.mode)
        case .control(let strip, let bus, let word):
            guard let place = console.session.place(of: strip) else { return nil }
            let name = bus.flatMap { console.session.name(of: $0) }
            if bus != nil, name == nil { return nil }
            guard let control = Control(word: word, bus: name) else { return nil }
            return BoundTarget(binding.source, .control(place, control), binding.mode)
        }
    }

    // MARK: - What comes in

    private func receive(_ arrival: MIDIArrival, _ now: UInt64) {
        if arrival.pair > 0 { return surface?.receive(arrival.bytes, unit: arrival.pair - 1, now) ?? () }
        let inputs = bound.read(arrival.bytes)
        if let learning = console.learning {
            // What is learned moves nothing yet.
            guess.hear(inputs, takesButtons: learning.takesButtons, now: now)
        } else {
            bound.move(inputs, desk, now: now)
        }
    }

    private func learn(_ now: UInt64) {
        guard let learning = console.learning else { return }
        if let source = guess.outcome(now: now) {
            console.learned(source)
        } else if now >= learning.endsAt {
            console.endLearning(
                "none came by midi_in within \(MIDICommand.patience) s: is it connected? connect lists that"
            )
        }
    }

    // MARK: - What is told back

    /// Whoever has been connected knows nothing.
    private func updateListeners(_ now: UInt64) {
        updateAt = now + Self.lookNanoseconds
        if listeners.update(link, pair: 0).hasListener { bound.forget() }
        surface?.updateListeners()
    }

    private func tell(_ now: UInt64) {
        // What is said at the beginning of a long period would be old when it is given out, and stand for one
        // period more.
        let wait = link.untilNextPeriod
        if wait > Self.longestWayNanoseconds {
            tellAt = now + wait - Self.wayNanoseconds
            return
        }
        tellAt = now + Self.tellNanoseconds
        // What was said before is still on its way: what is said now would be late.
        guard link.isMIDIClear else { return }
        if !listeners.isEmpty { link.sendMIDI(bound.feedback(desk, now: now), pair: 0) }
        surface?.tell(now)
    }
}
