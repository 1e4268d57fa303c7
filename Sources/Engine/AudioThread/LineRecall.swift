import AudioFile
import Realtime

/// What one strip remembered where a recording began, for who mixes that again offline.
struct LineRecall {
    let words: TakeMemory.Words
    let page: ReadPage

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
