import Remote
import Timeline

/// What hands do.
extension MackieSurface {
    /// - Parameter unit: from 0.
    public mutating func receive(_ bytes: [UInt8], unit: Int, _ desk: any Desk, now: UInt64) {
        guard shown.indices.contains(unit) else { return }
        refresh(desk)
        let first = unit * Self.stripsOfUnit
        switch MIDIMessage(bytes) {
        case .bend(let channel, let value)? where channel < Self.stripsOfUnit:
            move(first + channel, value, desk, now)
        case .bend(8, let value)? where unit == 0: move(Self.master, value, desk, now)
        case .note(0, let key, let velocity)?: press(key, velocity > 0, unit, desk)
        case .controller(0, let number, let value)?:
            turnEncoder(number, MackieControl.steps(value), unit, desk)
        case .exclusive(let content)? where MackieExclusive.isGreeting(content):
            forget(unit: unit)
            letGo(unit: unit, desk)
        default: break
        }
    }

    private mutating func turnEncoder(_ number: Int, _ steps: Int, _ unit: Int, _ desk: any Desk) {
        if (MackieControl.pot..<MackieControl.pot + Self.stripsOfUnit).contains(number) {
            turnEncoder(unit * Self.stripsOfUnit + number - MackieControl.pot, steps, desk)
        } else if number == MackieControl.jog, unit == 0 {
            let step = MediaTime(value: isScrubbing ? 10 : 100, timescale: 1000)
            locate(by: steps, step, desk)
        }
    }

    // MARK: - Faders and pots

    private mutating func move(_ place: Int, _ value: Int, _ desk: any Desk, _ now: UInt64) {
        remember(fader: place, stands: value)
        movesUntil[place] = now + Self.restNanoseconds
        guard let (strip, control) = onFader(place, desk) else { return }
        if let finger = touched[place], finger.hold == nil { grasp(place, desk) }
        let position = Double(value) / Double(Self.greatest)
        if control == .volume {
            desk.set(.volume, of: strip, to: .number(fader(position, strip, desk)))
        } else if let value = control.entry.kind.value(at: position) {
            desk.set(control, of: strip, to: value)
        }
    }

    /// Where a strip's fader goes so that what is heard is where the motor's stands. Where the timeline says
    /// silence nothing is heard: it goes where the motor's is.
    private func fader(_ position: Double, _ strip: StripPlace, _ desk: any Desk) -> Double {
        let (gain, timeline) = (FaderLaw.gain(position: position), desk.timelineVolume(strip))
        return timeline > 0 ? min(Volume.range.upperBound, gain / timeline) : gain
    }

    private func turnEncoder(_ place: Int, _ steps: Int, _ desk: any Desk) {
        guard let (strip, control) = onPot(place, desk), let present = desk.position(of: control, strip)
        else { return }
        let position = min(1, max(0, present + Double(steps) / 127))
        guard let value = control.entry.kind.value(at: position) else { return }
        desk.set(control, of: strip, to: Self.atCentre(control, value, from: present, to: position))
    }

    /// The middle of a balance is met, whatever the steps.
    private static func atCentre(
        _ control: Control, _ value: ControlValue, from present: Double, to position: Double
    ) -> ControlValue {
        let hasCentre = control == .pan && abs(position - 0.5) < 0.5 / 127 && present != 0.5
        return hasCentre ? .number(0) : value
    }

    /// A pot that is pressed goes back to where it does nothing.
    private func reset(_ place: Int, _ desk: any Desk) {
        guard let (strip, control) = onPot(place, desk) else { return }
        switch control {
        case .pan, .eq(.gain): desk.set(control, of: strip, to: .number(0))
        case .volume, .trim, .send(_, .volume): desk.set(control, of: strip, to: .number(1))
        default: break
        }
    }

    // MARK: - Buttons

    private mutating func press(_ key: Int, _ isDown: Bool, _ unit: Int, _ desk: any Desk) {
        let first = unit * Self.stripsOfUnit
        switch key {
        case MackieKey.touch..<MackieKey.touch + Self.stripsOfUnit:
            touch(first + key - MackieKey.touch, isDown, desk)
        case MackieKey.touchMaster where unit == 0: touch(Self.master, isDown, desk)
        case MackieKey.shift where unit == 0: isShifted = isDown
        case _ where !isDown: break
        case 0..<MackieKey.pot + Self.stripsOfUnit:
            pressStrip(key & ~7, first + key & 7, unit, desk)
        case _ where unit == 0: pressMain(key, desk)
        default: break
        }
    }

