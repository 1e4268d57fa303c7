import AudioFile
import Realtime

/// What strips remembered where a recording began, for who mixes that again offline.
struct MixerRecall {
    private let strips: [UnsafeMutablePointer<LiveStrip>: TakeMemory.Words]
    private let page = ReadPage()

    init(_ strips: [UnsafeMutablePointer<LiveStrip>: TakeMemory.Words]) { self.strips = strips }

    /// nil of a strip of which nothing was noted.
    func line(of strip: UnsafeMutablePointer<LiveStrip>) -> LineRecall? {
        strips[strip].map { LineRecall(words: $0, page: page) }
    }
}
