import Remote
import Timeline

/// What a parameter that is a part of the mixer stands at, as it travels.
///
/// What the mixer has not at present, as a strip of a number that is not there or the threshold of a
/// compressor that nobody has made, gives nil: then what was set last is told, or where a desk would stand.
struct DeskState {
    let model: DeskModel
    let tree: ParameterTree
    let parts: [String: DeskPart]
    let desk: any Desk
    /// The mixer's name among others.
    let name: String
    /// The scene that was recalled last, from 0; -1 for none.
    let presentScene: () -> Int

    private var scene: Int { presentScene() }

    /// - Parameter address: of the parameter, by whose kind the value travels.
    func value(_ part: DeskPart, _ address: String) -> WireValue? {
        switch part {
        case .fader, .on, .pan, .name, .toMain, .trim, .polarity, .delayOn, .delay, .dcas, .muteGroups, .solo:
            return ofStrip(part, address)
        case .highPassOn, .highPass, .highPassSlope: return ofHighPass(part, address)
        case .equaliserOn, .bandType, .bandFrequency, .bandGain, .bandQuality:
            return ofEqualiser(part, address)
        case .dynamicsOn, .dynamics, .ratio: return ofDynamics(part, address)
        case .sendLevel, .sendOn, .sendPan, .sendTap: return ofSend(part, address)
        case .anySolo: return .int(desk.strips.contains { desk.isOn(.solo, $0) } ? 1 : 0)
        case .clearSolo, .goScene, .storeScene: return .int(0)
        case .muteGroup(let number):
            let groups = desk.muteGroups
            return number <= groups.count ? .int(groups[number - 1].isOn ? 1 : 0) : nil
        case .scene, .sceneName, .hasScene, .presentScene: return ofScenes(part)
        case .tape: return .int(tape)
        case .tapeSeconds: return .int(Int(max(0, desk.transport.seconds)))
        case .deskName: return .text(Self.short(name, 32))
        }
    }

    private func ofScenes(_ part: DeskPart) -> WireValue? {
        switch part {
        case .scene: return .int(scene < 0 ? scene : scene + model.firstScene)
        case .sceneName(let number):
            return number < desk.scenes.count ? .text(Self.short(desk.scenes[number], 32)) : nil
        case .hasScene(let number): return .int(number < desk.scenes.count ? 1 : 0)
        case .presentScene:
            return .text(desk.scenes.indices.contains(scene) ? Self.short(desk.scenes[scene], 32) : "")
        default: return nil
        }
    }

    private var tape: Int {
        let transport = desk.transport
        return transport.isRolling ? (transport.isRecording ? 4 : 2) : 0
    }

    // MARK: - Strips

    private func ofStrip(_ part: DeskPart, _ address: String) -> WireValue? {
        switch part {
        case .fader(let strip):
            return desk.number(.volume, strip).map { .float(WireScale.level.part(gain: $0)) }
        case .on(let strip): return flag(.mute, strip).map { .int($0 ? 0 : 1) }
        case .pan(let strip): return desk.number(.pan, strip).map { .float(Float(($0 + 1) / 2)) }
        case .name(let strip): return desk.text(.name, strip).map { .text(Self.short($0, 12)) }
        case .toMain(let strip): return desk.text(.output, strip).map { .int($0 == "master" ? 1 : 0) }
        case .trim(let strip):
            return desk.number(.trim, strip).flatMap { scaled(Volume.level(gain: $0), address) }
        case .polarity(let strip): return flag(.polarity, strip).map { .int($0 ? 1 : 0) }
        case .delayOn(let strip): return milliseconds(strip).map { .int($0 > 0 ? 1 : 0) }
        case .delay(let strip): return milliseconds(strip).flatMap { $0 > 0 ? scaled($0, address) : nil }
        case .dcas(let strip): return members(strip).map { .int($0) }
        case .muteGroups(let strip): return groups(strip).map { .int($0) }
        case .solo(let strip): return flag(.solo, strip).map { .int($0 ? 1 : 0) }
        default: return nil
        }
    }

    func flag(_ control: Control, _ strip: StripPlace) -> Bool? {
        if case .flag(let flag)? = desk.value(of: control, strip) { flag } else { nil }
    }

    private func milliseconds(_ strip: StripPlace) -> Double? {
        if case .time(.time(let time))? = desk.value(of: .delay, strip) { time.seconds * 1000 } else { nil }
    }

    /// A bit for each DCA that it hangs on.
    func members(_ strip: StripPlace) -> Int? {
        guard let name = desk.text(.name, strip) else { return nil }
        return (1...model.dcas).reduce(0) { mask, number in
            guard case .names(let names)? = desk.value(of: .members, .dca(number)) else { return mask }
            return names.contains(name) ? mask | 1 << (number - 1) : mask
        }
    }

