import OSC
import Timeline

/// One OSC address: what may follow it, what it answers, and the command that it becomes. The table (`Address.all`) is the only list of
/// them: the mixer reads messages by it, and `/help` and docs/osc.md are made from it.
public struct Address: Sendable {
    /// With N in the place of a track.
    public let path: String
    /// What setting takes.
    public let arguments: String
    /// The types of what asking answers; empty for what only acts.
    public let answer: String
    public let summary: String
    /// Does something even without arguments, so that a pattern over names must not reach it.
    let isAction: Bool
    let parse: @Sendable (TrackReference, inout Arguments) throws(CommandError) -> Command

    /// An address that holds a value, to set or to ask.
    static func value(
        _ path: String, _ arguments: String, answers: String, _ summary: String,
        parse: @escaping @Sendable (TrackReference, inout Arguments) throws(CommandError) -> Command
    ) -> Address {
        Address(path: path, arguments: arguments, answer: answers, summary: summary, isAction: false, parse: parse)
    }

    /// An address that does something.
    static func action(
        _ path: String, _ arguments: String, answers: String = "", _ summary: String,
        parse: @escaping @Sendable (TrackReference, inout Arguments) throws(CommandError) -> Command
    ) -> Address {
        Address(path: path, arguments: arguments, answer: answers, summary: summary, isAction: true, parse: parse)
    }

    /// Where a track's number, name or pattern stands.
    static let trackPart = "N"

    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

    /// The addresses that an incoming one means, each with the track it names: one, or for a pattern over names all that hold a value.
    static func meant(by address: String) throws(CommandError) -> [(address: Address, track: TrackReference)] {
        var parts = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        // The track is named by the second part; a pattern there is over tracks, and the command's own affair.
        let track = TrackReference(parts.count > 2 ? parts[1] : "")
        if let exact = byPath[address], parts.first != "track" || parts.count == 2 { return [(exact, track)] }
        if parts.count > 2, parts[0] == "track" {
            parts[1] = trackPart
            if let exact = byPath["/" + parts.joined(separator: "/")] { return [(exact, track)] }
        }
        guard parts.contains(where: OSCPattern.isPattern) else { throw CommandError("there is no such address: /help lists them") }
        let found = try matches(parts).filter { !$0.isAction }
        if found.isEmpty { throw CommandError("the pattern matches no address that holds a value: /help lists them") }
        return found.map { ($0, track) }
    }

    /// All addresses that a pattern matches, part by part.
    private static func matches(_ parts: [String]) throws(CommandError) -> [Address] {
        var patterns: [OSCPattern] = []
        for part in parts {
            guard let pattern = OSCPattern(part) else { throw CommandError("\"\(part)\" is a pattern whose bracket or brace does not close") }
            patterns.append(pattern)
        }
        return all.filter { address in
            let own = address.path.split(separator: "/")
            return own.count == patterns.count && zip(patterns, own).allSatisfy { pattern, part in part == trackPart || pattern.matches(part) }
        }
    }

    /// The addresses that `text` names: one of the table's paths, an address as it is sent, or a pattern; all without one.
    public static func described(by text: String?) -> [Address] {
        guard let text else { return all }
        if let exact = byPath[text] { return [exact] }
        let parts = text.split(separator: "/").map(String.init)
        return (try? matches(parts)) ?? []
    }
}

extension Command {
    private static let maximumLength = 4096

    /// Reads the commands of an OSC message: without arguments an address asks, with arguments it sets. More than one only for a pattern.
    /// - Throws: `CommandError`: no such address, arguments missing, too many, of the wrong type or out of range.
    public static func commands(of message: OSCMessage) throws(CommandError) -> [Command] {
        // Nothing that can be named is longer than a path.
        guard message.address.utf8.count <= maximumLength else { throw CommandError("an address has at most \(maximumLength) bytes") }
        for case .string(let text) in message.arguments where text.utf8.count > maximumLength {
            throw CommandError("a text has at most \(maximumLength) bytes, not \(text.utf8.count)")
        }
        let meant = try Address.meant(by: message.address)
        var commands: [Command] = []
        for (address, track) in meant {
            var arguments = Arguments(message.arguments)
            let command = try address.parse(track, &arguments)
            try arguments.end()
            commands.append(command)
        }
        return commands
    }
}
