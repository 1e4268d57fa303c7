import OSC
import Timeline

/// One OSC address: what may follow it, what it answers, and the command that it becomes. `Address.all` comes
/// from the table of commands (`CommandEntry.all`): the mixer reads messages by it, and `/help` and
/// docs/osc.md are made from it.
public struct Address: Sendable {
    /// With N in the place of a strip, BUS in that of a send's bus, and BAND in that of a band.
    public let path: String
    /// What setting takes.
    public let arguments: String
    /// The types of what asking answers; empty for what only acts.
    public let answer: String
    /// What it answers; nil for nothing, and where a control stands.
    let answerKind: (any AnyAnswerKind)?
    public let summary: String
    /// Does something even without arguments, so that a pattern over names must not reach it.
    let isAction: Bool
    let parse: @Sendable (Subject, inout Arguments) throws(CommandError) -> Command

    /// What an address names: a strip, and of a send the bus that it goes to.
    struct Subject {
        let strip: StripReference
        let bus: Selector
        /// Of an equaliser, from 1.
        let band: Int

        /// The same of another strip.
        func of(_ strip: StripReference) -> Self { Self(strip: strip, bus: bus, band: band) }
    }

    /// An address that holds a value, to set or to ask.
    static func value(
        _ path: String, _ arguments: String, answers: String, kind: (any AnyAnswerKind)? = nil,
        _ summary: String,
        parse: @escaping @Sendable (Subject, inout Arguments) throws(CommandError) -> Command
    ) -> Address {
        Address(
            path: path, arguments: arguments, answer: answers, answerKind: kind, summary: summary,
            isAction: false, parse: parse)
    }

    /// An address that does something.
    static func action(
        _ path: String, _ arguments: String, answers: String = "", kind: (any AnyAnswerKind)? = nil,
        _ summary: String,
        parse: @escaping @Sendable (Subject, inout Arguments) throws(CommandError) -> Command
    ) -> Address {
        Address(
            path: path, arguments: arguments, answer: answers, answerKind: kind, summary: summary,
            isAction: true, parse: parse)
    }

    /// Where a strip's number, name or pattern stands, and that of a bus.
    private static let places: Set<String> = ["N", "BUS", "BAND"]

    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

    /// Whether an incoming one begins with one strip of a kind.
    static func isOfOneStrip(_ address: String) -> Bool {
        let kind = address.dropFirst().prefix { $0 != "/" }
        return StripKind(rawValue: String(kind)) != nil && !OSCPattern.isPattern(address)
    }

    /// The addresses that an incoming one means, each with what it names: one, or for a pattern over names
    /// all that hold a value.
    static func meant(by address: String) throws(CommandError) -> [(address: Address, subject: Subject)] {
        var parts = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(
            String.init)
        if parts.first == StripReference.anyRoot, parts.count > 2 { return try meantOfAny(&parts) }
        // A strip is named by the second part, a send's bus by the fourth; patterns there are over strips,
        // and the command's own affair.
        if let exact = byPath["/" + canonical(parts).joined(separator: "/")] {
            return [(exact, exact.subject(parts))]
        }
        guard parts.contains(where: OSCPattern.isPattern) else { throw CommandError(unknown(parts)) }
        return try all(matching: parts)
    }

    private static func all(
        matching parts: [String]
    ) throws(CommandError) -> [(address: Address, subject: Subject)] {
        let found = try matches(parts).filter { !$0.isAction || $0.moves(parts) }
        let meant = found.flatMap { address in
            Self.bands(of: address, parts).map { (address, address.subject($0)) }
        }
        if meant.isEmpty {
            throw CommandError("the pattern matches no address that holds a value: /help lists them")
        }
        return meant
    }

    /// The same of an address that means strips of every kind: what a track has, or else a bus or a DCA.
    /// Where STRIP says its kind, as `bus:1`, that kind alone is meant.
    private static func meantOfAny(
        _ parts: inout [String]
    ) throws(CommandError) -> [(address: Address, subject: Subject)] {
        let strip = StripReference(parts[1]).ofEveryKind
        if strip == .master { return try meant(by: "/" + parts.dropFirst().joined(separator: "/")) }
        for kind in strip.kinds {
            parts[0] = kind.rawValue
            guard let exact = byPath["/" + canonical(parts).joined(separator: "/")] else { continue }
            return [(exact, exact.subject(parts).of(strip))]
        }
        if let meant = try ofAnyKind(strip, matching: parts) { return meant }
        parts[0] = StripReference.anyRoot
        throw CommandError(unknown(parts))
    }

    /// What a pattern means of the first kind of strip that has something of it.
    private static func ofAnyKind(
        _ strip: StripReference, matching words: [String]
    ) throws(CommandError) -> [(address: Address, subject: Subject)]? {
        var parts = words
        for kind in strip.kinds where parts.dropFirst(2).contains(where: OSCPattern.isPattern) {
            parts[0] = kind.rawValue
            let found = try matches(parts).filter { !$0.isAction || $0.moves(parts) }
            if found.isEmpty { continue }
            return found.flatMap { address in
                bands(of: address, parts).map { (address, address.subject($0).of(strip)) }
            }
        }
        return nil
    }

