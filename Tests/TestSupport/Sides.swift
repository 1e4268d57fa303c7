import AudioFile
import Realtime

/// Left and right as arrays, for tests that look at both.
extension SoundFileWriter {
    public func write(left: [Float], right: [Float], count: Int) throws(AudioFileError) {
        let memory = ChannelMemory(2, frames: max(1, count))
        memory.channels.channel(0).update(from: left, count: count)
        memory.channels.channel(1).update(from: right, count: count)
        try write(memory.channels, count: count)
    }
}

extension TakeWriter {
    public func write(left: [Float], right: [Float], count: Int) throws(AudioFileError) {
        let memory = ChannelMemory(2, frames: max(1, count))
        memory.channels.channel(0).update(from: left, count: count)
        memory.channels.channel(1).update(from: right, count: count)
        try write(memory.channels, count: count)
    }
}

extension ChannelReader {
    public func read(
        from start: Int64, count: Int, left: inout [Float], right: inout [Float]
    ) throws(AudioFileError) {
        let memory = ChannelMemory(2, frames: max(1, count))
        try read(from: start, count: count, into: memory.channels)
        for i in 0..<count {
            (left[i], right[i]) = (memory.channels.channel(0)[i], memory.channels.channel(1)[i])
        }
    }
}
