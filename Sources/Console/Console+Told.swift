import Engine
import Remote
import Timeline

/// What subscribers and those who have set something are told: where controls stand.
extension Console {
    /// Everything that subscribers are told of, as it stands: settings first, then what moves by itself.
    /// - Parameters:
    ///   - strips: of so many tracks and buses at the most.
    ///   - isWanted: of which strips.
    package func told(
        for reader: MeterBook.Reader = .subscribers, strips: Int = .max,
        where isWanted: (StripPlace) -> Bool = { _ in true }
    ) -> [Answer] {
        let places = session.places
        let shown = shown(places, strips: strips)
        let names = ToldNames(session)
        var told: [Answer] = []
        for place in shown where isWanted(place) {
            told += toldOfStrip(place, names, for: reader)
            told += toldOfProcessors(place, names, for: reader)
            told += toldOfSends(place, names)
            told += toldOfWriting(place, names)
        }
        return told + [.muteGroups(muteGroups)]
            + MonitorControl.allCases.map { Answer.monitoring($0)(value(of: $0)) }
            + toldOfTheWhole
    }

    /// So many tracks and buses, and all else.
    private func shown(_ places: [StripPlace], strips: Int) -> ArraySlice<StripPlace> {
        return places.filter { $0.kind == .track }.prefix(strips)
            + places.filter { $0.kind == .bus }.prefix(strips)
            + places.filter { $0.kind == .dca || $0.kind == .master }
    }

    private var toldOfTheWhole: [Answer] {
        [
            .silenced(engine.isFallingSilent), .soundcheck(engine.hands.isSoundcheck),
            .soloMode(heard.soloMode), .directOuts(directOuts),
            .record(recordState), .recording(isRecording),
            .state(TransportWord(isRolling: transport.isRolling)), .loop(loopSeconds),
            .stopsAtEnd(stopsAtEnd),
            presentEdition, position,
        ]
    }

    /// What of a strip is told besides what every strip has and its sends, by the first words of addresses.
    package var toldParts: [StripPlace: [String]] {
        let names = ToldNames(session)
        return Dictionary(
            uniqueKeysWithValues: session.places.map { place in
                let strip = session[place]
                let kinds = DynamicsKind.allCases.filter { toldSoFar.includes($0, of: strip) }.map(\.rawValue)
                let parts =
                    (toldSoFar.includesEqualiser(of: strip) ? ["eq"] : []) + kinds
                    + (automixControls(place, names.mixes).isEmpty ? [] : ["automix"])
                    + (names.handDucks.contains(strip.id) ? ["duck"] : [])
                    + (toldSoFar.includesTalkback(of: strip) ? ["talkback"] : [])
                return (place, parts)
            })
    }

    /// What is looked up once for all strips.
    private struct ToldNames {
        let controls = Dictionary(uniqueKeysWithValues: StripKind.allCases.map { ($0, Control.of($0)) })
        let buses: [StripID: String]
        let handDucks: Set<StripID>
        let mixes: Set<StripID>

        init(_ session: Session) {
            buses = Dictionary(uniqueKeysWithValues: session.buses.map { ($0.id, $0.name) })
            handDucks = Set(session.handDucks.keys)
            mixes = Set(session.buses.filter { $0.automix != nil }.map(\.id))
        }
    }

    private func toldOfStrip(
        _ place: StripPlace, _ names: ToldNames, for reader: MeterBook.Reader
    ) -> [Answer] {
        var controls = names.controls[place.kind]!
        if names.handDucks.contains(session[place].id) { controls.append(.duck) }
        if toldSoFar.includesTalkback(of: session[place]) { controls += [.talkback, .talkbackTo] }
        let told: [Answer] = controls.map { .control(place, $0, value(of: $0, place, for: reader)) }
        // Its meter has just been read.
        return place.kind == .dca ? told : told + [heldPeak(place)]
    }

