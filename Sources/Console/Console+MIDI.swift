import Files
import JSON
import Realtime
import Remote
import Timeline

/// What MIDI moves: learned, kept with the session, and listed.
extension Console {
    func runMIDI(_ command: MIDICommand) throws(CommandError) -> [Answer] {
        switch command {
        case .list:
            return [.midi(MIDISummary(json: SessionFile.json(session.midi, of: session)) ?? MIDISummary())]
        case .map(let surface, let units):
            try edit(.document) { session in
                session.midi.surface = surface
                session.midi.units = surface == nil ? 1 : units
            }
        case .remove(let number):
            let count = session.midi.bindings.count
            guard number <= count else {
                throw CommandError(
                    "there is no binding \(number): there are \(count), and midi list shows them")
            }
            try edit(.document) { $0.midi.bindings.remove(at: number - 1) }
        case .stopLearning: endLearning("somebody has ended that")
        case .learn, .load, .store: throw CommandError("that takes its time: it has to be begun")
        }
        return []
    }

    // MARK: - Learning

    /// Waits for the next message; who waited before waits no more.
    func learn(
        _ target: MIDITarget, _ mode: MIDIBinding.Mode?, as command: Command, for client: ClientID?,
        then done: @escaping Done
    ) {
        let (action, takesButtons): (MIDIBinding.Action, Bool)
        do throws(CommandError) { (action, takesButtons) = try self.action(target) } catch {
            return done(.failure(error))
        }
        if session.midi.bindings.count >= MIDIMap.maximumBindings {
            let most = "at most \(MIDIMap.maximumBindings) messages are bound"
            return done(.failure(CommandError("\(most): midi remove N takes one away")))
        }
        endLearning("somebody else has begun to learn")
        learnCount += 1
        learning = MIDILearning(
            number: learnCount, action: action, mode: mode, takesButtons: takesButtons, command: command,
            client: client,
            endsAt: monotonicNanoseconds() + UInt64(MIDICommand.patience) * 1_000_000_000, done: done)
    }

    private func action(_ target: MIDITarget) throws(CommandError) -> (MIDIBinding.Action, Bool) {
        switch target {
        case .line(let line): return (.line(line), true)
        case .control(let strip, let control):
            let places = try named(control, of: try places(strip, having: control))
            guard places.count == 1, let (place, control) = places.first else {
                throw CommandError("\(strip.text) means \(places.count) strips: a message moves one control")
            }
            return (try move(of: control, place), control.entry.kind == .flag)
        }
    }

    private func move(of control: Control, _ place: StripPlace) throws(CommandError) -> MIDIBinding.Action {
        let strip = session[place]
        guard case .send(let bus, let part) = control else {
            return .control(strip: strip.id, bus: nil, word: control.path)
        }
        guard let send = send(bus, of: place) else {
            throw CommandError("\(strip.name) has no send to \(bus.text)")
        }
        return .control(strip: strip.id, bus: send.bus, word: part.rawValue)
    }

    /// A message has come in that somebody waits for.
    package func learned(_ source: MIDISource) {
        guard let learning else { return }
        self.learning = nil
        let standard: MIDIBinding.Mode = source.isButton && learning.takesButtons ? .toggle : .jump
        let binding = MIDIBinding(source, learning.action, mode: learning.mode ?? standard)
        let outcome = carryOut(learning.command, for: learning.client) { () throws(CommandError) in
            try edit(.document) { session throws(CommandError) in
                try Self.checkStrip(of: binding, in: session)
                try Self.checkMode(of: binding)
                // A message moves one thing.
                session.midi.bindings.removeAll { $0.source.overlaps(source) }
                session.midi.bindings.append(binding)
            }
            return [.learned(source)]
        }
        learning.done(outcome)
    }

    /// It may have gone while the message was waited for.
    private static func checkStrip(of binding: MIDIBinding, in session: Session) throws(CommandError) {
        guard case .control(let strip, let bus, _) = binding.action else { return }
        if session.place(of: strip) == nil || bus.map({ session.place(of: $0) == nil }) == true {
            throw CommandError("the strip that was to be bound is not there any more")
        }
    }

    private static func checkMode(of binding: MIDIBinding) throws(CommandError) {
        if case .controller = binding.source { return }
        if binding.mode == .relative {
            throw CommandError("\(binding.source.text) sends no steps: relative is for controllers of 7 bits")
        }
    }

    /// Tells who waits for a message that none came.
    package func endLearning(_ reason: String) {
        guard let learning else { return }
        self.learning = nil
        learning.done(.failure(CommandError("no MIDI message is bound: \(reason)")))
    }

    // MARK: - The user's own

    private static func path(_ name: String) throws(CommandError) -> String {
        guard isPlainName(name), name != "off", MIDIMap.Surface(rawValue: name) == nil,
            let folder = Path.configurationFolder
        else {
            throw CommandError(
                "\"\(name)\" cannot name what MIDI moves: a plain name does, but mackie and off"
            )
        }
        return Path.join(Path.join(folder, "midi"), name + ".json")
    }

    func storeMIDI(_ name: String, then done: @escaping Done) {
        let text = SessionFile.json(session.midi, of: session).prettyText() + "\n"
        let path: String
        do throws(CommandError) { path = try Self.path(name) } catch { return done(.failure(error)) }
        inspections.perform { () -> Result<[Answer], CommandError> in
            guard Path.makeFolder(Path.folder(of: path)) else {
                return .failure(CommandError("the folder of \(path) cannot be made"))
            }
            do throws(FileError) { try AtomicFile.write(text, to: path) } catch {
                return .failure(CommandError("\(error)"))
            }
            return .success([])
        } then: {
            done($0)
        }
    }

    func loadMIDI(
        _ name: String, for client: ClientID?, then done: @escaping Done
    ) {
        let path: String
        do throws(CommandError) { path = try Self.path(name) } catch { return done(.failure(error)) }
        inspections.perform { () -> Result<JSONValue, CommandError> in
            let text: String
            do throws(FileError) { text = try AtomicFile.read(path) } catch {
                return .failure(
                    CommandError("nothing is stored as \(name) (mackie, off or a name): \(error)"))
            }
            do throws(JSONSyntaxError) { return .success(try JSONValue(parsing: text)) } catch {
                return .failure(CommandError("\(path): \(error)"))
            }
        } then: { [self] outcome in
            done(outcome.flatMap { adopt($0, name, client) })
        }
    }

    /// What was stored takes the place of what is bound; strips that this session has not are named.
    private func adopt(
        _ json: JSONValue, _ name: String, _ client: ClientID?
    ) -> Result<[Answer], CommandError> {
        let (map, problems) = SessionFile.midi(json, for: session)
        return carryOut(.midi(.load(name)), for: client) { () throws(CommandError) in
            try edit(.document) { $0.midi = map }
            return problems.map { .note("\(name): \($0); that binding is left out") }
        }
    }
}
