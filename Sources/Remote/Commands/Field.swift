import OSC
import Timeline

/// What stands at one place of a command: how OSC and the shell write it, and how it is read and sent.
/// Several, one behind the other, are a field whose value is a tuple.
struct Field<Value>: Sendable {
    /// As docs/osc.md writes it.
    let osc: String
    let read: @Sendable (inout Arguments) throws(CommandError) -> Value
    let write: @Sendable (Value) -> [OSCArgument]
    /// Nil for what only verbs of their own say.
    let shell: ShellForm<Value>?
    /// At an address that holds a value: whether this asks for it.
    private(set) var asks: @Sendable (Value) -> Bool = { _ in false }
    /// The same with other names for the files that it names.
    private(set) var renaming: @Sendable (Value, (String) -> String) -> Value = { value, _ in value }

    /// - Parameter words: as help writes it; nil: as OSC.
    init(
        _ osc: String, _ words: String? = nil, options: WordOptions = WordOptions(),
        read: @escaping @Sendable (inout Arguments) throws(CommandError) -> Value,
        parse: @escaping @Sendable (inout Words) throws(CommandError) -> Value,
        write: @escaping @Sendable (Value) -> [OSCArgument]
    ) {
        self.init(
            osc, shell: ShellForm(usage: words ?? osc, options: options, parse: parse),
            read: read,
            write: write)
    }

    init(
        _ osc: String, shell: ShellForm<Value>? = nil,
        read: @escaping @Sendable (inout Arguments) throws(CommandError) -> Value,
        write: @escaping @Sendable (Value) -> [OSCArgument]
    ) {
        (self.osc, self.read, self.write, self.shell) = (osc, read, write, shell)
    }

    /// The same, called something else.
    func named(_ osc: String, _ words: String? = nil) -> Field {
        let shell = shell.map { $0.named(words ?? osc) }
        return Field(osc, shell: shell, read: read, write: write).asking(asks).ofFiles(renaming)
    }

    /// The same, which names files.
    func ofFiles(_ renaming: @escaping @Sendable (Value, (String) -> String) -> Value) -> Field {
        var field = self
        field.renaming = renaming
        return field
    }

    /// The same, which at an address that holds a value asks for it where that says so.
    func asking(_ asks: @escaping @Sendable (Value) -> Bool) -> Field {
        var field = self
        field.asks = asks
        return field
    }

    /// The same on the wire and in the shell, as another value.
    func map<Other>(
        _ there: @escaping @Sendable (Value) -> Other, back: @escaping @Sendable (Other) -> Value
    ) -> Field<Other> {
        let shell = shell.map { shell in
            shell.map(shell.usage) { (words: inout Words) throws(CommandError) in
                there(try shell.parse(&words))
            }
        }
        return Field<Other>(osc, shell: shell) { (arguments: inout Arguments) throws(CommandError) in
            there(try read(&arguments))
        } write: {
            write(back($0))
        }
        .ofFiles { there(renaming(back($0), $1)) }
    }
}

/// It may be left out where nothing stands behind it.
func optional<Value>(_ field: Field<Value>) -> Field<Value?> {
    let shell = field.shell.map { shell in
        shell.map("[\(shell.usage)]") { (words: inout Words) throws(CommandError) in
            words.isEmpty ? nil : try shell.parse(&words)
        }
    }
    return Field<Value?>("[\(field.osc)]", shell: shell) {
        (arguments: inout Arguments) throws(CommandError) in
        arguments.isEmpty ? nil : try field.read(&arguments)
    } write: {
        $0.map(field.write) ?? []
    }
    .ofFiles { value, name in value.map { field.renaming($0, name) } }
}

/// The same of an address that holds a value, which is asked for where nothing follows.
func asked<Value>(_ field: Field<Value>) -> Field<Value?> {
    let whole = optional(field)
    let shell = whole.shell.map { $0.named("[\(field.shell?.usage ?? "")]") }
    return Field(field.osc, shell: shell, read: whole.read, write: whole.write).asking(isNothing)
        .ofFiles(whole.renaming)
}

/// Where nothing follows, a value is asked for.
@Sendable func isNothing<Value>(_ value: Value?) -> Bool { if case nil = value { true } else { false } }

/// Both, one behind the other.
func fields<A, B>(_ a: Field<A>, _ b: Field<B>) -> Field<(A, B)> {
    Field<(A, B)>(joined(a.osc, b.osc), shell: both(a.shell, b.shell)) {
        (arguments: inout Arguments) throws(CommandError) in
        (try a.read(&arguments), try b.read(&arguments))
    } write: {
        a.write($0.0) + b.write($0.1)
    }
    .ofFiles { (a.renaming($0.0, $1), b.renaming($0.1, $1)) }
}

private func both<A, B>(_ a: ShellForm<A>?, _ b: ShellForm<B>?) -> ShellForm<(A, B)>? {
    guard let a, let b else { return nil }
    return ShellForm(usage: joined(a.usage, b.usage), options: a.options + b.options) {
        words throws(CommandError) in
        (try a.parse(&words), try b.parse(&words))
    }
}

/// What is not empty of them, in a line.
func joined(_ texts: String...) -> String { texts.filter { !$0.isEmpty }.joined(separator: " ") }

func fields<A, B, C>(_ a: Field<A>, _ b: Field<B>, _ c: Field<C>) -> Field<(A, B, C)> {
    fields(fields(a, b), c).map {
        ($0.0.0, $0.0.1, $0.1)
    } back: {
        (($0.0, $0.1), $0.2)
    }
}

func fields<A, B, C, D>(
    _ a: Field<A>, _ b: Field<B>, _ c: Field<C>, _ d: Field<D>
) -> Field<(A, B, C, D)> {
    fields(fields(a, b, c), d).map {
        ($0.0.0, $0.0.1, $0.0.2, $0.1)
    } back: {
        (($0.0, $0.1, $0.2), $0.3)
    }
}

func fields<A, B, C, D, E>(
    _ a: Field<A>, _ b: Field<B>, _ c: Field<C>, _ d: Field<D>, _ e: Field<E>
) -> Field<(A, B, C, D, E)> {
    fields(fields(a, b, c, d), e).map {
        ($0.0.0, $0.0.1, $0.0.2, $0.0.3, $0.1)
    } back: {
        (($0.0, $0.1, $0.2, $0.3), $0.4)
    }
}