    /// What to say of an address that is none, but may be one of other strips.
    private static func unknown(_ parts: [String]) -> String {
        let canonical = canonical(parts)
        if let kind = canonical.first.flatMap(StripKind.init), canonical.count > 1 {
            let who = kind == .master ? "the master" : kind == .dca ? "a DCA" : "a \(kind.rawValue)"
            let path = canonical.dropFirst(kind == .master ? 1 : 2), rest = path.joined(separator: "/")
            if path.first == "send", [.master, .dca].contains(kind) { return "\(who) has no sends" }
            if StripKind.allCases.contains(where: {
                byPath["/\($0.rawValue)\($0 == .master ? "" : "/N")/\(rest)"] != nil
            }) {
                return "\(who) has no \(rest)"
            }
        }
        return "there is no such address: /help lists them"
    }

    /// The address with N and BUS in the places of names.
    private static func canonical(_ parts: [String]) -> [String] {
        guard parts.count > 2, let kind = StripKind(rawValue: parts[0]) else { return parts }
        var parts = parts
        // No path of the table has an empty part: what is no band, as "BAND" itself, is none there.
        if let place = placeOfBand(parts) { parts[place] = band(parts[place]) == nil ? "" : "BAND" }
        if kind == .master { return parts }
        parts[1] = "N"
        if parts.count > 3, parts[2] == "send" { parts[3] = "BUS" }
        return parts
    }

    /// Where the number of an equaliser's band stands.
    private static func placeOfBand(_ parts: [String]) -> Int? {
        let place = parts.first == StripKind.master.rawValue ? 2 : 3
        return parts.count > place + 1 && parts[place - 1] == "eq" && !ofNoBand.contains(parts[place])
            ? place : nil
    }

    /// What stands in the place of a band: switches and passes have names.
    private static let ofNoBand = Set(EqualiserControl.ofNoBand.map(\.path))

    private static func band(_ text: String) -> Int? {
        Int(text).flatMap { (1...Equaliser.bandCount).contains($0) ? $0 : nil }
    }

    private func subject(_ parts: [String]) -> Subject {
        let own = path.split(separator: "/")
        let kind = own.count > 2 || own.first == "master" ? StripKind(rawValue: String(own[0])) : nil
        return Subject(
            strip: StripReference(kind ?? .track, Selector(parts.count > 2 ? parts[1] : "")),
            bus: Selector(parts.count > 3 ? parts[3] : ""),
            band: Self.placeOfBand(parts).flatMap { Self.band(parts[$0]) } ?? 0)
    }

    /// Whether its second part says which strip is meant.
    fileprivate var namesStrip: Bool { path.split(separator: "/").dropFirst().first == "N" }

    /// Whether it moves a control, and is asked for by its last word: `/*/*/volume/by`.
    private func moves(_ parts: [String]) -> Bool {
        guard let last = parts.last, last == "by" || last == "fade" else { return false }
        return path.hasSuffix("/\(last)")
    }

    /// An address with each band that a pattern in its place matches.
    private static func bands(of address: Address, _ parts: [String]) -> [[String]] {
        guard let place = address.path.split(separator: "/").firstIndex(of: "BAND"),
            let pattern = OSCPattern(parts[place])
        else { return [parts] }
        return (1...Equaliser.bandCount).filter { pattern.matches(Substring("\($0)")) }.map { band in
            var parts = parts
            parts[place] = "\(band)"
            return parts
        }
    }

    /// All addresses that a pattern matches, part by part.
    private static func matches(_ parts: [String]) throws(CommandError) -> [Address] {
        var patterns: [OSCPattern] = []
        for part in parts {
            guard let pattern = OSCPattern(part) else {
                throw CommandError("\"\(part)\" is a pattern whose bracket or brace does not close")
            }
            patterns.append(pattern)
        }
        return all.filter { address in
            let own = address.path.split(separator: "/")
            return own.count == patterns.count
                && zip(patterns, own).allSatisfy { pattern, part in
                    places.contains(String(part)) || pattern.matches(part)
                }
        }
    }

    /// The addresses that `text` names: one of the table's paths, an address as it is sent, or a pattern; all
    /// without one.
    public static func described(by text: String?) -> [Address] {
        guard let text else { return all }
        if let exact = byPath[text] { return [exact] }
        let parts = text.split(separator: "/").map(String.init)
        return (try? matches(parts)) ?? []
    }
}

extension Command {
    private static let maximumLength = 4096

    /// Reads the commands of an OSC message: without arguments an address asks, with arguments it sets. More
    /// than one only for a pattern.
    /// - Throws: `CommandError`: no such address, arguments missing, too many, of the wrong type or out of
    ///   range.
    public static func commands(of message: OSCMessage) throws(CommandError) -> [Command] {
        try meant(by: message).map(\.command)
    }

    /// The same, each with the strips that its address names. What a pattern over kinds of strips does not
    /// find among one of them it may find among another.
    public static func meant(
        by message: OSCMessage
    ) throws(CommandError) -> [(command: Command, strips: StripReference?)] {
        // Nothing that can be named is longer than a path.
        guard message.address.utf8.count <= maximumLength else {
            throw CommandError("an address has at most \(maximumLength) bytes")
        }
        for case .string(let text) in message.arguments where text.utf8.count > maximumLength {
            throw CommandError("a text has at most \(maximumLength) bytes, not \(text.utf8.count)")
        }
        let meant = try Address.meant(by: message.address)
        var commands: [(command: Command, strips: StripReference?)] = []
        for (address, subject) in meant {
            var arguments = Arguments(message.arguments)
            let command = try address.parse(subject, &arguments)
            try arguments.expectEnd()
            commands.append((command, address.namesStrip ? subject.strip : nil))
        }
        return commands
    }
}
