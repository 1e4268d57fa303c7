import AudioFile
import Speakers
import Timeline

/// A file that is open, and how far it has been read.
struct OpenReader {
    /// What it reads, and on which channels that is heard.
    struct Key: Hashable {
        let place: SoundPlace
        let channels: ChannelPair?
        let layout: SpeakerLayout
    }

    let key: Key
    let reader: ChannelReader
    var next: Int64
}
