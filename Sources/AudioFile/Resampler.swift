import CSoxr

/// Converts interleaved channels from one sample rate to another with libsoxr at its high quality setting.
///
/// The output is cut into blocks at fixed places, and each block is computed from its own stretch of the
/// input with enough around it for the filter to have settled. So the samples of a place are the same
/// wherever reading began: after a locate, live, and offline. (One soxr stream started at two places differs
/// in the last bit.) For one thread at a time.
final class Resampler {
    /// Where and how much of the input block `index` needs.
    struct Stretch: Equatable {
        let start: Int64
        let count: Int
    }

    /// Output frames per block.
    let blockFrames: Int
    private let inputFrames: Int
    private let leadInput: Int
    private let leadOutput: Int
    private let inputRate: Int32
    private let outputRate: Int32
    private let channels: Int

    /// The filters of soxr's HQ setting settle within 200 output frames and within 100 input frames (measured
    /// over all pairs of rates); the rest is caution.
    private static let leadFrames = (output: 600, input: 150)
    /// A block costs about as much again for making the filter (0.2 ms) as 16000 frames of conversion.
    private static let preferredBlockFrames = 32768

    init(from inputRate: Int32, to outputRate: Int32, channels: Int) {
        self.channels = channels
        func gcd(_ a: Int32, _ b: Int32) -> Int32 { b == 0 ? a : gcd(b, a % b) }
        let divisor = gcd(inputRate, outputRate)
        // `outputs` frames out take exactly `inputs` frames in: the places where both clocks meet.
        let (inputs, outputs) = (Int(inputRate / divisor), Int(outputRate / divisor))
        func periods(_ frames: Int) -> Int { (frames + outputs - 1) / outputs }
        let leadFrames = max(Self.leadFrames.output, (Self.leadFrames.input * outputs + inputs - 1) / inputs)
        let (block, lead) = (periods(Self.preferredBlockFrames), periods(leadFrames))
        blockFrames = block * outputs
        inputFrames = block * inputs
        leadOutput = lead * outputs
        leadInput = lead * inputs
        self.inputRate = inputRate
        self.outputRate = outputRate
    }

    /// Frames that `frames` input frames become.
    func outputLength(_ frames: Int64) -> Int64 {
        let product = Int128(frames) * Int128(outputRate)
        return Int64((product + Int128(inputRate) - 1) / Int128(inputRate))
    }

    /// What block `index` needs, which may begin before the input and end after it; nothing is there.
    func input(ofBlock index: Int64) -> Stretch {
        Stretch(start: index * Int64(inputFrames) - Int64(leadInput), count: inputFrames + 2 * leadInput)
    }

    /// Converts the stretch of a block (interleaved) to its `blockFrames` frames.
    /// - Throws: soxr's message, if it has no memory or no such ratio.
    func convert(_ input: [Float]) throws(ResamplerError) -> [Float] {
        var specification = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
        var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
        var runtime = soxr_runtime_spec(1)
        let room = blockFrames + 2 * leadOutput + 16
        var output = [Float](repeating: 0, count: channels * room)
        var done = 0
        let error = soxr_oneshot(
            Double(inputRate), Double(outputRate), UInt32(channels), input, input.count / channels, nil,
            &output, room, &done, &specification, &quality, &runtime)
        if let error { throw ResamplerError(reason: String(cString: error)) }
        return Array(output[(channels * leadOutput)..<(channels * (leadOutput + blockFrames))])
    }
}

struct ResamplerError: Error {
    let reason: String
}
