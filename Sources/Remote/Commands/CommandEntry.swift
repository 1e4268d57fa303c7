import OSC
import Timeline

/// A command in all of its forms: its address and what may follow it, the messages that ask for it, the verb
/// of the shell, and what its step in the history is called. OSC, the shell, help, the manual page and
/// docs/osc.md are made from the table (`CommandEntry.all`). What a command does is in `Console.answers`.
///
/// Most entries say one command. Those of controls say several, each of all controls; an entry `of(verb:)`
/// has a verb alone, which says commands of other entries.
struct CommandEntry: Sendable {
    /// Made when they are asked for: a line of the shell that only sets something asks for none.
    let addresses: @Sendable () -> [Address]
    private(set) var verb: Verb?
    /// The messages that ask for it; nil: it is another command.
    private(set) var messages: @Sendable (Command) -> [OSCMessage]?
    /// What its step is called; nil: it is another command, or makes no step.
    let title: @Sendable (Command, any StepNames) -> String?
    /// It changes nothing for anybody else.
    private(set) var asks: @Sendable (Command) -> Bool
    /// It is about what is heard, or about time that goes by.
    private(set) var isLive: @Sendable (Command) -> Bool = { _ in false }
    /// It may be carried out before what its sender has asked earlier.
    private(set) var overtakes: @Sendable (Command) -> Bool = { _ in false }
    /// The strips that it takes something away from; nil: none, or it is another command.
    private(set) var losers: @Sendable (Command) -> StripReference? = { _ in nil }
    /// The same with other names for the files on a disk that it names; nil: it is another command.
    let renaming: @Sendable (Command, (String) -> String) -> Command?
    /// What the shell writes behind a verb, unless that is written otherwise.
    private let shell: ShellForm<Command>?

    init(
        addresses: @escaping @Sendable @autoclosure () -> [Address], shell: ShellForm<Command>? = nil,
        asks: @escaping @Sendable (Command) -> Bool = { _ in false },
        messages: @escaping @Sendable (Command) -> [OSCMessage]?,
        title: @escaping @Sendable (Command, any StepNames) -> String? = { _, _ in nil },
        renaming: @escaping @Sendable (Command, (String) -> String) -> Command? = { _, _ in nil }
    ) {
        (self.addresses, self.shell, self.asks) = (addresses, shell, asks)
        (self.messages, self.title, self.renaming) = (messages, title, renaming)
    }

    /// What a command of a strip says: whose it is, and what follows.
    typealias OfStrip<Value> = (strip: StripReference, value: Value)

    /// A command about a strip.
    /// - Parameters:
    ///   - title: of its step in the history.
    ///   - take: what it says, if it is this command.
    static func of<Value>(
        _ entry: AddressEntry<StripKind>, _ field: Field<Value>,
        title: (@Sendable (any StepNames, OfStrip<Value>) -> String)? = nil,
        make: @escaping @Sendable (StripReference, Value) -> Command,
        take: @escaping @Sendable (Command) -> OfStrip<Value>?
    ) -> CommandEntry {
        let whose = entry.owners == [.track] ? "TRACK" : "STRIP"
        let isQuestion = entry.nature.questions(of: field)
        let shell = field.shell.map { shell in
            shell.map(shell.usage.isEmpty ? whose : "\(whose) \(shell.usage)") {
                (words: inout Words) throws(CommandError) in
                make(try words.strip(), try shell.parse(&words))
            }
        }
        return CommandEntry(
            addresses: entry.addresses(field.osc) { subject, arguments throws(CommandError) in
                make(subject.strip, try field.read(&arguments))
            }, shell: shell,
            asks: { command in take(command).map { isQuestion($0.value) } ?? false }
        ) {
            take($0).map { [$0.strip.message(entry.path, field.write($0.value))] }
        } title: { command, names in
            guard let title, let said = take(command), !isQuestion(said.value) else { return nil }
            return title(names, said)
        } renaming: { command, name in
            take(command).map { make($0.strip, field.renaming($0.value, name)) }
        }
    }

