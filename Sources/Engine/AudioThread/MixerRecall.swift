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

    /// Has `body` read a page that was noted; not where none was, or where it is no page of as many numbers.
    func read(_ place: MemoryPlace, _ body: (inout MemoryPage) -> Void) {
        guard let words = words[place], page.lay(words) else { return }
        var read = MemoryPage(page.numbers, isRead: true)
        body(&read)
    }

    /// Lays what a ring held at its beginning.
    /// - Parameter frames: of the ring.
    /// - Returns: how many frames that are.
    func lay(_ unit: MemoryPlace.Unit, into ring: Channels, _ frames: Int) -> Int64 {
        let channels = (0..<ring.count).map { channel in
            words[MemoryPlace(unit, channel: channel)] ?? []
        }
        guard let count = channels.map(\.count).min(), count <= frames else { return 0 }
        for (channel, words) in channels.enumerated() {
            for i in 0..<count { ring.channel(channel)[i] = Float(bitPattern: words[i]).orSilence }
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
