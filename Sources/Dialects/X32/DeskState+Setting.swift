import JSON
import Remote
import Timeline

/// What became of a parameter that was set.
enum Setting {
    /// The mixer has it.
    case done
    /// The mixer has nothing such at present: it is remembered as it was set.
    case remembered
    /// The mixer refuses it: it stands where it stood.
    case refused
}

extension DeskState {
    /// Sets a part of the mixer to a value as it travels, which its kind has let pass.
    /// - Parameter memory: what a parameter was set to that the mixer has not, or where it stands in a desk.
    func set(
        _ part: DeskPart, _ address: String, to value: WireValue, memory: (String) -> WireValue?
    ) -> Setting {
        switch part {
        case .fader, .on, .pan, .name, .toMain, .trim, .polarity, .dcas, .muteGroups, .solo:
            return setStrip(part, address, value)
        case .delayOn, .delay: return setDelay(part, address, value, memory)
        case .highPassOn, .highPass, .highPassSlope: return setHighPass(part, address, value, memory)
        case .equaliserOn, .bandType, .bandFrequency, .bandGain, .bandQuality:
            return setEqualiser(part, address, value)
        case .dynamicsOn, .dynamics, .ratio: return setDynamics(part, address, value, memory)
        case .sendLevel, .sendOn, .sendPan, .sendTap: return setSend(part, address, value, memory)
        case .muteGroup(let number):
            let groups = desk.muteGroups
            guard number <= groups.count else { return .remembered }
            return done(desk.run(.muteGroup(groups[number - 1].name, .turn(value.isOn))))
        case .clearSolo:
            if !value.isOn { return .done }
            let soloed = desk.strips.filter { desk.isOn(.solo, $0) }
            return done(soloed.allSatisfy { desk.set(.solo, of: $0, to: .flag(false)) })
        case .tape: return setTape(value)
        // What is carried out where scenes are (`DeskRemote`), or only tells how things are.
        case .anySolo, .scene, .goScene, .sceneName, .hasScene, .presentScene, .storeScene, .tapeSeconds,
            .deskName:
            return .refused
        }
    }

    private func done(_ isDone: Bool) -> Setting { isDone ? .done : .refused }

    private func setTape(_ value: WireValue) -> Setting {
        switch value {
        case .int(0), .int(1): done(desk.run(.stop(over: nil)))
        case .int(2): done(desk.run(.play))
        case .int(4): done(desk.run(.record(.on)) && desk.run(.play))
        default: .refused
        }
    }

    /// Sets a control of a strip that is there; a number is kept within its range.
    private func set(_ control: Control, _ strip: StripPlace, _ value: ControlValue) -> Setting {
        guard desk.value(of: control, strip) != nil else { return .remembered }
        return done(desk.set(control, of: strip, to: Self.kept(value, of: control)))
    }

    /// The nearest that a control can be set to.
    private static func kept(_ value: ControlValue, of control: Control) -> ControlValue {
        guard case (.number(let range), .number(let number)) = (control.entry.kind, value) else {
            return value
        }
        return .number(min(range.upperBound, max(range.lowerBound, number)))
    }

    // MARK: - Strips

    private func setStrip(_ part: DeskPart, _ address: String, _ value: WireValue) -> Setting {
        switch (part, value) {
        case (.fader(let strip), .float(let position)):
            return set(.volume, strip, .number(WireScale.level.gain(position)))
        case (.on(let strip), _): return set(.mute, strip, .flag(!value.isOn))
        case (.pan(let strip), .float(let position)):
            return set(.pan, strip, .number(Double(position) * 2 - 1))
        case (.name(let strip), .text(let name)): return set(.name, strip, .text(name))
        case (.toMain(let strip), _): return setToMain(strip, value.isOn)
        case (.trim(let strip), .float):
            guard let level = number(value, address) else { return .refused }
            let gain = min(Volume.range.upperBound, Volume.gain(level: level))
            return set(.trim, strip, .number(gain))
        case (.polarity(let strip), _): return set(.polarity, strip, .flag(value.isOn))
        case (.dcas(let strip), .int(let mask)): return setDCAs(strip, mask)
        case (.muteGroups(let strip), .int(let mask)): return setGroups(strip, mask)
        case (.solo(let strip), _): return set(.solo, strip, .flag(value.isOn))
        default: return .refused
        }
    }

