import Files
import Glibc

/// Makes a sound whose samples are stored: decodes it, or makes it longer or higher.
protocol SoundMaker: Sendable {
    /// The file that it is made of, for what is said of it.
    var path: String { get }
    /// All that its samples depend on beside the content of the file.
    var way: String { get }
    /// What is known of it before it is made.
    var info: MediaInfo { get }

    /// Makes all of it, from its first frame to its last. On a thread that has the time.
    /// - Returns: why it ends before it should, and what else there is to say; nil: nothing.
    func make(_ sink: SoundSink) throws -> (truncation: String?, remark: String?)
}