    /// A command about no strip.
    static func of<Value>(
        _ entry: AddressEntry<Never>, _ field: Field<Value>,
        title: (@Sendable (any StepNames, Value) -> String)? = nil,
        make: @escaping @Sendable (Value) -> Command,
        take: @escaping @Sendable (Command) -> Value?
    ) -> CommandEntry {
        let isQuestion = entry.nature.questions(of: field)
        let shell = field.shell.map { shell in
            shell.map(shell.usage) { (words: inout Words) throws(CommandError) in
                make(try shell.parse(&words))
            }
        }
        return CommandEntry(
            addresses: [
                entry.address(field.osc) { _, arguments throws(CommandError) in
                    make(try field.read(&arguments))
                }
            ], shell: shell,
            asks: { command in take(command).map(isQuestion) ?? false }
        ) {
            take($0).map { [OSCMessage(entry.path, field.write($0))] }
        } title: { command, names in
            guard let title, let said = take(command), !isQuestion(said) else { return nil }
            return title(names, said)
        } renaming: { command, name in
            take(command).map { make(field.renaming($0, name)) }
        }
    }

    /// A command that nothing follows.
    static func of(_ entry: AddressEntry<Never>, title: String? = nil, _ command: Command) -> CommandEntry {
        of(entry, .nothing, title: title.map { title in { _, _ in title } }) {
            _ in
            command
        } take: {
            $0 == command ? () : nil
        }
    }

    /// What a button does when it is pressed.
    static func button(
        _ entry: AddressEntry<Never>, title: String? = nil, _ command: Command
    ) -> CommandEntry {
        of(entry, .pressed, title: title.map { title in { _, _ in title } }) {
            $0 ? command : .nothing
        } take: {
            $0 == command ? true : nil
        }
    }

    /// The same, said by a verb; what follows that is as in the fields.
    func verb(_ group: VerbGroup, _ name: String, _ summary: String, example: String) -> CommandEntry {
        guard let shell else { preconditionFailure("\(name) has fields that the shell does not write") }
        return verb(
            Verb(
                group, joined(name, shell.usage), summary, example: example, options: shell.options,
                parse: shell.parse))
    }

    /// The same, said by a verb that is written otherwise, or says other commands too.
    func verb(_ verb: Verb) -> CommandEntry {
        var entry = self
        let addresses = addresses
        entry.verb = verb.answering(addresses().compactMap(\.answerKind).map { .kind($0) })
        return entry
    }

    /// The same, which only a mixer that plays carries out.
    /// - Parameter when: of its commands these; all unless told.
    func live(_ when: @escaping @Sendable (Command) -> Bool = { _ in true }) -> CommandEntry {
        var entry = self
        let messages = messages
        entry.isLive = { when($0) && messages($0) != nil }
        return entry
    }

    /// The same, which need not wait for what its sender has asked earlier: a stop, a finger, and what is
    /// between a controller and its edge alone.
    /// - Parameter when: of its commands these; all unless told.
    func overtaking(_ when: @escaping @Sendable (Command) -> Bool = { _ in true }) -> CommandEntry {
        var entry = self
        let messages = messages
        entry.overtakes = { when($0) && messages($0) != nil }
        return entry
    }

    /// The same, which takes something away from strips: whoever means several of them is asked first.
    func losing(_ losers: @escaping @Sendable (Command) -> StripReference?) -> CommandEntry {
        var entry = self
        entry.losers = losers
        return entry
    }

    /// The same, which a guest may say whatever follows it.
    var question: CommandEntry {
        var entry = self
        let messages = messages
        entry.asks = { messages($0) != nil }
        return entry
    }
}

/// Who knows how strips, times and places are called: it gives steps of the history their titles.
public protocol StepNames {
    func name(_ strip: StripReference) -> String
    func text(_ time: TimeSpec) -> String
    func text(_ place: Place) -> String
    /// A control by the name of its bus, where it is of a send.
    func named(_ control: Control) -> Control
    /// What a control of the control room is set to.
    func value(of control: MonitorControl) -> ControlValue
}

extension CommandEntry {
    /// The same; where all tracks are meant, buses and the master are too.
    var ofEveryStrip: CommandEntry {
        let own = messages
        var entry = self
        entry.messages = { own($0)?.flatMap(Self.ofEveryStrip) }
        return entry
    }

    static func ofEveryStrip(_ message: OSCMessage) -> [OSCMessage] {
        let tracks = "/track/*/"
        guard message.address.hasPrefix(tracks) else { return [message] }
        let name = message.address.dropFirst(tracks.count)
        return ["/track/*", "/bus/*", "/master"].map { OSCMessage("\($0)/\(name)", message.arguments) }
    }
}
