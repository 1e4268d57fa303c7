import OSC
import Timeline

extension CommandEntry {
    /// The table, in the order in which help and docs/osc.md list it.
    static let all: [CommandEntry] =
        controls + meters + sound + desk + monitoring + ducks + recording + clips + transport + ports + midi
        + session + talk + miniMix
}

extension Address {
    public static let all: [Address] = CommandEntry.all.flatMap(\.addresses)
}

extension Command {
    /// The messages that ask this of a mixer; none for what the shell does by itself.
    public var messages: [OSCMessage] { asked?.messages ?? [] }

    /// It changes nothing for anybody else: a guest may say it.
    public var onlyAsks: Bool {
        guard let (entry, messages) = asked else { return self == .nothing }
        return entry.isQuestion || entry.holdsValue && messages.allSatisfy(\.arguments.isEmpty)
    }

    /// What its step in the history is called, as "ramp on music 2s-4s".
    public func title(_ names: some StepNames) -> String {
        CommandEntry.all.lazy.compactMap { $0.title(self, names) }.first ?? "change"
    }

    private var asked: (entry: CommandEntry, messages: [OSCMessage])? {
        CommandEntry.all.lazy.compactMap { entry in
            entry.messages(self).map { (entry, $0) }
        }.first
    }
}
