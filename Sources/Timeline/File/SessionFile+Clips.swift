import Files

/// Clips in the session's file.
extension SessionFile {
    static let clips = FieldTable<Clip>(
        fields: [
            Field(name: "file", required: "a clip names a file", schema: .text) { reader, clip in
                guard let file = reader.text("file") else { return }
                if file.isEmpty || file.utf8.contains(0) {
                    reader.fault("file", "it is not the name of a file")
                } else {
                    clip.file = FilePath(file)
                }
            } write: {
                .string($0.file.text)
            },
            .time("at", \.at), .time("from", \.from, omitted: .zero),
            Field(name: "duration", schema: MediaTime.schema) { reader, clip in
                clip.duration = reader.time("duration")
                if clip.duration == .zero { reader.fault("duration", "a clip lasts longer than 0") }
            } write: {
                $0.duration.map { .time($0) }
            },
            Field(name: "channels", schema: .list(of: .integer(from: 1), count: 2...2)) { reader, clip in
                let value = reader.object["channels"]!
                let numbers = value.arrayValue?.compactMap(\.intValue) ?? []
                if numbers.count == 2, value.arrayValue?.count == 2,
                    numbers.allSatisfy({ (1...1024).contains($0) })
                {
                    clip.channels = ChannelPair(left: numbers[0], right: numbers[1])
                } else {
                    reader.fault(
                        "channels",
                        "it is \(value.compactText), where two channels counted from 1 belong, as [1, 2]")
                }
            } write: {
                $0.channels.map { .array([.number($0.left), .number($0.right)]) }
            },
            Field(name: "stream", schema: .integer(from: 1)) { reader, clip in
                let number = reader.number("stream", in: 1...64, default: 1)
                if number == number.rounded() {
                    clip.stream = Int(number)
                } else {
                    reader.fault("stream", "\(number) is not the number of a sound, which counts from 1")
                }
            } write: {
                $0.stream == 1 ? nil : .number($0.stream)
            },
            .number("speed", \.speed, in: Clip.speeds, omitted: 1),
            .number("pitch", \.pitch, in: Clip.pitches, omitted: 0),
            Field(name: "tape", schema: .flag) { reader, clip in
                clip.isTape = reader.flag("tape", default: false)
                if clip.isTape, clip.pitch != 0 {
                    reader.fault("pitch", "a tape's pitch goes with its speed: it has no other")
                }
            } write: {
                $0.isTape ? .bool(true) : nil
            },
            .flag("reverse", \.isReversed, omitted: false),
            .choice("stretcher", \.stretcher, omitted: .soundtouch),
            Field(name: "gain", schema: .number(in: Volume.range)) {
                $1.gain = $0.volume("gain", default: 1)
            } write: {
                $0.gain == 1 ? nil : .number($0.gain)
            },
            .time("fadeIn", \.fadeIn.duration, omitted: .zero),
            .fadeCurve("fadeInCurve", \.fadeIn.curve, omitted: .linear),
            .time("fadeOut", \.fadeOut.duration, omitted: .zero),
            .fadeCurve("fadeOutCurve", \.fadeOut.curve, omitted: .linear),
            Field(name: "aired", schema: MediaTime.schema) { reader, clip in
                guard let time = reader.time("aired") else { return }
                if time <= Clip.longestAired {
                    clip.aired = time
                } else {
                    reader.fault("aired", "a take is heard at most \(Clip.longestAired) later than it lies")
                }
            } write: {
                $0.aired == .zero ? nil : .string($0.aired.description)
            },
            .time("crossfade", \.crossfade.duration, omitted: .zero),
            .fadeCurve("crossfadeCurve", \.crossfade.curve, omitted: .equalpower),
        ], unknown: \.unknown)
}