    private func setDelay(
        _ part: DeskPart, _ address: String, _ value: WireValue, _ memory: (String) -> WireValue?
    ) -> Setting {
        switch (part, value) {
        case (.delayOn(let strip), _):
            if value.isOn == isDelayed(strip), desk.strips.contains(strip) { return .done }
            let sibling = Self.sibling(address, "time")
            let time = memory(sibling).flatMap { number($0, sibling) } ?? 0
            return setDelay(strip, value.isOn ? time : 0)
        case (.delay(let strip), .float):
            guard isDelayed(strip), let time = number(value, address) else { return .remembered }
            return setDelay(strip, time)
        default: return .refused
        }
    }

    private func setToMain(_ strip: StripPlace, _ isOn: Bool) -> Setting {
        guard let output = desk.text(.output, strip) else { return .remembered }
        if isOn == (output == "master") { return .done }
        return set(.output, strip, .text(isOn ? "master" : "none"))
    }

    private func isDelayed(_ strip: StripPlace) -> Bool {
        if case .time(.time(let time))? = desk.value(of: .delay, strip) { time > .zero } else { false }
    }

    private func setDelay(_ strip: StripPlace, _ milliseconds: Double) -> Setting {
        let time = MediaTime(value: Int64((milliseconds * 1000).rounded()), timescale: 1_000_000)
        return set(.delay, strip, .time(.time(time)))
    }

    /// It hangs on the DCAs whose bits are set, as far as there are such.
    private func setDCAs(_ strip: StripPlace, _ mask: Int) -> Setting {
        guard let present = members(strip) else { return .remembered }
        var isDone = true
        for number in 1...model.dcas where desk.strips.contains(.dca(number)) {
            let bit = 1 << (number - 1)
            if (present ^ mask) & bit == 0 { continue }
            let command = Command.assign(.dca(.number(number)), [StripReference(strip)], mask & bit != 0)
            isDone = desk.run(command) && isDone
        }
        return done(isDone)
    }

    /// It is in the mute groups whose bits are set, as far as there are such.
    private func setGroups(_ strip: StripPlace, _ mask: Int) -> Setting {
        guard let present = groups(strip), let name = desk.text(.name, strip) else { return .remembered }
        var isDone = true
        for (index, group) in desk.muteGroups.prefix(model.muteGroups).enumerated()
        where (present ^ mask) & 1 << index != 0 {
            let others = group.members.filter { $0 != name }
            let members = mask & 1 << index != 0 ? others + [name] : others
            let command = Command.muteGroup(
                group.name, .members(members.map { .track(.name($0)) }))
            isDone = desk.run(command) && isDone
        }
        return done(isDone)
    }

    // MARK: - Processors

    /// The node of a parameter.
    private static func node(_ address: String) -> String {
        String(address[..<(address.lastIndex(of: "/") ?? address.startIndex)])
    }

    /// A parameter of the same node.
    static func sibling(_ address: String, _ name: String) -> String {
        address[...(address.lastIndex(of: "/") ?? address.startIndex)] + name
    }

    /// A value in its unit.
    func number(_ value: WireValue, _ address: String) -> Double? {
        guard case .float(let part) = value, case .scaled(let scale)? = tree.leaf(address)?.kind else {
            return nil
        }
        return scale.number(part)
    }

    /// A desk's high pass has a switch and a frequency; the mixer's is off without a frequency.
    private func setHighPass(
        _ part: DeskPart, _ address: String, _ value: WireValue, _ memory: (String) -> WireValue?
    ) -> Setting {
        let control = Control.eq(.highPass)
        switch part {
        case .highPassOn(let strip):
            return setHighPass(strip, address, isOn: value.isOn, memory)
        case .highPass(let strip):
            guard desk.number(control, strip) ?? 0 > 0, let frequency = number(value, address) else {
                return .remembered
            }
            return set(control, strip, .number(frequency))
        case .highPassSlope(let strip):
            return desk.number(control, strip) ?? 0 > 0 ? setSlope(strip, value) : .remembered
        default: return .refused
        }
    }

