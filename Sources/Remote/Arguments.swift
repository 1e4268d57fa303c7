import OSC
import Speakers
import Timeline

/// The arguments of one OSC message, taken one after another.
struct Arguments {
    private var all: [OSCArgument]
    private var next = 0

    /// An impulse or a nil alone, as remotes of OSCQuery send to what only acts, says nothing.
    init(_ arguments: [OSCArgument]) {
        all = arguments == [.other("I")] || arguments == [.other("N")] ? [] : arguments
    }

    var isEmpty: Bool { next >= all.count }
    /// How many are left.
    var count: Int { all.count - next }

    private mutating func require(_ what: String) throws(CommandError) -> OSCArgument {
        guard next < all.count else { throw CommandError("\(what) is missing: \(all.count) arguments came") }
        defer { next += 1 }
        return all[next]
    }

    private func wrong(_ argument: OSCArgument, _ what: String) -> CommandError {
        CommandError("argument \(next) is of type \(argument.tag), where \(what) belongs")
    }

    mutating func text(_ what: String) throws(CommandError) -> String {
        let argument = try require(what)
        guard case .string(let text) = argument else { throw wrong(argument, what) }
        return text
    }

    /// The next argument if it is a text.
    mutating func takeText() -> String? {
        guard next < all.count, case .string(let text) = all[next] else { return nil }
        next += 1
        return text
    }

    /// A delay: a text as in the shell, or seconds.
    mutating func delay() throws(CommandError) -> TimeSpec {
        if let text = takeText() { return try Words.delay(text) }
        return try Words.delay(try time(), "this")
    }

    /// The next one is a number.
    var isNumber: Bool { next < all.count && Self.number(all[next]) != nil }

    /// Takes the next argument if it is this word.
    mutating func takes(_ word: String) -> Bool {
        guard next < all.count, case .string(word) = all[next] else { return false }
        next += 1
        return true
    }

    mutating func number(_ what: String) throws(CommandError) -> Double {
        let argument = try require(what)
        guard let number = Self.number(argument) else { throw wrong(argument, what) }
        guard number.isFinite else {
            throw CommandError("\(what) is \(number), which is no number to set anything to")
        }
        return number
    }

    mutating func volume() throws(CommandError) -> Double {
        let argument = try require("the volume")
        if case .string(let text) = argument { return try Words.volume(text) }
        guard let number = Self.number(argument) else { throw wrong(argument, "a volume") }
        do { return try Volume.checked(number) } catch { throw CommandError("\(error)") }
    }

    /// What a control is to be set to.
    mutating func value(of control: Control) throws(CommandError) -> ControlValue {
        try value(control.entry.kind, of: control.word)
    }

    /// A value of some kind; `name` is what it is called.
    mutating func value(_ kind: Control.Kind, of name: String) throws(CommandError) -> ControlValue {
        switch kind {
        case .volume: return .number(try volume())
        case .scale(.db): return .number(try level())
        case .scale(.position): return .number(try number("the position"))
        case .number: return .number(try kind.check(try number("the \(name)"), name))
        case .flag: return .flag(try flag())
        case .text: return .text(try text("the \(name)"))
        case .place: return .text(try text("a bus, master, none or ports"))
        case .choice(let words): return .text(try kind.check(try text(words.joined(separator: ", ")), name))
        case .matrix: return .text(try kind.check(try text("the matrix"), name))
        case .channels: return .channels(try layout())
        case .names:
            var names: [String] = []
            while !isEmpty { names.append(try text("a strip's name")) }
            return .names(names)
        case .duration: return .time(try time())
        case .delay: return .time(try delay())
        case .levels, .reading: throw CommandError("\(name) can only be asked for")
        }
    }

    /// How many channels a strip is to have: a number, or the name of a layout.
    mutating func layout() throws(CommandError) -> SpeakerLayout {
        try Words.layout(try textOrNumber("the number of channels"))
    }

    /// A text, or a whole number as one.
    private mutating func textOrNumber(_ what: String) throws(CommandError) -> String {
        if next < all.count, let number = Self.number(all[next]), let whole = Int(exactly: number) {
            next += 1
            return "\(whole)"
        }
        return try text(what)
    }

    /// All that are left: what an input is connected to.
    mutating func inputPorts() throws(CommandError) -> InputPorts {
        var words: [String] = []
        while !isEmpty { words.append(try textOrNumber("a port, or how many channels")) }
        return try InputPorts(parsing: words)
    }

    /// A level in dB; negative infinity is silence.
    mutating func level() throws(CommandError) -> Double {
        let argument = try require("the level")
        guard let level = Self.number(argument) else { throw wrong(argument, "a level in dB") }
        guard !level.isNaN else { throw CommandError("the level is not a number") }
        return level
    }

    mutating func time() throws(CommandError) -> TimeSpec {
        let argument = try require("the time")
        switch argument {
        case .string(let text): return try Words.time(text)
        case .int64(let frames): return try Words.checked(.frames(frames))
        default:
            guard let seconds = Self.number(argument) else { throw wrong(argument, "a time") }
            guard seconds.isFinite else { throw CommandError("\(seconds) is not a time") }
            return try Words.checked(.seconds(seconds))
        }
    }

    /// A time, or where the playhead, a marker or the end is.
    mutating func place() throws(CommandError) -> Place {
        if next < all.count, case .string(let text) = all[next] {
            next += 1
            return try Place(parsing: text)
        }
        return .time(try time())
    }

