import Engine
import Timeline

/// Automation, levels and processors of strips.
extension Composition {
    /// Changes what the timeline says of a strip's volume (`setVolume`, `setVolumeRamp`) or of any control
    /// (`setValue`, `setRamp`, `clear`, `move`, `Fades.draw`).
    /// - Throws: `CompositionError`, or whatever else `change` throws; then nothing has changed.
    public mutating func automate(
        _ id: StripID, _ control: Automation.Control = .volume, _ change: (inout Automation) throws -> Void
    ) throws {
        let place = try place(id)
        if place.kind == .dca, control != .volume, control != .mute {
            throw CompositionError.refused("\(place) has no \(control.rawValue)")
        }
        var automation = session[place][automation: control]
        do { try change(&automation) } catch let error as AutomationError {
            throw CompositionError.automation(error, place: "\(place)")
        }
        session[place][automation: control] = automation
    }

    /// The same of a send's volume, pan or mute.
    public mutating func automateSend(
        of id: StripID, to bus: StripID, _ control: Automation.Control = .volume,
        _ change: (inout Automation) throws -> Void
    ) throws {
        let place = try place(id)
        guard var automation = session[place].send(to: bus)?[automation: control], control != .trim else {
            throw CompositionError.refused("\(place) has no such send")
        }
        do { try change(&automation) } catch let error as AutomationError {
            throw CompositionError.automation(error, place: "\(place)")
        }
        session.setSend(of: place, to: bus) { $0[automation: control] = automation }
    }

    /// The live level of a strip, linear, 0 to 4.
    public mutating func setFader(_ volume: Double, of id: StripID) throws(CompositionError) {
        let volume = try checked(volume)
        session[try place(id)].fader = volume
    }

    /// Balance from -1 (left) to 1 (right).
    public mutating func setPan(_ pan: Double, of id: StripID) throws(CompositionError) {
        guard (-1...1).contains(pan) else { throw .refused("\(pan) is not a pan: it goes from -1 to 1") }
        let place = try place(id)
        if place.kind == .dca { throw .refused("\(place) has no pan") }
        session[place].pan = pan
    }

    /// What a strip's sound is multiplied by before all else, linear, 0 to 4, and whether it is turned upside
    /// down.
    public mutating func setTrim(
        _ trim: Double, polarity: Bool = false, of id: StripID
    ) throws(CompositionError) {
        let trim = try checked(trim)
        let place = try place(id)
        if place.kind == .dca { throw .refused("\(place) has no trim") }
        (session[place].trim, session[place].polarity) = (trim, polarity)
    }

    /// A strip's equaliser: a high pass, a low pass and four bands; nil: none.
    /// - Throws: `CompositionError` for a DCA, for a number out of its range, for a type that a band cannot
    ///   have, and for another number of bands than four.
    public mutating func setEqualiser(_ equaliser: Equaliser?, of id: StripID) throws(CompositionError) {
        let place = try place(id)
        if place.kind == .dca { throw .refused("\(place) has no equaliser") }
        if let problem = equaliser?.problem { throw .refused(problem) }
        session[place].equaliser = equaliser
    }

    /// What lowers a strip where it is quiet; nil: nothing.
    /// - Throws: `CompositionError` for a DCA, for a number out of its range, and for a key that would have
    ///   to be mixed behind what it keys.
    public mutating func setGate(_ gate: Gate?, of id: StripID) throws(CompositionError) {
        try setDynamics(gate, \.gate, of: id)
    }

    /// What lowers a strip where it is loud; nil: nothing.
    /// - Throws: as `setGate`.
    public mutating func setCompressor(_ compressor: Compressor?, of id: StripID) throws(CompositionError) {
        try setDynamics(compressor, \.compressor, of: id)
    }

    /// What keeps a strip's true peaks under a level, last of all; nil: nothing.
    /// - Throws: `CompositionError` for a DCA, for a number out of its range, and for more than
    ///   `Strip.maximumLimiters`.
    public mutating func setLimiter(_ limiter: Limiter?, of id: StripID) throws(CompositionError) {
        let place = try place(id)
        guard
            limiter == nil
                || session.places.count(where: { session[$0].limiter != nil && $0 != place })
                    < Strip.maximumLimiters
        else {
            throw .refused("at most \(Strip.maximumLimiters) strips have a limiter")
        }
        try setDynamics(limiter, \.limiter, of: id)
    }

    /// How much later a strip is heard.
    /// - Throws: `CompositionError` for a DCA, and for a time outside of 0 to 2 s.
    public mutating func setDelay(_ delay: MediaTime, of id: StripID) throws(CompositionError) {
        let place = try place(id)
        if place.kind == .dca { throw .refused("\(place) has no delay") }
        guard delay.isNumeric, delay >= .zero, delay <= Strip.longestDelay else {
            throw .refused("\(delay) is no delay: it goes from 0 to 2 s")
        }
        guard
            delay == .zero
                || session.places.count(where: { session[$0].delay > .zero && $0 != place })
                    < Strip.maximumDelays
        else {
            throw .refused("at most \(Strip.maximumDelays) strips have a delay")
        }
        session[place].delay = delay
    }

    mutating func setDynamics<Processor: LevelProcessor>(
        _ processor: Processor?, _ path: WritableKeyPath<Strip, Processor?>, of id: StripID
    ) throws(CompositionError) {
        let place = try place(id)
        if place.kind == .dca { throw .refused("\(place) has no gate, no compressor and no limiter") }
        if let processor {
            for parameter in Processor.parameters
            where !parameter.range.contains(parameter.value(of: processor)) {
                throw .refused(
                    """
                    \(parameter.value(of: processor)) is out of range: \(parameter.name) goes from \
                    \(parameter.range.lowerBound) to \(parameter.range.upperBound)
                    """
                )
            }
        }
        if let problem = (processor as? Gate)?.problem { throw .refused(problem) }
        if (processor as? any Dynamics)?.key == id {
            throw .refused("\(place) goes by its own level unless it has a key: it cannot be its own")
        }
        var changed = session
        changed[place][keyPath: path] = processor
        try adopt(changed)
    }

    /// Who is heard.
    public mutating func set(mute: Bool? = nil, solo: Bool? = nil, of id: StripID) throws(CompositionError) {
        let place = try place(id)
        if solo != nil, place.kind == .dca || place == .master { throw .refused("\(place) has no solo") }
        if let mute { session[place].mute = mute }
        if let solo { session[place].solo = solo }
    }
}