    private func setHighPass(
        _ strip: StripPlace, _ address: String, isOn: Bool, _ memory: (String) -> WireValue?
    ) -> Setting {
        let control = Control.eq(.highPass)
        guard let present = desk.number(control, strip) else { return .remembered }
        if isOn == (present > 0) { return .done }
        let sibling = Self.sibling(address, "hpf")
        let frequency = memory(sibling).flatMap { number($0, sibling) } ?? 80
        let setting = set(control, strip, .number(isOn ? frequency : 0))
        if isOn, let slope = memory(Self.sibling(address, "hpslope")) { _ = setSlope(strip, slope) }
        return setting
    }

    /// 12, 18 or 24 dB for an octave; the mixer has 12 and 24.
    private func setSlope(_ strip: StripPlace, _ value: WireValue) -> Setting {
        set(.eq(.highSlope), strip, .number(value == .int(0) ? 12 : 24))
    }

    private func setEqualiser(_ part: DeskPart, _ address: String, _ value: WireValue) -> Setting {
        switch part {
        case .equaliserOn(let strip): return set(.eq(.on), strip, .flag(value.isOn))
        case .bandFrequency(let strip, let band): return setNumber(.frequency(band), strip, address, value)
        case .bandGain(let strip, let band): return setNumber(.gain(band), strip, address, value)
        case .bandQuality(let strip, let band): return setNumber(.quality(band), strip, address, value)
        case .bandType(let strip, let band): return setType(strip, band, value)
        default: return .refused
        }
    }

    private func setNumber(
        _ control: EqualiserControl, _ strip: StripPlace, _ address: String, _ value: WireValue
    ) -> Setting {
        guard let number = number(value, address) else { return .refused }
        return set(.eq(control), strip, .number(number))
    }

    /// A curve that the mixer has not there is kept as it was set, and a bell heard.
    private func setType(_ strip: StripPlace, _ band: Int, _ value: WireValue) -> Setting {
        let wanted: Equaliser.Band.Kind =
            switch value {
            case .int(1): .lowshelf
            case .int(4): .highshelf
            default: .bell
            }
        let kind = Equaliser.types(ofBand: band - 1).contains(wanted) ? wanted : .bell
        return set(.eq(.type(band)), strip, .text(kind.rawValue))
    }

    /// A compressor or a gate is made when it is switched on, as it was set by then.
    private func setDynamics(
        _ part: DeskPart, _ address: String, _ value: WireValue, _ memory: (String) -> WireValue?
    ) -> Setting {
        switch part {
        case .dynamicsOn(let strip, let kind):
            return setOn(kind, strip, address, value, memory)
        case .dynamics(let strip, let kind, let name):
            guard desk.has(kind, strip), let number = number(value, address) else { return .remembered }
            return set(.dynamics(DynamicsControl(kind, .parameter(name))), strip, .number(number))
        case .ratio(let strip): return setRatio(strip, value)
        default: return .refused
        }
    }

    private func setRatio(_ strip: StripPlace, _ value: WireValue) -> Setting {
        guard desk.has(.comp, strip), case .int(let index) = value else { return .remembered }
        let control = DynamicsControl(.comp, .parameter("ratio"))
        return set(.dynamics(control), strip, .number(Self.ratios[index]))
    }

    private func setOn(
        _ kind: DynamicsKind, _ strip: StripPlace, _ address: String, _ value: WireValue,
        _ memory: (String) -> WireValue?
    ) -> Setting {
        guard desk.strips.contains(strip) else { return .remembered }
        if !desk.has(kind, strip), value.isOn { return make(kind, strip, address, memory) }
        if !desk.has(kind, strip) { return .done }
        return set(.dynamics(DynamicsControl(kind, .on)), strip, .flag(value.isOn))
    }

    private func make(
        _ kind: DynamicsKind, _ strip: StripPlace, _ address: String, _ memory: (String) -> WireValue?
    ) -> Setting {
        var settings = [DynamicsPart(DynamicsControl(kind, .on), .flag(true))]
        for leaf in tree[Self.node(address)]?.leaves ?? [] {
            let path = Self.sibling(address, leaf.name)
            guard let value = memory(path), let setting = setting(kind, path, value) else { continue }
            settings.append(setting)
        }
        return done(desk.run(.setDynamics(StripReference(strip), kind, .set(settings))))
    }

