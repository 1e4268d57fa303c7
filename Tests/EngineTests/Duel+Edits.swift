import Engine
import Foundation
import TestSupport
import Testing
import Timeline

extension Duel {
    // MARK: - Edits

    func apply() {
        engine.apply(session, library: library)
        for track in session.tracks {
            guard let strip = engine.stripHandle(track.id), !ins.contains(where: { $0.strip === strip })
            else { continue }
            ins.append((track.id, strip))
        }
    }

    func addTrack() {
        var track = Track(name: session.freeName("t"))
        track.clips = clips()
        track.pan = [0, 0, -1, 0.5].randomElement(using: &random)!
        if hasInputs { track.input = pick(0...2) == 0 ? nil : Input() }
        session.append(track)
    }

    func clips() -> [Clip] {
        var clips: [Clip] = []
        var end = [0, 0, pick(0...500)].randomElement(using: &random)!
        for _ in 0..<[1, 1, 1, 0, 2, 3].randomElement(using: &random)! {
            var clip = Clip(file: "\(pick(0...2)).wav")
            clip.at = time(end)
            let length = [8000, pick(1...1500)].randomElement(using: &random)!
            clip.from = time(pick(0...3000))
            clip.duration = time(length)
            clip.gain = [1, 1, 0, 0.5, Double(pick(1...8)) / 4].randomElement(using: &random)!
            func fade() -> ClipFade {
                ClipFade(
                    time([0, 0, 1, pick(1...800)].randomElement(using: &random)!),
                    curve: [.linear, .scurve, .equalpower].randomElement(using: &random)!)
            }
            (clip.fadeIn, clip.fadeOut) = (fade(), fade())
            // Over the clip before as far as both go on beside it.
            if let before = clips.last, end == Int((before.at + before.duration!).frame(atRate: Duel.rate)),
                pick(0...1) == 0
            {
                let room = min(
                    length, Int((before.duration! - before.crossfade.duration).frame(atRate: Duel.rate)) - 1)
                if room > 0 {
                    clip.crossfade = ClipFade(
                        time(pick(1...room)),
                        curve: [.linear, .scurve, .equalpower].randomElement(using: &random)!)
                    clip.at = clip.at - clip.crossfade.duration
                    end = Int(clip.at.frame(atRate: Duel.rate))
                }
            }
            clips.append(clip)
            end += length + [0, pick(0...300)].randomElement(using: &random)!
        }
        return clips
    }

    func time(_ frame: Int) -> MediaTime { MediaTime(frame: Int64(frame), rate: Duel.rate) }

    func edit() {
        earlier.append(session)
        let place = session.tracks.isEmpty ? nil : session.tracks.indices.randomElement(using: &random)
        if hasDesk, pick(0...1) == 0 {
            editDesk()
            apply()
            return oracle.edit(session, at: at)
        }
        switch pick(0...(hasInputs ? 13 : 11)) {
        case 12:
            if let place { session.tracks[place].input = session.tracks[place].input == nil ? Input() : nil }
        case 13:
            if let place { session.tracks[place].monitor = Monitor.allCases.randomElement(using: &random)! }
        case 10: session.master.mute.toggle()
        case 11: session.master.fader = Double(pick(0...4)) / 4
        case 0 where session.tracks.count < 4: addTrack()
        case 1 where place != nil: session.removeTrack(at: place!)
        case 2, 3: session = earlier.randomElement(using: &random)!
        case 4, 5: if let place { session.tracks[place].clips = clips() }
        case 6: if let place { session.tracks[place].mute.toggle() }
        case 7: if let place { session.tracks[place].fader = Double(pick(0...4)) / 4 }
        default:
            guard let place else { break }
            let (from, length) = (pick(0...4000), pick(0...800))
            if length < 100 {
                try? session.tracks[place].automation.setValue(Double(pick(0...4)) / 4, at: time(from))
            } else {
                try? session.tracks[place].automation.setRamp(
                    from: Double(pick(0...4)) / 4, to: Double(pick(0...4)) / 4,
                    over: TimeRange(start: time(from), duration: time(length)),
                    curve: Curve.allCases.randomElement(using: &random)!)
            }
        }
        apply()
        oracle.edit(session, at: at)
        if let tap = taps.randomElement(using: &random),
            let track = session.tracks.randomElement(using: &random)
        {
            engine.setTap(pick(0...2) == 0 ? nil : tap, on: track.id)
        }
    }