    private mutating func touch(_ place: Int, _ isDown: Bool, _ desk: any Desk) {
        movesUntil[place] = nil
        if isDown { grasp(place, desk) } else { letGo(place, desk) }
    }

    private mutating func pressStrip(_ row: Int, _ place: Int, _ unit: Int, _ desk: any Desk) {
        if row == MackieKey.pot { return reset(place, desk) }
        guard let strip = strip(place, desk) else { return }
        switch row {
        case MackieKey.arm: desk.toggle(.arm, of: strip)
        case MackieKey.solo: desk.toggle(.solo, of: strip)
        case MackieKey.mute: desk.toggle(.mute, of: strip)
        case MackieKey.select:
            let identity = desk.identity(strip)
            selection = selection == identity ? nil : identity
            refresh(desk)
        default: break
        }
    }

    private mutating func pressMain(_ key: Int, _ desk: any Desk) {
        switch key {
        case MackieKey.bankLeft: go(to: bank - width, desk)
        case MackieKey.bankRight: go(to: bank + width, desk)
        case MackieKey.channelLeft: go(to: bank - 1, desk)
        case MackieKey.channelRight: go(to: bank + 1, desk)
        case MackieKey.assignPan: assign(.pan, desk)
        case MackieKey.assignTrim: assign(.trim, desk)
        case MackieKey.assignSend: assignSend(desk)
        case MackieKey.assignEqualiser: assign(.equaliser, desk)
        case MackieKey.flip:
            changeHands(desk)
            isFlipped.toggle()
        case MackieKey.nameValue: showsValues.toggle()
        case MackieKey.scrub: isScrubbing.toggle()
        case MackieKey.read: setMode(.read, desk)
        case MackieKey.write: setMode(.write, desk)
        case MackieKey.touchMode: setMode(.touch, desk)
        case MackieKey.latch: setMode(.latch, desk)
        case MackieKey.save: desk.run(.save(nil))
        case MackieKey.undo: desk.run(isShifted ? .redo : .undo)
        default: pressTransport(key, desk)
        }
    }

    private func pressTransport(_ key: Int, _ desk: any Desk) {
        let transport = desk.transport
        switch key {
        case MackieKey.play: desk.run(.play)
        // Stop where it stands leads to the start.
        case MackieKey.stop: desk.run(transport.isRolling ? .stop(over: nil) : .locate(.time(.time(.zero))))
        case MackieKey.record: desk.run(.record(transport.isRecording ? .off : .on))
        case MackieKey.cycle: desk.run(transport.isLooping ? .loopOff : .loopOn)
        case MackieKey.rewind: locate(by: -1, Self.leap, desk)
        case MackieKey.forward: locate(by: 1, Self.leap, desk)
        default: break
        }
    }

    private static let leap = MediaTime(value: 5, timescale: 1)

    private func locate(by steps: Int, _ step: MediaTime, _ desk: any Desk) {
        let way = MediaTime(value: step.value * Int64(abs(steps)), timescale: step.timescale)
        if steps != 0 { desk.run(.locate(steps > 0 ? .later(.time(way)) : .earlier(.time(way)))) }
    }

    /// Other strips come under the faders.
    private mutating func go(to bank: Int, _ desk: any Desk) {
        guard bank < all.count, self.bank > 0 || bank > 0 else { return }
        changeHands(desk)
        self.bank = max(0, bank)
    }

    private mutating func assign(_ assignment: Assignment, _ desk: any Desk) {
        if isFlipped { changeHands(desk) }
        self.assignment = assignment
    }

    /// The sends to one bus after another.
    private mutating func assignSend(_ desk: any Desk) {
        let buses = desk.strips.count { $0.kind == .bus }
        guard buses > 0 else { return }
        if case .send(let bus) = assignment {
            assign(.send(bus % buses + 1), desk)
        } else {
            assign(.send(1), desk)
        }
    }

    /// What hands write of the strip that is selected, or of all that it shows; the mode that it has already
    /// goes back to reading, and reading is turned off.
    private func setMode(_ mode: WriteMode, _ desk: any Desk) {
        let strips = selected.map { [$0] } ?? (0..<width).compactMap { strip($0, desk) }
        for strip in strips {
            let isOn = desk.text(.writeMode(.volume), strip) == mode.rawValue
            let next = isOn ? (mode == .read ? WriteMode.off : .read) : mode
            desk.set(.writeMode(.volume), of: strip, to: .text(next.rawValue))
        }
    }
}
