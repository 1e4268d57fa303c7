import AudioFile
import Timeline

/// The peaks of a file, column by column: the highest of the channels that are heard.
struct Waveform {
    let peaks: [Float]

    /// A column that covers more frames than this is looked at in places only: a picture of a day is drawn in
    /// seconds, and a column is a pixel.
    private static let mostFrames = 8 * 4096

    /// - Parameter columns: the stretches of the file, in frames at its own rate, one for each column.
    init(_ file: any SampleSource, channels: ChannelPair?, columns: [Range<Int64>]) throws(AudioFileError) {
        let chosen = channels.map { [$0.left - 1, $0.right - 1] } ?? Array(0..<min(2, file.channels))
        var buffer = [Float](repeating: 0, count: 4096 * file.channels)
        var peaks: [Float] = []
        for column in columns { peaks.append(try Self.peak(file, chosen, column, &buffer)) }
        self.peaks = peaks
    }

    private static func peak(
        _ file: any SampleSource, _ channels: [Int], _ column: Range<Int64>, _ buffer: inout [Float]
    ) throws(AudioFileError) -> Float {
        var peak: Float = 0
        let step = column.count > mostFrames ? Int64(column.count / 8) : 4096
        var place = column.lowerBound
        while place < column.upperBound {
            let count = try file.read(
                from: place, count: Int(min(4096, column.upperBound - place)), into: &buffer)
            for frame in 0..<count {
                for channel in channels { peak = max(peak, abs(buffer[frame * file.channels + channel])) }
            }
            if count == 0 { break }
            place += step
        }
        return peak
    }
}