    /// Buses, sends, outputs, DCAs, trims, solos, and the timeline of any control.
    func editDesk() {
        let place = session.places.randomElement(using: &random)!
        let isFeeding = place.kind == .track || place.kind == .bus
        var next = session
        let kind = pick(0...20)
        log.append("desk \(kind)")
        switch kind {
        case 0, 1: if next.buses.count < 3 { next.addBus(named: next.freeName("b")) }
        case 2: if let index = next.buses.indices.randomElement(using: &random) { next.removeBus(at: index) }
        case 3, 4, 5:
            if isFeeding, let bus = next.buses.randomElement(using: &random) {
                let (volume, isPre) = (
                    [0, 1, Double(pick(1...8)) / 4].randomElement(using: &random)!, pick(0...1) == 0
                )
                next.setSend(of: place, to: bus.id) { ($0.volume, $0.isPre) = (volume, isPre) }
                if isPre { next[place].muteMode = .all }
            }
        case 6:
            if let send = next[place].sends.randomElement(using: &random) {
                next.removeSend(of: place, to: send.bus)
            }
        case 7:
            if isFeeding {
                next[place].output = ([.master, .none, .ports] + next.buses.map { .bus($0.id) })
                    .randomElement(using: &random)!
            }
        case 8:
            if next.dcas.count < 2 { next.addDCA(named: next.freeName("d")) } else { next.removeDCA(at: 0) }
        case 9:
            if let index = next.dcas.indices.randomElement(using: &random) {
                next.setMembers(
                    next.strips.filter { strip in !next.dcas.contains { $0.id == strip.id } }.map(\.id).filter
                    { _ in pick(0...1) == 0 }, ofDCA: index)
            }
        case 10:
            // What runs dry is known to lie between silence and what belongs, which nothing that is turned
            // upside down does.
            let mayTurn = if case .stalling = way.disk { false } else { true }
            (next[place].trim, next[place].polarity) =
                place.kind == .dca ? (1, false) : (Double(pick(0...8)) / 4, mayTurn && pick(0...1) == 0)
        case 11:
            if place.kind == .dca {
                next[place].solo.toggle()
            } else if isFeeding {
                if pick(0...2) == 0 { next[place].soloSafe.toggle() } else { next[place].solo.toggle() }
            }
        case 12:
            if place.kind == .dca {
                next[place].fader = Double(pick(0...4)) / 4
            } else {
                next[place].pan = [0, -1, 1, 0.5, -0.25].randomElement(using: &random)!
            }
        case 14:
            // What runs dry lies between silence and what belongs, side by side, not across.
            if case .stalling = way.disk { break }
            if let send = next[place].sends.randomElement(using: &random) {
                let matrix = try? SendMatrix(
                    (0..<2).map { _ in (0..<2).map { _ in Double(pick(-2...4)) / 4 } })
                let isOwn = pick(0...3) > 0
                next.setSend(of: place, to: send.bus) { $0.matrix = isOwn ? matrix : nil }
            }
        case 13:
            if let send = next[place].sends.randomElement(using: &random) {
                let (pan, mute) = ([0, -1, 0.5].randomElement(using: &random)!, pick(0...1) == 0)
                next.setSend(of: place, to: send.bus) { ($0.pan, $0.mute) = (pan, mute) }
            }
        case 15: if place.kind != .master { next[place].muteMode = pick(0...2) == 0 ? .main : .all }
        case 16: if place.kind != .master { next[place].mute.toggle() }
        case 17, 18: event(on: &next[place][automation: .mute])
        default:
            let controls: [Automation.Control] =
                place.kind == .dca ? [.volume, .mute] : [.volume, .pan, .trim, .mute]
            let bus = pick(0...1) == 0 ? nil : next[place].sends.randomElement(using: &random)?.bus
            let control = (bus == nil ? controls : [.volume, .pan, .mute]).randomElement(using: &random)!
            var automation =
                bus.map { next[place].send(to: $0)![automation: control] } ?? next[place][automation: control]
            event(on: &automation)
            if let bus {
                next.setSend(of: place, to: bus) { $0[automation: control] = automation }
            } else {
                next[place][automation: control] = automation
            }
        }
        log.append("(\(place)\(next == session ? ", nothing" : ""))")
        if Routing(next).loop == nil { session = next }
    }

    /// A point, a ramp, or nothing any more.
    func event(on automation: inout Automation) {
        let (from, length) = (pick(0...4000), pick(0...800))
        func value() -> Double {
            switch automation.control {
            case .pan: Double(pick(-4...4)) / 4
            case .mute: Double(pick(0...1))
            default: Double(pick(0...4)) / 4
            }
        }
        if pick(0...9) == 0 {
            automation.clear()
        } else if length < 200 || automation.control == .mute {
            try? automation.setValue(value(), at: time(from), replace: true)
        } else {
            try? automation.setRamp(
                from: value(), to: value(), over: TimeRange(start: time(from), duration: time(length)),
                curve: Curve.allCases.randomElement(using: &random)!, replace: true)
        }
    }

}