    /// The bits of the DCAs or mute groups that there are, where a parameter has one for each.
    func bits(_ part: DeskPart) -> Int? {
        switch part {
        case .dcas: 1 << min(model.dcas, desk.strips.count { $0.kind == .dca }) - 1
        case .muteGroups: 1 << min(model.muteGroups, desk.muteGroups.count) - 1
        default: nil
        }
    }

    /// A bit for each mute group that it is in.
    func groups(_ strip: StripPlace) -> Int? {
        guard let name = desk.text(.name, strip) else { return nil }
        return desk.muteGroups.prefix(model.muteGroups).enumerated().reduce(0) { mask, group in
            group.element.members.contains(name) ? mask | 1 << group.offset : mask
        }
    }

    /// A text of so many bytes at the most.
    static func short(_ text: String, _ bytes: Int) -> String {
        var text = text
        while text.utf8.count > bytes { text.removeLast() }
        return text
    }

    // MARK: - Processors

    private func ofHighPass(_ part: DeskPart, _ address: String) -> WireValue? {
        switch part {
        case .highPassOn(let strip):
            return desk.number(.eq(.highPass), strip).map { .int($0 > 0 ? 1 : 0) }
        case .highPass(let strip):
            return desk.number(.eq(.highPass), strip).flatMap { $0 > 0 ? scaled($0, address) : nil }
        case .highPassSlope(let strip):
            guard desk.number(.eq(.highPass), strip) ?? 0 > 0 else { return nil }
            return desk.number(.eq(.highSlope), strip).map { .int($0 > 12 ? 2 : 0) }
        default: return nil
        }
    }

    private func ofEqualiser(_ part: DeskPart, _ address: String) -> WireValue? {
        switch part {
        case .equaliserOn(let strip): return flag(.eq(.on), strip).map { .int($0 ? 1 : 0) }
        case .bandType(let strip, let band):
            return desk.text(.eq(.type(band)), strip).map { .int(Self.type($0)) }
        case .bandFrequency(let strip, let band): return scaled(.eq(.frequency(band)), strip, address)
        case .bandGain(let strip, let band): return scaled(.eq(.gain(band)), strip, address)
        case .bandQuality(let strip, let band): return scaled(.eq(.quality(band)), strip, address)
        default: return nil
        }
    }

    private func ofDynamics(_ part: DeskPart, _ address: String) -> WireValue? {
        switch part {
        case .dynamicsOn(let strip, let kind):
            guard desk.strips.contains(strip) else { return nil }
            guard desk.has(kind, strip) else { return .int(0) }
            return flag(.dynamics(DynamicsControl(kind, .on)), strip).map { .int($0 ? 1 : 0) }
        case .dynamics(let strip, let kind, let name):
            guard desk.has(kind, strip) else { return nil }
            return scaled(.dynamics(DynamicsControl(kind, .parameter(name))), strip, address)
        case .ratio(let strip): return ratio(strip).map { .int(Self.nearestRatio($0)) }
        default: return nil
        }
    }

    /// A compressor's; nil where the strip has none.
    private func ratio(_ strip: StripPlace) -> Double? {
        let control = Control.dynamics(DynamicsControl(.comp, .parameter("ratio")))
        return desk.has(.comp, strip) ? desk.number(control, strip) : nil
    }

    /// What a compressor of a desk divides by.
    static let ratios = [1.1, 1.3, 1.5, 2, 2.5, 3, 4, 5, 7, 10, 20, 100]

    private static func nearestRatio(_ ratio: Double) -> Int {
        ratios.indices.min { abs(ratios[$0] - ratio) < abs(ratios[$1] - ratio) } ?? 0
    }

    /// `LCut LShv PEQ VEQ HShv HCut` by their numbers.
    private static func type(_ word: String) -> Int {
        switch word {
        case "lowshelf": 1
        case "highshelf": 4
        default: 2
        }
    }

    private func scaled(_ control: Control, _ strip: StripPlace, _ address: String) -> WireValue? {
        desk.number(control, strip).flatMap { scaled($0, address) }
    }

    /// A number in the unit of a parameter, as that travels.
    private func scaled(_ number: Double, _ address: String) -> WireValue? {
        guard case .scaled(let scale)? = tree.leaf(address)?.kind else { return nil }
        return .float(scale.part(number))
    }

    // MARK: - Sends

    private func ofSend(_ part: DeskPart, _ address: String) -> WireValue? {
        func send(_ bus: Int, _ control: SendControl) -> Control { .send(.number(bus), control) }
        switch part {
        case .sendLevel(let strip, let bus):
            return desk.number(send(bus, .volume), strip).map { .float(WireScale.level.part(gain: $0)) }
        case .sendOn(let strip, let bus): return flag(send(bus, .mute), strip).map { .int($0 ? 0 : 1) }
        case .sendPan(let strip, let bus):
            return desk.number(send(bus, .pan), strip).map { .float(Float(($0 + 1) / 2)) }
        // Before the fader or behind it: the same numbers on both desks.
        case .sendTap(let strip, let bus): return flag(send(bus, .pre), strip).map { .int($0 ? 3 : 4) }
        default: return nil
        }
    }
}
