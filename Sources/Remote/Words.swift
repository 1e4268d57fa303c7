import Speakers
import Timeline

/// The words of one line, taken one after another, options apart: what the shell and the REPL parse with.
struct Words {
    private var positional: [String] = []
    private(set) var options: [String: String] = [:]
    private let usage: String

    init(_ words: [String], _ known: WordOptions, usage: String) throws(CommandError) {
        self.usage = usage
        var rest = words[...]
        while let word = rest.popFirst() {
            // A leading - before a digit, a point or "inf" is a number: -6dB, -0.5, -inf.
            guard word.hasPrefix("--") else {
                positional.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if known.flags.contains(word) {
                options[word] = ""
            } else if known.valued.contains(parts[0]) {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw CommandError("\(word) needs a value: \(usage)", isUsage: true)
                }
                options[parts[0]] = value
            } else {
                throw CommandError("there is no option \(parts[0]) here: \(usage)", isUsage: true)
            }
        }
    }

    var isEmpty: Bool { positional.isEmpty }
    var first: String? { positional.first }
    var count: Int { positional.count }

    mutating func word(_ what: String) throws(CommandError) -> String {
        if positional.isEmpty { throw CommandError("\(what) is missing: \(usage)", isUsage: true) }
        return positional.removeFirst()
    }

    mutating func strip() throws(CommandError) -> StripReference { StripReference(try word("the strip")) }

    /// A bus: by its name or number, with or without `bus:`.
    mutating func bus() throws(CommandError) -> Selector {
        let text = try word("the bus")
        return Selector(text.hasPrefix("bus:") ? String(text.dropFirst(4)) : text)
    }

    /// All that are left.
    mutating func strips() throws(CommandError) -> [StripReference] {
        var strips: [StripReference] = []
        while !isEmpty { strips.append(try strip()) }
        return strips
    }

    /// The control that `--of` names: the volume unless told.
    func control() throws(CommandError) -> Control {
        try options["--of"].map { text throws(CommandError) in try Control(ofTimeline: text) } ?? .volume
    }

    /// A value that the timeline has of a control.
    mutating func ofTimeline(_ control: Control) throws(CommandError) -> Double {
        try value(of: control).ofTimeline
    }

    mutating func volume() throws(CommandError) -> Double { try Words.volume(try word("the volume")) }
    mutating func time() throws(CommandError) -> TimeSpec { try Words.time(try word("the time")) }

    mutating func number() throws(CommandError) -> Double {
        let text = try word("the number")
        guard let number = Double(text) else {
            throw CommandError("\"\(text)\" is not a number", isUsage: true)
        }
        return number
    }

    /// What a control is to be set to.
    mutating func value(of control: Control) throws(CommandError) -> ControlValue {
        try value(control.entry.kind, of: control.word)
    }

    /// A value of some kind; `name` is what it is called.
    mutating func value(_ kind: Control.Kind, of name: String) throws(CommandError) -> ControlValue {
        switch kind {
        case .volume: return .number(try volume())
        case .scale, .number: return .number(try kind.check(try number(), name))
        case .flag: return .flag(try onOff())
        case .text: return .text(try word("the \(name)"))
        case .place: return .text(try word("a bus, master, none or ports"))
        case .choice(let words): return .text(try kind.check(try word(words.joined(separator: ", ")), name))
        case .matrix: return .text(try kind.check(try word("the matrix"), name))
        case .channels: return .channels(try Self.layout(try word("the number of channels")))
        case .names: return .names(try words("a strip's name"))
        case .duration: return .time(try time())
        case .delay: return .time(try Self.delay(try word("the delay")))
        case .levels, .reading: throw CommandError("\(name) can only be asked for")
        }
    }

    /// A time, or the way that sound takes so long for.
    static func delay(_ text: String) throws(CommandError) -> TimeSpec {
        if text == "off" { return .time(.zero) }
        for (unit, metres) in [("ft", 0.3048), ("m", 1)] where text.hasSuffix(unit) {
            guard let number = Volume.number(String(text.dropLast(unit.count))) else { continue }
            // More than that is too long in any case.
            let seconds = min(100, number * metres / Strip.speedOfSound)
            return try delay(.time(MediaTime(seconds: seconds, preferredTimescale: 1_000_000)), text)
        }
        return try delay(try time(text), text)
    }

    /// Refuses what is too long.
    static func delay(_ time: TimeSpec, _ text: String) throws(CommandError) -> TimeSpec {
        let seconds =
            switch time {
            case .time(let time): time.seconds
            case .seconds(let seconds): seconds
            case .frames:
                throw CommandError(
                    "\"\(text)\": a delay is no frames, but as 12ms, 0.5s, 12m or 40ft", isUsage: true)
            }
        guard seconds >= 0, seconds <= Strip.longestDelay.seconds else {
            throw CommandError("\"\(text)\" is no delay: it goes from 0 to 2 s")
        }
        return time
    }

