import Files
import OSC
import Timeline

extension CommandEntry {
    /// The table, in the order in which help and docs/osc.md list it.
    static let all: [CommandEntry] =
        controls + meters + sound + desk + monitoring + ducks + recording + clips + transport + ports + midi
        + session + talk + miniMix
}

extension Address {
    public static let all: [Address] = CommandEntry.all.flatMap { $0.addresses() }
}

extension Command {
    /// The messages that ask this of a mixer; none for what the shell does by itself.
    public var messages: [OSCMessage] {
        for entry in CommandEntry.all { if let messages = entry.messages(self) { return messages } }
        switch self {
        case .nothing, .wait: return []
        case .several(let commands): return commands.flatMap(\.messages)
        default: preconditionFailure("no entry of the table says \(self)")
        }
    }

    /// The same of what asks, so that each strip answers at an address that has its number, whatever it was
    /// called by.
    public var questions: [OSCMessage] {
        messages.map { OSCMessage(StripReference.ofEveryKind($0.address), $0.arguments) }
    }

    /// It changes nothing for anybody else: a guest may say it.
    public var onlyAsks: Bool { self == .nothing || CommandEntry.all.contains { $0.asks(self) } }

    /// The strips that it asks something of; nil: it changes something, or asks nothing of strips.
    public var askedStrips: StripReference? {
        guard onlyAsks, let question = messages.first else { return nil }
        return (try? Command.meant(by: question))?.first?.strips
    }

    /// It is about what is heard, or about time that goes by.
    public var needsMixer: Bool {
        if case .wait = self { return true }
        if case .several(let commands) = self { return commands.contains(where: \.needsMixer) }
        return CommandEntry.all.contains { $0.isLive(self) }
    }

    /// It may be carried out before what its sender has asked earlier.
    public var overtakes: Bool { CommandEntry.all.contains { $0.overtakes(self) } }

    /// The strips that it takes something away from.
    public var stripsThatLose: StripReference? {
        for entry in CommandEntry.all { if let strips = entry.losers(self) { return strips } }
        return nil
    }

    /// The same with other names for the files on a disk that it names.
    public func renamingFiles(_ name: (String) -> String) -> Command {
        for entry in CommandEntry.all { if let renamed = entry.renaming(self, name) { return renamed } }
        return self
    }

    /// The files on a disk that it names.
    public var files: [FilePath] {
        var files: [FilePath] = []
        _ = renamingFiles {
            files.append(FilePath($0))
            return $0
        }
        return files
    }

    /// What its step in the history is called, as "ramp on music 2s-4s".
    public func title(_ names: some StepNames) -> String {
        if case .several(let commands) = self, let first = commands.first { return first.title(names) }
        for entry in CommandEntry.all { if let title = entry.title(self, names) { return title } }
        return "change"
    }
}