    mutating func flag() throws(CommandError) -> Bool {
        let argument = try require("on or off")
        if case .bool(let flag) = argument { return flag }
        guard let number = Self.number(argument), number == 0 || number == 1 else {
            throw wrong(argument, "0 or 1, or T or F,")
        }
        return number == 1
    }

    /// A strip by its name, or a track by its number.
    mutating func strip() throws(CommandError) -> StripReference {
        let argument = try require("the strip")
        switch argument {
        case .string(let text): return StripReference(text)
        case .int32(let number): return .track(.number(Int(number)))
        default: throw wrong(argument, "a strip's name or number")
        }
    }

    /// What stands last, if that is true or false: numbers there are strips.
    mutating func takeLastSwitch() -> Bool? {
        guard next < all.count, case .bool(let flag)? = all.last else { return nil }
        all.removeLast()
        return flag
    }

    /// All that are left.
    mutating func strips() throws(CommandError) -> [StripReference] {
        var strips: [StripReference] = []
        while !isEmpty { strips.append(try strip()) }
        return strips
    }

    /// A button of a tablet sends 1 when it is pressed and 0 when it is let go; nothing counts as pressed.
    mutating func isPressed() throws(CommandError) -> Bool { isEmpty ? true : try flag() }

    /// A time that is no number of seconds, where a number is a switch.
    mutating func writtenTime() throws(CommandError) -> TimeSpec? {
        guard next < all.count else { return nil }
        switch all[next] {
        case .string, .int64: return try time()
        default: return nil
        }
    }

    /// A channel of JackMiniMix.
    mutating func channel() throws(CommandError) -> Int {
        let number = try number("the channel")
        guard let channel = Int(exactly: number), (1...Session.maximumTracks).contains(channel) else {
            throw CommandError(
                "\(number) is not the number of a channel: they go from 1 to \(Session.maximumTracks)")
        }
        return channel
    }

    /// The curve if one is named here, else linear.
    mutating func curve() throws(CommandError) -> Curve {
        guard next < all.count, case .string(let text) = all[next] else { return .linear }
        next += 1
        return try Words.curve(text)
    }

    /// A closing T: make room for what is set.
    mutating func replace() throws(CommandError) -> Bool { isEmpty ? false : try flag() }

    /// A time, if there is one before the crossfade and the closing T.
    mutating func timeIfAny() throws(CommandError) -> TimeSpec? {
        if isEmpty || isCrossfade { return nil }
        if case .bool = all[next] { return nil }
        return try time()
    }

    /// A time, unless it is one of these words or nothing that comes.
    mutating func timeUnless(_ words: [String]) throws(CommandError) -> TimeSpec? {
        if isEmpty { return nil }
        if case .string(let text) = all[next], words.contains(text) { return nil }
        return try time()
    }

    /// Whether one of these words comes here.
    func isWord(_ words: [String]) -> Bool {
        guard next < all.count, case .string(let text) = all[next] else { return false }
        return words.contains(text)
    }

    /// What follows a word, if that is what comes here.
    mutating func word(behind word: String) throws(CommandError) -> String? {
        guard next < all.count, all[next] == .string(word) else { return nil }
        next += 1
        return try text("what follows \(word)")
    }

    /// A time behind a word, if that is what comes here.
    mutating func time(behind word: String) throws(CommandError) -> TimeSpec? {
        guard next < all.count, all[next] == .string(word) else { return nil }
        next += 1
        return try time()
    }

    private var isCrossfade: Bool { next < all.count && all[next] == .string("crossfade") }

    /// The word crossfade, how long, and its curve, if that is what comes here.
    mutating func crossfade() throws(CommandError) -> Crossfade? {
        guard isCrossfade else { return nil }
        next += 1
        return Crossfade(try time(), curve: try fadeCurve(unlessTold: .equalpower))
    }

    /// The curve of a clip's fade if one is named here.
    mutating func fadeCurve(unlessTold standard: Curve = .linear) throws(CommandError) -> Curve {
        guard next < all.count, case .string(let text) = all[next] else { return standard }
        next += 1
        return try Words.fadeCurve(text)
    }

    /// The files named here, one at least, up to a crossfade.
    mutating func files() throws(CommandError) -> [String] {
        var files = [try text("the file")]
        while !isEmpty, !isCrossfade { files.append(try text("the file")) }
        return files
    }

    /// The number of a clip or an event, from 1.
    mutating func index(_ what: String) throws(CommandError) -> Int {
        let number = try number(what)
        guard let index = Int(exactly: number), (1...Session.maximumEvents).contains(index) else {
            throw CommandError("\(number) is not \(what), which count from 1")
        }
        return index
    }

    func expectEnd() throws(CommandError) {
        if next < all.count {
            throw CommandError("\(all.count - next) arguments too many (from argument \(next + 1) on)")
        }
    }

    /// A float counts as the shortest decimal that names it: 0.8 is 0.8 and not 0.800000011920929.
    private static func number(_ argument: OSCArgument) -> Double? {
        switch argument {
        case .int32(let value): Double(value)
        case .int64(let value): Double(value)
        case .float(let value): value.isFinite ? Double("\(value)") : Double(value)
        case .double(let value): value
        default: nil
        }
    }
}
