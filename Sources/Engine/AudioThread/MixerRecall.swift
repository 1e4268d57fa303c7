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

/// The same of one strip.
struct LineRecall {
    fileprivate let words: TakeMemory.Words
    fileprivate let page: ReadPage

    /// Has `body` read a page that was noted; not where none was, or one of more or fewer numbers.
    func read(_ place: MemoryPlace, _ body: (inout MemoryPage) -> Void) {
        guard let words = words[place]?.words, page.lay(words) else { return }
        var count = MemoryPage(page.numbers, .counts)
        body(&count)
        if 2 * count.count != words.count { return }
        var read = MemoryPage(page.numbers, .reads)
        body(&read)
    }

    /// Lays what a ring held at its beginning.
    /// - Parameter frames: of the ring.
    /// - Returns: how many frames that are.
    func lay(_ unit: MemoryPlace.Unit, into ring: Channels, _ frames: Int) -> Int64 {
        let channels = (0..<ring.count).map { words[MemoryPlace(unit, channel: $0)] }
        guard let count = channels.map({ $0?.total ?? 0 }).min(), count <= frames else { return 0 }
        for (channel, content) in channels.enumerated() {
            let words = content?.words ?? []
            for i in 0..<count {
                // What had not come is heard behind the take's end.
                ring.channel(channel)[i] = i < words.count ? Float(bitPattern: words[i]).orSilence : 0
            }
        }
        return Int64(count)
    }
}

/// Owns a page that is read.
private final class ReadPage {
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
