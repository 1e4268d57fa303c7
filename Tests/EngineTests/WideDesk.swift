import AudioFile
import Engine
import Foundation
import Realtime
import Speakers
import TestSupport
import Testing
import Timeline

extension TemporaryFolder {
    /// A float WAV with the channels of a layout.
    func file(_ layout: SpeakerLayout, frames: Int = WideDesk.frames) throws -> String {
        let name = "\(layout.channels).wav"
        let format = try OutputFormat(
            path: self(name), samples: .float, layout: layout, sampleRate: 48000,
            frames: Int64(frames))
        let writer = try SoundFileWriter(path: self(name), format: format, sampleRate: 48000)
        let memory = ChannelMemory(layout.channels, frames: frames)
        for channel in 0..<layout.channels {
            for frame in 0..<frames {
                memory.channels.channel(channel)[frame] = WideDesk.sample(frame, channel, of: layout.channels)
            }
        }
        try writer.write(memory.channels, count: frames)
        try writer.finish()
        return name
    }
}

/// What is heard of a desk, in slow code that knows the contract alone: gains, balances, and how layouts are
/// mixed into each other.
struct WideDesk {
    static let frames = 60_000

    /// The sample of one channel of a file that has so many: another for each.
    static func sample(_ frame: Int, _ channel: Int, of channels: Int) -> Float {
        var random = Seeded(state: UInt64(frame * 4096 + channels * 64 + channel))
        return Float(Int(random.next() >> 44) - (1 << 19)) / 0x1p21
    }

    let session: Session
    /// The channels of each track's file.
    let files: [SpeakerLayout]

    func strip(_ place: StripPlace, at frame: Int) -> [Double] {
        let strip = session[place]
        let layout = session.layout(of: strip.id)
        let source =
            switch place {
            case .track(let number): played(files[number - 1], on: layout, at: frame)
            default: sum(strip.id, at: frame)
            }
        return scaled(source, by: strip.fader, pan: strip.pan, layout)
    }

    private func played(_ file: SpeakerLayout, on layout: SpeakerLayout, at frame: Int) -> [Double] {
        if frame >= WideDesk.frames { return [Double](repeating: 0, count: layout.channels) }
        return try! ChannelChoice(nil, of: file.channels, on: layout).sources.map {
            $0.map { Double(Self.sample(frame, $0, of: file.channels)) } ?? 0
        }
    }

    private func scaled(_ source: [Double], by gain: Double, pan: Double, _ layout: SpeakerLayout) -> [Double]
    {
        zip(source, layout.speakers).map { sample, speaker in
            switch speaker.side {
            case .left: sample * gain * (pan > 0 ? 1 - pan : 1)
            case .right: sample * gain * (pan < 0 ? 1 + pan : 1)
            case .middle: sample * gain
            }
        }
    }

    private func mixed(
        _ samples: [Double], _ from: SpeakerLayout, to layout: SpeakerLayout, by matrix: SendMatrix? = nil
    ) -> [Double] {
        if let matrix {
            return matrix.gains.map { row in zip(row, samples).reduce(0) { $0 + $1.0 * $1.1 } }
        }
        var mixed = [Double](repeating: 0, count: layout.channels)
        for part in from.parts(to: layout) { mixed[part.to] += samples[part.from] * part.gain }
        return mixed
    }

    /// What comes to a bus or the master.
    func sum(_ id: StripID, at frame: Int) -> [Double] {
        let layout = session.layout(of: id)
        var sum = [Double](repeating: 0, count: layout.channels)
        for place in session.places where place.kind == .track || place.kind == .bus {
            let strip = session[place]
            let own = session.layout(of: strip.id)
            if strip.output == (id == .master ? .master : .bus(id)) {
                add(mixed(self.strip(place, at: frame), own, to: layout), to: &sum)
            }
            guard let send = strip.send(to: id) else { continue }
            add(
                scaled(
                    mixed(self.strip(place, at: frame), own, to: layout, by: send.matrix), by: send.volume,
                    pan: send.pan, layout), to: &sum)
        }
        return sum
    }

    private func add(_ samples: [Double], to sum: inout [Double]) {
        for (channel, sample) in samples.enumerated() { sum[channel] += sample }
    }
}
