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

/// Owns a page that is read.
final class ReadPage {
    let numbers = UnsafeMutablePointer<Double>.allocate(capacity: MemoryPage.capacity())

    deinit { numbers.deallocate() }

    /// - Returns: false if they are no numbers, or more than there is room for.
    func lay(_ words: [UInt32]) -> Bool {
        let count = words.count / 2
        if count > MemoryPage.capacity() { return false }
        numbers.initialize(repeating: 0, count: MemoryPage.capacity())
        for i in 0..<count {
            numbers[i] = Double(bitPattern: UInt64(words[2 * i]) | UInt64(words[2 * i + 1]) << 32)
            if !numbers[i].isFinite { return false }
        }
        return true
    }
}
