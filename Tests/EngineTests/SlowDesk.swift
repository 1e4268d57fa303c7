import Foundation
import Timeline

/// What the contract says of strips, buses, sends and DCAs, one frame at a time: slow, obvious code.
enum SlowDesk {
    /// A control on the timeline, in frames.
    struct Lane {
        struct Event {
            let from: Int
            let to: Int
            let first: Double
            let last: Double
            let curve: Curve
        }

        let events: [Event]

        init(_ automation: Automation, rate: Int32) {
            // An event counts from the first frame at or after its time.
            func first(_ time: MediaTime) -> Int { Int(ceil(time.seconds * Double(rate) - 1e-7)) }
            events = automation.events.map { event in
                switch event.kind {
                case .point(let value, let time):
                    Event(from: first(time), to: first(time), first: value, last: value, curve: .linear)
                case .ramp(let value, let last, let range, let curve):
                    Event(
                        from: first(range.start), to: first(range.end), first: value, last: last, curve: curve
                    )
                }
            }
        }

        /// - Parameter before: what holds before the first event.
        func value(_ frame: Int, before: Double = 1) -> Double {
            var value = before
            for event in events where event.from <= frame {
                let p =
                    event.to > event.from
                    ? min(1, Double(frame - event.from) / Double(event.to - event.from)) : 1
                value = Oracle.way(event.first, event.last, p, event.curve)
            }
            return value
        }

        /// Of a switch that silences: it leads to silence, or back, in so many frames.
        func gate(_ frame: Int, fade: Int) -> Double {
            var (from, to, start) = (1.0, 1.0, Int.min / 2)
            func present(_ n: Int) -> Double {
                n >= start + fade ? to : from + (to - from) * Double(n - start) / Double(fade)
            }
            for event in events where event.from <= frame {
                // One at the beginning has led there already.
                (from, to, start) =
                    event.from <= 0
                    ? (1 - event.last, 1 - event.last, start)
                    : (present(event.from), 1 - event.last, event.from)
            }
            return present(frame)
        }
    }

    /// The gains of left and right of a balance.
    static func sides(_ pan: Double) -> (Double, Double) { (min(1, 1 - pan), min(1, 1 + pan)) }

    /// Whether sound of a strip comes to a bus, by outputs and sends, at any distance.
    static func feeds(_ strip: Timeline.Strip, _ bus: StripID, _ session: Session) -> Bool {
        var next = strip.sends.map(\.bus)
        if case .bus(let id) = strip.output { next.append(id) }
        return next.contains { id in id == bus || feeds(session.buses.first { $0.id == id }!, bus, session) }
    }

    /// A strip, and the DCAs that it hangs on, as far as their mutes close its sends before the gains too.
    static func closing(_ strip: Timeline.Strip, _ session: Session) -> [Timeline.Strip] {
        ([strip] + session.dcas.filter { $0.members.contains(strip.id) }.map(\.strip)).filter {
            $0.muteMode == .all
        }
    }

    static func isHeard(_ strip: Timeline.Strip, _ session: Session) -> Bool {
        if strip.mute { return false }
        if strip.id == .master || session.dcas.contains(where: { $0.id == strip.id }) { return true }
        let soloed = (session.tracks.map(\.strip) + session.buses).filter { one in
            one.solo || session.dcas.contains { $0.strip.solo && $0.members.contains(one.id) }
        }
        if soloed.isEmpty || soloed.contains(where: { $0.id == strip.id }) || strip.soloSafe { return true }
        return soloed.contains { feeds($0, strip.id, session) || feeds(strip, $0.id, session) }
    }
}
