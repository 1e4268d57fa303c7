import ArgumentParser
import AudioFile
import Engine
import Timeline

/// What a part says of itself in its file, so that nobody joins what does not belong together.
struct PartLabel: CustomStringConvertible {
    let part: Part
    /// What it holds, and what the whole does.
    let frames: Range<Int64>
    let all: Range<Int64>
    /// Of which session it is, as that was.
    let mix: String

    init(_ part: Part, of render: OfflineRender) {
        (self.part, frames, all) = (part, part.frames(of: render.frames), render.frames)
        mix = ContentKey.name(of: SessionFile.text(render.session))
    }

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 9, words[0] == "jmix", words[1] == "part", words[3] == "frames",
            words[5] == "of", words[7] == "mix", let part = Part(argument: String(words[2])),
            let frames = Self.range(words[4]), let all = Self.range(words[6]), part.frames(of: all) == frames
        else { return nil }
        (self.part, self.frames, self.all, mix) = (part, frames, all, String(words[8]))
    }

    private static func range(_ text: Substring) -> Range<Int64>? {
        let ends = text.split(separator: "-").map { Int64($0) }
        guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else { return nil }
        return start..<end
    }

    var description: String {
        """
        jmix part \(part) frames \(frames.lowerBound)-\(frames.upperBound) of \
        \(all.lowerBound)-\(all.upperBound) mix \(mix)
        """
    }
}
