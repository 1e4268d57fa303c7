import AudioFile

extension TemporaryFolder {
    /// Writes a float WAV whose left sample n is `left(n)`, and returns its name.
    @discardableResult
    public func file(
        _ name: String, frames: Int, rate: Int32 = 48000, _ sample: (Int) -> (Float, Float)
    ) throws -> String {
        let file = path + "/" + name
        let writer = try SoundFileWriter(
            path: file, format: OutputFormat(path: file, samples: nil, sampleRate: rate, frames: 0),
            sampleRate: rate)
        let samples = (0..<frames).map(sample)
        try writer.write(left: samples.map(\.0), right: samples.map(\.1), count: frames)
        try writer.finish()
        return name
    }
}

/// Random numbers that can be had again.
public struct Seeded: RandomNumberGenerator {
    public var state: UInt64

    public init(state: UInt64) { self.state = state }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