    /// What a value that was remembered sets; nil: nothing of a compressor's or a gate's.
    private func setting(_ kind: DynamicsKind, _ path: String, _ value: WireValue) -> DynamicsPart? {
        if case .dynamics(_, _, let name)? = parts[path], let number = number(value, path) {
            let control = DynamicsControl(kind, .parameter(name))
            return DynamicsPart(control, Self.kept(.number(number), of: .dynamics(control)))
        }
        if case .ratio? = parts[path], case .int(let index) = value {
            return DynamicsPart(DynamicsControl(kind, .parameter("ratio")), .number(Self.ratios[index]))
        }
        return nil
    }

    // MARK: - Sends

    private func setSend(
        _ part: DeskPart, _ address: String, _ value: WireValue, _ memory: (String) -> WireValue?
    ) -> Setting {
        switch (part, value) {
        case (.sendLevel(let strip, let bus), .float(let position)):
            return setLevel(strip, bus, position, address, memory)
        case (.sendOn(let strip, let bus), _): return set(send(bus, .mute), strip, .flag(!value.isOn))
        case (.sendPan(let strip, let bus), .float(let position)):
            return set(send(bus, .pan), strip, .number(Double(position) * 2 - 1))
        case (.sendTap(let strip, let bus), .int(let tap)): return setTap(strip, bus, isPre: tap < 4)
        default: return .refused
        }
    }

    private func setLevel(
        _ strip: StripPlace, _ bus: Int, _ position: Float, _ address: String,
        _ memory: (String) -> WireValue?
    ) -> Setting {
        let (control, gain) = (send(bus, .volume), WireScale.level.gain(position))
        if desk.value(of: control, strip) != nil { return set(control, strip, .number(gain)) }
        // The level makes the send, unless that is silence.
        guard desk.strips.contains(strip), desk.strips.contains(.bus(bus)), position > 0 else {
            return .remembered
        }
        return make(strip, bus, gain, address, memory)
    }

    private func send(_ bus: Int, _ control: SendControl) -> Control { .send(.number(bus), control) }

    /// An X32 has one for each pair of buses.
    private func setTap(_ strip: StripPlace, _ bus: Int, isPre: Bool) -> Setting {
        let pair = model == .x32 ? [bus, bus + 1] : [bus]
        let there = pair.filter { desk.value(of: send($0, .pre), strip) != nil }
        if there.isEmpty { return .remembered }
        return done(there.allSatisfy { desk.set(send($0, .pre), of: strip, to: .flag(isPre)) })
    }

    /// A send as it was set before it was there.
    private func make(
        _ strip: StripPlace, _ bus: Int, _ gain: Double, _ address: String, _ memory: (String) -> WireValue?
    ) -> Setting {
        let odd = bus - (bus + 1) % 2
        let pair = "\(model.address(strip) ?? "")/mix/\(zeroPadded(odd, 2))/type"
        let tap = model == .x32 ? memory(pair) : memory(Self.sibling(address, "tap"))
        var settings = [SendSetting(.volume, .number(gain))]
        if case .int(let number)? = tap { settings.append(SendSetting(.pre, .flag(number < 4))) }
        guard desk.run(.send(StripReference(strip), .number(bus), settings)) else { return .refused }
        recall(strip, bus, address, memory)
        return .done
    }

    /// Sets what was kept of a send that was not there. In the same packet: nothing of it is heard before all
    /// of it is set.
    private func recall(
        _ strip: StripPlace, _ bus: Int, _ address: String, _ memory: (String) -> WireValue?
    ) {
        if memory(Self.sibling(address, "on")) == .int(0) {
            desk.set(.send(.number(bus), .mute), of: strip, to: .flag(true))
        }
        if case .float(let position)? = memory(Self.sibling(address, "pan")), position != 0.5 {
            desk.set(.send(.number(bus), .pan), of: strip, to: .number(Double(position) * 2 - 1))
        }
    }
}

extension WireValue {
    var isOn: Bool {
        switch self {
        case .int(let number): number != 0
        case .float(let number): number != 0
        case .text: false
        }
    }
}
