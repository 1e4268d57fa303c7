import Glibc
import Remote
import Timeline

/// What a unit is told: whatever differs from what it shows.
extension MackieSurface {
    /// The greatest of a fader, which has 14 bits.
    static let greatest = 16383
    /// Motors have ten of these bits: less is no step.
    private static let step = 16

    /// A unit knows nothing.
    public mutating func forget(unit: Int) { shown[unit] = ShownUnit() }

    /// A fader stands where a hand has put it.
    mutating func remember(fader place: Int, stands value: Int) {
        if place == Self.master {
            shown[0].master = value
        } else {
            shown[place / Self.stripsOfUnit].faders[place % Self.stripsOfUnit] = value
        }
    }

    /// The messages to a unit that make it show how things are.
    public mutating func news(unit: Int, _ desk: any Desk, now: UInt64) -> [[UInt8]] {
        refresh(desk)
        var messages = motors(unit, desk, now) + lights(unit, desk) + rings(unit, desk)
        messages += texts(unit, desk) + meters(unit, desk, now)
        return unit == 0 ? messages + digits(desk) : messages
    }

    private func places(_ unit: Int) -> Range<Int> {
        unit * Self.stripsOfUnit..<(unit + 1) * Self.stripsOfUnit
    }

    // MARK: - Motors