    private func toldOfProcessors(
        _ place: StripPlace, _ names: ToldNames, for reader: MeterBook.Reader
    ) -> [Answer] {
        let strip = heard[place]
        var told: [Answer] = []
        if toldSoFar.includesEqualiser(of: session[place]) {
            let equaliser = strip.equaliser ?? Equaliser()
            told += EqualiserControl.all.map { .control(place, .eq($0), equaliser.value(of: $0)) }
        }
        told += automixControls(place, names.mixes).map {
            .control(place, .automix($0), value(of: .automix($0), place, for: reader))
        }
        if engine.measuresLoudness(strip.id) { told += allLoudness(place) }
        for kind in DynamicsKind.allCases where toldSoFar.includes(kind, of: session[place]) {
            told += DynamicsControl.all(kind).map { .control(place, .dynamics($0), value(of: $0, strip)) }
        }
        return told
    }

    private func toldOfSends(_ place: StripPlace, _ names: ToldNames) -> [Answer] {
        heard[place].sends.flatMap { send in
            let bus = Selector.name(names.buses[send.bus] ?? "")
            return SendControl.allCases.map { control in
                Answer.control(place, .send(bus, control), value(of: control, send))
            }
        }
    }

    /// What hands do to automation, where that is another than `read`, or was one when that was told.
    private func toldOfWriting(_ place: StripPlace, _ names: ToldNames) -> [Answer] {
        let strip = session[place]
        let own: [Answer] = modes(strip.id, strip.writing).compactMap { kind, mode in
            Control(kind).map { .control(place, .writeMode($0), mode) }
        }
        return own
            + strip.sends.flatMap { send in
                modes(send.id, send.writing).compactMap { kind, mode in
                    guard let bus = names.buses[send.bus], let part = SendControl(rawValue: kind.rawValue)
                    else {
                        return nil
                    }
                    return .control(place, .writeMode(.send(.name(bus), part)), mode)
                }
            }
    }

    private func modes(
        _ id: StripID, _ writing: WriteModes
    ) -> [(kind: Automation.Control, mode: ControlValue)] {
        guard let kinds = toldSoFar.writtenControls(of: id, writing) else { return [] }
        return Automation.Control.allCases.filter(kinds.contains).map { ($0, .text(writing[$0].rawValue)) }
    }

    /// What `command` has set, as it is told now.
    package func settings(of command: Command) -> [Answer] {
        switch command {
        // A strip that was renamed answers to its new name.
        case .set(_, .name, .text(let name)): told(.track(.name(name)), [.name])
        case .set(let strip, let control, _), .nudge(let strip, let control, _):
            told(strip, control.alike)
        case .send(let strip, let bus, let settings):
            told(strip, settings.flatMap { Control.send(bus, $0.control).alike })
        case .equalise(let strip, .set(let settings)): told(strip, settings.map { .eq($0.control) })
        case .setDynamics(let strip, _, .set(let settings)):
            told(strip, settings.map { .dynamics($0.control) })
        case .automix(let bus, let member, let settings):
            told(member ?? bus, settings.map { .automix($0.control) })
        case .assign(let dca, _, _): told(dca, [.members])
        case .loop, .loopOn, .loopOff: [.loop(loopSeconds)]
        case .stopAtEnd: [.stopsAtEnd(stopsAtEnd)]
        case .soloMode: [.soloMode(heard.soloMode)]
        case .directOuts: [.directOuts(directOuts)]
        case .muteGroup: [.muteGroups(muteGroups)]
        case .monitoring(let control, _), .nudgeMonitor(let control, _):
            [Answer.monitoring(control)(value(of: control))]
        case .soundcheck: [.soundcheck(engine.hands.isSoundcheck)]
        case .silenced: [.silenced(engine.isFallingSilent)]
        case .record: [.record(recordState)]
        case .input(let strip, nil): told(strip, [.arm])
        default: []
        }
    }

    /// Where some controls stand; nothing of those that are not there.
    private func told(_ strip: StripReference, _ controls: [Control]) -> [Answer] {
        controls.flatMap { (try? ask(strip, $0)) ?? [] }
    }
}
