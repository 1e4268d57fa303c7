import AudioFile
import Engine
import TestSupport
import Testing
import Timeline

extension OfflineRender {
    /// Left and right of each block of a mix, how many frames it has, and how many are done with it.
    func mixSides(
        _ body: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, Int, Int) throws(AudioFileError) ->
            Bool
    ) throws(AudioFileError) {
        try mix { block, count, done throws(AudioFileError) in
            try body(block.channel(0), block.channel(1), count, done)
        }
    }
}

extension TemporaryFolder {
    var library: MediaLibrary { MediaLibrary(folder: path) }
}

/// A sample that names its frame: exact in a float up to 2^24.
func numbered(_ n: Int) -> (Float, Float) { (Float(n) / 0x1p20, -Float(n) / 0x1p20) }

/// The engine stepped by hand: no clock, no sleep; before each block the test waits for the disk as offline
/// rendering does.
final class Stepper {
    let engine: PlaybackEngine
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []

    private let waits: Bool

    init(diskThreads: Int = 2) {
        engine = PlaybackEngine(sampleRate: 48000, readAhead: ReadAhead(threads: diskThreads))
        waits = diskThreads > 0
    }

    /// Plays `session` from its first frame.
    convenience init(playing session: Session, _ folder: TemporaryFolder) {
        self.init()
        engine.apply(session, library: folder.library)
        settle()
        engine.play()
    }

    deinit { engine.close() }

    /// Waits until nothing is on its way to the audio thread but what a callback has to take.
    func settle() {
        engine.waitUntilFilled()
    }

    func render(_ count: Int) {
        var (l, r) = ([Float](repeating: 9, count: count), [Float](repeating: 9, count: count))
        engine.mixer.audioSide.render(&l, &r, count, waits: waits)
        left += l
        right += r
        engine.poll()
    }
}

extension Session {
    /// One track for each file, from the start of the timeline.
    static func of(_ files: String..., change: (inout Session) throws -> Void = { _ in }) rethrows -> Session
    {
        var session = Session()
        for file in files {
            var track = Track(name: file)
            track.clips = [Clip(file: file)]
            session.append(track)
        }
        try change(&session)
        return session
    }
}

extension TemporaryFolder {
    /// Files `0.wav`, `1.wav` and so on, whose samples the oracle knows, times `gain`.
    func sounds(_ count: Int, frames: Int, gain: Float) throws {
        for number in 0..<count {
            try file("\(number).wav", frames: frames) { n in
                (Oracle.sample(number, n) * gain, Oracle.sample(number + 7, n) * gain)
            }
        }
    }
}
