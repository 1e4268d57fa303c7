import Engine
import OSC
import Remote
import Timeline

extension Console {
    /// Everything that subscribers are told of, as it stands: settings first, then what moves by itself.
    func values() -> [OSCMessage] {
        var values: [OSCMessage] = []
        for (index, track) in session.tracks.enumerated() {
            let address = "/track/\(index + 1)"
            values += faders(address, track.id)
            values += [
                OSCMessage("\(address)/volume/touch", .int32(touches.isTouched(track.id) ? 1 : 0)),
                OSCMessage("\(address)/mute", .int32(track.mute ? 1 : 0)),
                OSCMessage("\(address)/solo", .int32(track.solo ? 1 : 0)), OSCMessage("\(address)/pan", .float(Float(track.pan))),
                OSCMessage("\(address)/name", .string(track.name)), OSCMessage("\(address)/fadein", .string("\(track.fadeIn)")),
                OSCMessage("\(address)/fadeout", .string("\(track.fadeOut)")), meter(address, track.id),
            ]
        }
        values += faders("/master", nil)
        values += [
            OSCMessage("/master/volume/touch", .int32(touches.isTouched(nil) ? 1 : 0)),
            OSCMessage("/master/mute", .int32(session.master.mute ? 1 : 0)),
            meter("/master", nil), OSCMessage("/transport/state", .string(state)), loopMessage, positionMessage,
        ]
        return values
    }

    /// A fader on each of its scales.
    private func faders(_ address: String, _ id: TrackID?) -> [OSCMessage] {
        let gain = engine.presentFader(id)
        return [OSCMessage("\(address)/volume", .float(Float(gain)))]
            + FaderScale.allCases.map { OSCMessage("\(address)/volume/\($0.rawValue)", .float(Float($0.value(gain: gain)))) }
    }

    /// What `command` has set, at the addresses where it is told of.
    func settings(of command: Command) -> [OSCMessage] {
        let questions: [Command] = switch command {
        case .volume(let strip, _), .level(let strip, _, _): [.volume(strip, nil)] + FaderScale.allCases.map { .level(strip, $0, nil) }
        case .touch(let strip, _): [.touch(strip, nil)]
        case .miniMix(.gain(let channel, _)):
            [.volume(.track(.number(channel)), nil)] + FaderScale.allCases.map { .level(.track(.number(channel)), $0, nil) }
        case .miniMix(.label(let channel, _)): [.name(.number(channel), nil)]
        case .mute(let strip, _): [.mute(strip, nil)]
        case .solo(let track, _): [.solo(track, nil)]
        case .pan(let track, _): [.pan(track, nil)]
        case .fadeIn(let track, _): [.fadeIn(track, nil)]
        case .fadeOut(let track, _): [.fadeOut(track, nil)]
        case .name(_, let name): [.name(.name(name ?? ""), nil)]
        case .loop, .loopOff: [.askLoop]
        default: []
        }
        return questions.flatMap { (try? run($0)) ?? [] }
    }

    /// The meters that subscribers see; those who ask have peaks of their own.
    private func meter(_ address: String, _ id: TrackID?) -> OSCMessage { meterMessage(address, meters.read(id, from: engine, for: .subscribers)) }

    func meterMessage(_ address: String, _ reading: MeterReading) -> OSCMessage {
        OSCMessage("\(address)/meter", .float(reading.peakLeft), .float(reading.peakRight), .float(reading.rmsLeft), .float(reading.rmsRight))
    }
}

/// Peaks since each kind of reader last looked: the engine keeps only one.
struct MeterBook {
    enum Reader { case questions, subscribers }

    private var unread: [TrackID?: MeterReading] = [:]
    private var unreadBySubscribers: [TrackID?: MeterReading] = [:]

    /// The reading for one kind of reader; the peaks are kept for the other.
    mutating func read(_ id: TrackID?, from engine: PlaybackEngine, for reader: Reader) -> MeterReading {
        let fresh = id.map(engine.readMeter) ?? engine.readMasterMeter()
        switch reader {
        case .questions:
            unreadBySubscribers[id] = fresh.merged(unreadBySubscribers[id])
            return fresh.merged(unread.removeValue(forKey: id))
        case .subscribers:
            unread[id] = fresh.merged(unread[id])
            return fresh.merged(unreadBySubscribers.removeValue(forKey: id))
        }
    }
}

extension MeterReading {
    /// This reading with the peaks of an earlier one.
    fileprivate func merged(_ earlier: MeterReading?) -> MeterReading {
        var merged = self
        merged.peakLeft = max(peakLeft, earlier?.peakLeft ?? 0)
        merged.peakRight = max(peakRight, earlier?.peakRight ?? 0)
        return merged
    }
}