    /// The number of a clip or an event, from 1.
    mutating func index(_ what: String) throws(CommandError) -> Int { try Words.index(try word(what), what) }

    static func index(_ text: String, _ what: String) throws(CommandError) -> Int {
        guard let number = Int(text), (1...Session.maximumEvents).contains(number) else {
            throw CommandError("\"\(text)\" is not \(what), which count from 1", isUsage: true)
        }
        return number
    }

    /// Whether on or off is all that is left, as behind a list of strips.
    var isSwitchLast: Bool { count == 1 && (first == "on" || first == "off") }

    mutating func onOff() throws(CommandError) -> Bool {
        let text = try word("on or off")
        switch text {
        case "on", "1", "true": return true
        case "off", "0", "false": return false
        default: throw CommandError("\"\(text)\" is neither on nor off", isUsage: true)
        }
    }

    func flag(_ name: String) -> Bool { options[name] != nil }
    func text(_ name: String) -> String? { options[name] }

    mutating func place() throws(CommandError) -> Place { try Place(parsing: try word("the time")) }

    func time(_ name: String) throws(CommandError) -> TimeSpec? {
        guard let text = options[name] else { return nil }
        return try Words.time(text)
    }

    func curve() throws(CommandError) -> Curve { try options["--curve"].map(Words.curve) ?? .linear }

    /// That of a clip's fade.
    func fadeCurve(unlessTold standard: Curve = .linear) throws(CommandError) -> Curve {
        try options["--curve"].map(Words.fadeCurve) ?? standard
    }

    func crossfade() throws(CommandError) -> Crossfade? {
        guard let duration = try time("--crossfade") else { return nil }
        return Crossfade(duration, curve: try fadeCurve(unlessTold: .equalpower))
    }

    /// All that is left.
    mutating func words(_ what: String) throws(CommandError) -> [String] {
        let first = try word(what)
        defer { positional = [] }
        return [first] + positional
    }

    func expectEnd() throws(CommandError) {
        if let word = positional.first {
            throw CommandError("\"\(word)\" is too much: \(usage)", isUsage: true)
        }
    }

    static func volume(_ text: String) throws(CommandError) -> Double {
        do { return try Volume.parse(text) } catch { throw CommandError("\(error)") }
    }

    static func time(_ text: String) throws(CommandError) -> TimeSpec {
        do { return try TimeSpec(parsing: text) } catch { throw CommandError("\(error)") }
    }

    /// `time`, if it lies on the timeline.
    static func checked(_ time: TimeSpec) throws(CommandError) -> TimeSpec {
        do { return try time.checked() } catch { throw CommandError("\(error)") }
    }

    /// Parts of a scene, with commas between.
    static func sceneParts(_ text: String) throws(CommandError) -> Set<ScenePart> {
        var parts: Set<ScenePart> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let part = ScenePart(rawValue: String(word)) else {
                throw CommandError(
                    """
                    "\(word)" is no part of a scene: \
                    \(ScenePart.allCases.map(\.rawValue).joined(separator: ", "))
                    """
                )
            }
            parts.insert(part)
        }
        return parts
    }

    /// Strips, with commas between.
    static func strips(_ text: String) -> [StripReference] {
        text.split(separator: ",").map { StripReference($0) }
    }

    static func layout(_ text: String) throws(CommandError) -> SpeakerLayout {
        if let layout = SpeakerLayout(text) { return layout }
        throw CommandError("\"\(text)\" is no number of channels: \(SpeakerLayout.choices)", isUsage: true)
    }

    static func soloMode(_ text: String) throws(CommandError) -> SoloMode {
        try oneOf(SoloMode.self, text, "solo mode")
    }

    static func directOuts(_ text: String) throws(CommandError) -> DirectOutMode {
        try oneOf(DirectOutMode.self, text, "mode of direct outs")
    }

    private static func oneOf<Word: RawRepresentable<String> & CaseIterable>(
        _ kind: Word.Type, _ text: String, _ what: String
    ) throws(CommandError) -> Word {
        if let word = Word(rawValue: text) { return word }
        throw CommandError(
            "\"\(text)\" is no \(what): \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }

    static func curve(_ text: String) throws(CommandError) -> Curve {
        guard let curve = Curve(rawValue: text) else { throw CommandError(Curve.unknown(text)) }
        return curve
    }

    static func fadeCurve(_ text: String) throws(CommandError) -> Curve {
        let curve = try curve(text)
        if curve == .exponential { throw CommandError(Curve.noFade) }
        return curve
    }
}

extension Optional {
    /// `map` for functions with typed errors.
    func map<Result, Failure: Error>(
        _ transform: (Wrapped) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch self {
        case .some(let value): try transform(value)
        case nil: nil
        }
    }
}