    /// Nothing goes to a fader that a hand is on, or was a moment ago.
    private mutating func motors(_ unit: Int, _ desk: any Desk, _ now: UInt64) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        for place in Array(places(unit)) + (unit == 0 ? [Self.master] : []) {
            let (index, isMaster) = (place % Self.stripsOfUnit, place == Self.master)
            if isInHand(place, now) { continue }
            let value = Int((faderPosition(place, desk) * Double(Self.greatest)).rounded())
            let before = isMaster ? shown[unit].master : shown[unit].faders[index]
            if let before, abs(before - value) < Self.step, value != 0 || before == 0 { continue }
            remember(fader: place, stands: value)
            messages.append(MIDIMessage.bend(channel: isMaster ? 8 : index, value: value).bytes)
        }
        return messages
    }

    private func isInHand(_ place: Int, _ now: UInt64) -> Bool {
        touched[place] != nil || movesUntil[place].map { now < $0 } == true
    }

    private func faderPosition(_ place: Int, _ desk: any Desk) -> Double {
        guard let (strip, control) = onFader(place, desk) else { return 0 }
        if control == .volume { return FaderLaw.position(gain: desk.heardVolume(strip)) }
        return desk.position(of: control, strip) ?? 0
    }

    // MARK: - Lights

    private mutating func lights(_ unit: Int, _ desk: any Desk) -> [[UInt8]] {
        let switches: [(key: Int, control: Control)] = [
            (MackieKey.arm, .arm), (MackieKey.solo, .solo), (MackieKey.mute, .mute),
        ]
        var wanted: [(key: Int, value: Int)] = []
        for (index, place) in places(unit).enumerated() {
            let strip = strip(place, desk)
            func light(_ key: Int, _ isOn: Bool) { wanted.append((key + index, isOn ? 127 : 0)) }
            for (key, control) in switches { light(key, strip.map { desk.isOn(control, $0) } ?? false) }
            light(MackieKey.select, strip != nil && strip == selected)
        }
        if unit == 0 { wanted += mainLights(desk) }
        return changed(unit, wanted)
    }

    /// What is told of lights that are shown otherwise.
    private mutating func changed(_ unit: Int, _ wanted: [(key: Int, value: Int)]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        for (key, value) in wanted where shown[unit].lights[key] != value {
            shown[unit].lights[key] = value
            messages.append(MIDIMessage.note(channel: 0, key: key, velocity: value).bytes)
        }
        return messages
    }

    private func mainLights(_ desk: any Desk) -> [(key: Int, value: Int)] {
        let transport = desk.transport
        let switches = switches(transport, desk)
        // It blinks while it waits for the transport.
        let record = transport.isRecording ? (transport.isRolling ? 127 : 1) : 0
        return switches.map { ($0, $1 ? 127 : 0) } + [(MackieKey.record, record)]
    }

    private func switches(_ transport: DeskTransport, _ desk: any Desk) -> [(Int, Bool)] {
        let isSend = if case .send = assignment { true } else { false }
        let mode = selected.flatMap { desk.text(.writeMode(.volume), $0) } ?? ""
        return [
            (MackieKey.play, transport.isRolling), (MackieKey.stop, !transport.isRolling),
            (MackieKey.cycle, transport.isLooping), (MackieKey.flip, isFlipped),
            (MackieKey.scrub, isScrubbing), (MackieKey.assignPan, assignment == .pan),
            (MackieKey.assignTrim, assignment == .trim), (MackieKey.assignSend, isSend),
            (MackieKey.assignEqualiser, assignment == .equaliser),
            (MackieKey.read, mode == WriteMode.read.rawValue),
            (MackieKey.write, mode == WriteMode.write.rawValue),
            (MackieKey.touchMode, mode == WriteMode.touch.rawValue),
            (MackieKey.latch, mode == WriteMode.latch.rawValue),
            (MackieKey.soloLight, all.contains { desk.isOn(.solo, $0) }),
        ]
    }

    /// The lights around the pots: from the left, or of what has a middle from there.
    private mutating func rings(_ unit: Int, _ desk: any Desk) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        for (index, place) in places(unit).enumerated() {
            let value = ring(place, desk)
            if shown[unit].rings[index] == value { continue }
            shown[unit].rings[index] = value
            messages.append(
                MIDIMessage.controller(channel: 0, number: MackieControl.ring + index, value: value).bytes)
        }
        return messages
    }

    private func ring(_ place: Int, _ desk: any Desk) -> Int {
        guard let (strip, control) = onPot(place, desk), let position = desk.position(of: control, strip)
        else { return 0 }
        let hasCentre = if case .eq(.gain) = control { true } else { control == .pan }
        let light = 1 + Int((position * 10).rounded())
        // Bits 4 and 5: one light, from the middle, or all up to it; bit 6: the middle exactly.
        return hasCentre ? 0x10 | light | (position == 0.5 ? 0x40 : 0) : 0x20 | light
    }

    // MARK: - Text

    private mutating func texts(_ unit: Int, _ desk: any Desk) -> [[UInt8]] {
        let lines = [
            places(unit).flatMap { Self.cell(strip($0, desk).map(desk.name) ?? "") },
            places(unit).flatMap { Self.cell(value($0, desk)) },
        ]
        var messages: [[UInt8]] = []
        for (number, line) in lines.enumerated() where shown[unit].lines[number] != line {
            shown[unit].lines[number] = line
            messages.append(MackieExclusive.text(unit, line: number, line))
        }
        return messages + colours(unit, desk)
    }

    private mutating func colours(_ unit: Int, _ desk: any Desk) -> [[UInt8]] {
        let colours = places(unit).map { Self.colour(strip($0, desk)) }
        if shown[unit].colours == colours { return [] }
        shown[unit].colours = colours
        return [MackieExclusive.colours(unit, colours)]
    }

    /// Seven characters of a strip's, the last of them blank; what is no ASCII is a question mark.
    private static func cell(_ text: String) -> [UInt8] {
        let letters = text.unicodeScalars.prefix(6).map { $0.value >= 0x20 && $0.value < 0x7F ? $0 : "?" }
        return letters.map { UInt8($0.value) } + [UInt8](repeating: 0x20, count: 7 - letters.count)
    }

    /// What stands under a strip's name: what its fader says while a hand is on it, else what its pot does.
    private func value(_ place: Int, _ desk: any Desk) -> String {
        let showsFader = showsValues || touched[place] != nil
        guard let (strip, control) = showsFader ? onFader(place, desk) : onPot(place, desk) else { return "" }
        if control == .volume { return Self.level(desk.heardVolume(strip)) }
        switch (control, desk.number(control, strip)) {
        case (_, nil): return ""
        case (.pan, let pan?):
            let share = Int((abs(pan) * 100).rounded())
            return share == 0 ? "C" : "\(pan < 0 ? "L" : "R")\(share)"
        case (.eq(.frequency), let number?): return Self.frequency(number)
        case (.eq, let number?): return Self.decibels(number)
        case (_, let number?): return Self.level(number)
        }
    }

    private static func level(_ gain: Double) -> String {
        gain <= 0 ? "-inf" : decibels(Volume.level(gain: gain))
    }

    private static func decibels(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths < 0 ? "-" : tenths > 0 ? "+" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    private static func frequency(_ number: Double) -> String {
        number < 1000 ? "\(Int(number.rounded()))Hz" : "\(Double(Int((number / 100).rounded())) / 10)k"
    }

    /// Tracks are white, buses cyan, DCAs yellow; where there is none it is dark.
    private static func colour(_ strip: StripPlace?) -> UInt8 {
        switch strip?.kind {
        case .track?: 7
        case .bus?: 6
        case .dca?: 3
        case .master?, nil: 0
        }
    }

    /// Hours, minutes, seconds and thousandths, in three, two, two and three digits with points between.
    private mutating func digits(_ desk: any Desk) -> [[UInt8]] {
        let codes = Self.codes(at: desk.transport.seconds)
        var messages: [[UInt8]] = []
        for (place, code) in codes.reversed().enumerated() where shown[0].digits[place] != code {
            shown[0].digits[place] = code
            messages.append(
                MIDIMessage.controller(channel: 0, number: MackieControl.digit + place, value: code).bytes)
        }
        return messages
    }

    /// The codes of the digits of a time, from the left: hours, minutes, seconds, thousandths.
    private static func codes(at time: Double) -> [Int] {
        let milliseconds = Int(max(0, time) * 1000)
        let (seconds, minutes) = (milliseconds / 1000 % 60, milliseconds / 60_000 % 60)
        let groups = [
            (milliseconds / 3_600_000 % 1000, 3), (minutes, 2), (seconds, 2), (milliseconds % 1000, 3),
        ]
        var codes: [Int] = []
        for (index, (number, count)) in groups.enumerated() {
            var digits: [Int] = []
            var rest = number
            for _ in 0..<count {
                digits.insert(0x30 + rest % 10, at: 0)
                rest /= 10
            }
            // A point stands behind the last of a group.
            if index < groups.count - 1 { digits[count - 1] |= 0x40 }
            codes += digits
        }
        return codes
    }

    // MARK: - Meters

    /// In dBFS, what lights each of the twelve.
    private static let marks: [Double] = [-60, -50, -40, -30, -20, -14, -10, -8, -6, -4, -2, 0]
    /// They fall by themselves, so they are told again.
    private static let meterNanoseconds: UInt64 = 100_000_000
    private static let overloadNanoseconds: UInt64 = 2_000_000_000

    private mutating func meters(_ unit: Int, _ desk: any Desk, _ now: UInt64) -> [[UInt8]] {
        if now < shown[unit].metersAt + Self.meterNanoseconds { return [] }
        shown[unit].metersAt = now
        var messages: [[UInt8]] = []
        func tell(_ index: Int, _ value: Int) {
            messages.append(MIDIMessage.pressure(channel: 0, value: index << 4 | value).bytes)
        }
        for (index, place) in places(unit).enumerated() {
            let peak = Double(strip(place, desk).map { desk.peaks($0).max() ?? 0 } ?? 0)
            let level = Self.marks.count { Volume.level(gain: peak) >= $0 }
            if level > 0 { tell(index, level) }
            if peak > 1 {
                if shown[unit].overloads[index] == nil { tell(index, 0xE) }
                shown[unit].overloads[index] = now + Self.overloadNanoseconds
            } else if let end = shown[unit].overloads[index], now >= end {
                shown[unit].overloads[index] = nil
                tell(index, 0xF)
            }
        }
        return messages
    }
}
