import OSC
import Timeline

extension Field<Void> {
    /// Nothing follows.
    static let nothing = Field("") { (_: inout Arguments) throws(CommandError) in
    } parse: { (_: inout Words) throws(CommandError) in
    } write: { _ in
        []
    }
    .asking { true }
}

extension Field<String> {
    /// A text; `what` it is says who finds it missing.
    static func text(_ name: String, _ what: String) -> Field {
        Field(name) { (arguments: inout Arguments) throws(CommandError) in
            try arguments.text(what)
        } parse: { (words: inout Words) throws(CommandError) in
            try words.word(what)
        } write: {
            [.string($0)]
        }
    }

    static let name = text("NAME", "the name")
    static let file = fileOnDisk("the file")

    /// A file on a disk, which the shell names in full.
    static func fileOnDisk(_ what: String) -> Field { text("FILE", what).ofFiles { $1($0) } }
}

extension Field<TimeSpec> {
    static let time = Field("TIME") { (arguments: inout Arguments) throws(CommandError) in
        try arguments.time()
    } parse: { (words: inout Words) throws(CommandError) in
        try words.time()
    } write: {
        [argument($0)]
    }

    static let duration = time.named("DURATION")
}

extension Field<(TimeSpec, TimeSpec)> {
    /// From one time to another.
    static let range = fields(.time, .time).named("TIME TIME", "T0 T1")
}

extension Field<Place> {
    static let place = Field("PLACE") { (arguments: inout Arguments) throws(CommandError) in
        try arguments.place()
    } parse: { (words: inout Words) throws(CommandError) in
        try words.place()
    } write: {
        [argument($0)]
    }
}

extension Field<Double> {
    /// A linear gain, or one in dB as a text.
    static let volume = Field("V") { (arguments: inout Arguments) throws(CommandError) in
        try arguments.volume()
    } parse: { (words: inout Words) throws(CommandError) in
        try words.volume()
    } write: {
        [number($0)]
    }
}

extension Field<Int> {
    /// A number from 1.
    static func index(_ word: String, _ what: String) -> Field {
        Field("i", word) { (arguments: inout Arguments) throws(CommandError) in
            try arguments.index(what)
        } parse: { (words: inout Words) throws(CommandError) in
            try words.index(what)
        } write: {
            [.int32(Int32(clamping: $0))]
        }
    }

    static let clip = index("CLIP", "the number of a clip")
}

extension Field<Bool> {
    static let onOff = Field("switch", "on|off") { (arguments: inout Arguments) throws(CommandError) in
        try arguments.flag()
    } parse: { (words: inout Words) throws(CommandError) in
        try words.onOff()
    } write: {
        [.bool($0)]
    }

    /// A closing T; an option in the shell.
    static func closing(_ option: String) -> Field {
        Field("[T]", "[\(option)]", options: WordOptions(flags: [option])) {
            (arguments: inout Arguments) throws(CommandError) in
            try arguments.replace()
        } parse: { (words: inout Words) throws(CommandError) in
            words.flag(option)
        } write: {
            $0 ? [.bool(true)] : []
        }
    }

    /// A button: a tablet sends 1 when it is pressed and 0 when it is let go; the shell says nothing.
    static let pressed = Field("[switch]", "") { (arguments: inout Arguments) throws(CommandError) in
        try arguments.isPressed()
    } parse: { (_: inout Words) throws(CommandError) in
        true
    } write: { _ in
        []
    }
}

extension Field<Curve> {
    /// That of a clip's fade.
    static let fadeCurve = Field("[CURVE]") {
        (arguments: inout Arguments) throws(CommandError) in
        try arguments.fadeCurve()
    } write: {
        [.string($0.rawValue)]
    }
}

extension Field<Crossfade?> {
    static let crossfade = Field(
        "[crossfade DURATION [CURVE]]", "[--crossfade D [--curve C]]",
        options: WordOptions(valued: ["--crossfade", "--curve"])
    ) { (arguments: inout Arguments) throws(CommandError) in
        try arguments.crossfade()
    } parse: { (words: inout Words) throws(CommandError) in
        try words.crossfade()
    } write: { crossfade in
        crossfade.map { [.string("crossfade"), argument($0.duration), .string($0.curve.rawValue)] } ?? []
    }
}

extension Field<(TimeSpec?, TimeSpec?)> {
    /// Which part of a file: how long it is stands behind where it begins.
    static let stretch = Field(
        "[FROM [LENGTH]]", "[--from T] [--duration T]",
        options: WordOptions(valued: ["--from", "--duration"])
    ) { (arguments: inout Arguments) throws(CommandError) in
        (try arguments.timeIfAny(), try arguments.timeIfAny())
    } parse: { (words: inout Words) throws(CommandError) in
        (try words.time("--from"), try words.time("--duration"))
    } write: { from, duration in
        [from ?? duration.map { _ in .time(.zero) }, duration].compactMap { $0.map(argument) }
    }
}

extension Field<StripReference> {
    /// A strip by its name, or a track by its number.
    static let strip = Field("STRIP") { (arguments: inout Arguments) throws(CommandError) in
        try arguments.strip()
    } write: {
        [.string($0.text)]
    }
}

extension Field<[StripReference]> {
    /// All that follow; none is none.
    static let strips = Field("[STRIP ...]") { (arguments: inout Arguments) throws(CommandError) in
        try arguments.strips()
    } write: {
        $0.map { .string($0.text) }
    }

    /// One at the least.
    static let someStrips = Field("STRIP ...") { (arguments: inout Arguments) throws(CommandError) in
        [try arguments.strip()] + (try arguments.strips())
    } write: {
        $0.map { .string($0.text) }
    }
}

extension Field<[String]> {
    /// Files, one at the least; in OSC up to a crossfade.
    static let files = Field("FILE ...") { (arguments: inout Arguments) throws(CommandError) in
        try arguments.files()
    } write: {
        $0.map { .string($0) }
    }
    .ofFiles { $0.map($1) }
}

extension Field<ControlValue> {
    /// What something of that kind is set to; `name` is what it is called.
    static func value(_ kind: Control.Kind, _ name: String) -> Field {
        Field(kind.arguments, kind.words) { (arguments: inout Arguments) throws(CommandError) in
            try arguments.value(kind, of: name)
        } parse: { (words: inout Words) throws(CommandError) in
            try words.value(kind, of: name)
        } write: {
            $0.exactArguments
        }
    }
}

extension Field<Step> {
    /// How far something of that kind is moved.
    static func step(_ kind: Control.Kind, _ name: String) -> Field {
        Field(kind.step) { (arguments: inout Arguments) throws(CommandError) in
            try arguments.step(kind, of: name)
        } write: {
            [$0.argument(of: kind)]
        }
    }
}

extension Field {
    /// One of some words, or none, which asks; `choices` as OSC's reference lists them, with dots between.
    static func word<Word: RawRepresentable<String> & Sendable>(
        _ choices: String, _ what: String, _ read: @escaping @Sendable (String) throws(CommandError) -> Word
    ) -> Field where Value == Word? {
        Field(
            choices, "[\(choices.split(separator: " · ").joined(separator: "|"))]"
        ) {
            (arguments: inout Arguments) throws(CommandError) in
            arguments.isEmpty ? nil : try read(try arguments.text(what))
        } parse: { (words: inout Words) throws(CommandError) in
            words.isEmpty ? nil : try read(try words.word(what))
        } write: { word in
            word.map { [.string($0.rawValue)] } ?? []
        }
        .asking(isNothing)
    }
}
