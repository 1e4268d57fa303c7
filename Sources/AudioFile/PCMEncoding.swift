/// How uncompressed samples are written, and how they become floats: the very floats that libsndfile makes of
/// them. What is no number is silence.
enum PCMEncoding {
    case int16
    case int24
    case int32
    case float32

    var bytes: Int {
        switch self {
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        }
    }

    /// Makes floats of every sample that lies `step` bytes behind the one before it.
    func spread(
        _ source: UnsafeRawPointer, _ step: Int, _ swapped: Bool, _ count: Int,
        _ target: UnsafeMutablePointer<Float>
    ) {
        switch self {
        case .int16:
            for i in 0..<count {
                let word = source.loadUnaligned(fromByteOffset: i * step, as: UInt16.self)
                target[i] = Float(Int16(bitPattern: swapped ? word.byteSwapped : word)) * 0x1p-15
            }
        case .int24:
            for i in 0..<count {
                let word = source.loadUnaligned(fromByteOffset: i * step, as: UInt32.self)
                // The sample in the upper 24 bits.
                let sample = swapped ? word.byteSwapped & 0xffff_ff00 : word << 8
                target[i] = Float(Int32(bitPattern: sample)) * 0x1p-31
            }
        case .int32:
            for i in 0..<count {
                let word = source.loadUnaligned(fromByteOffset: i * step, as: UInt32.self)
                target[i] = Float(Int32(bitPattern: swapped ? word.byteSwapped : word)) * 0x1p-31
            }
        case .float32:
            for i in 0..<count {
                let word = source.loadUnaligned(fromByteOffset: i * step, as: UInt32.self)
                target[i] = Float(bitPattern: swapped ? word.byteSwapped : word).orSilence
            }
        }
    }
}
