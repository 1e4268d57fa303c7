import Engine
import Speakers
import Timeline

/// Buses, sends, DCAs.
extension Composition {
    /// In the order in which they were added.
    public var buses: [Strip] { session.buses }
    /// In the order in which they were added.
    public var dcas: [DCA] { session.dcas }

    /// What a track, a bus, a DCA or the master has.
    /// - Throws: `.noTrack`.
    public func strip(_ id: StripID) throws(CompositionError) -> Strip { session[try place(id)] }

    /// Adds a bus, a sum of strips; its id is chosen, and stays.
    /// - Throws: `.refused` for what cannot name a strip.
    @discardableResult
    /// - Parameter layout: the channels that it sums. What goes to it or comes from it with others is mixed
    ///   by Rec. ITU-R BS.775.
    public mutating func addBus(
        named name: String = "bus", layout: SpeakerLayout = .stereo
    ) throws(CompositionError) -> StripID {
        if let problem = StripName.problem(ofNew: name) { throw .refused(problem) }
        guard session.buses.count < Session.maximumBuses else {
            throw .refused("a session has at most \(Session.maximumBuses) buses")
        }
        return session.addBus(named: session.freeName(name), layout: layout)
    }

    /// Gives a track or a bus other channels; a track has at least those of its input.
    /// - Throws: `.noTrack`; `.refused` for the master, which has two, and for a DCA, or where a clip's file
    ///   would have more than the track.
    public mutating func setLayout(_ layout: SpeakerLayout, of id: StripID) throws(CompositionError) {
        let place = try place(id)
        guard place.kind == .track || place.kind == .bus else {
            throw .refused("\(place) has no channels to choose")
        }
        var next = session
        next.setLayout(layout, of: place)
        if case .track(let number) = place {
            let problems = SessionCheck.problems(
                next.tracks[number - 1], place: "\(place)", library(), rate: session.sampleRate)
            if let problem = problems.first(where: { $0.place.hasSuffix("channels") }) {
                throw .refused("\(problem)")
            }
        }
        session = next
    }

    /// Removes a bus and the sends to it; what went out through it goes to the master.
    public mutating func removeBus(_ id: StripID) throws(CompositionError) {
        guard case .bus(let number) = try place(id) else { throw .noTrack(id) }
        session.removeBus(at: number - 1)
    }

    /// Where the sound of a track or bus goes.
    /// - Throws: `.refused` for a loop.
    public mutating func setOutput(_ output: Output, of id: StripID) throws(CompositionError) {
        let place = try feeding(id)
        if case .bus(let bus) = output { _ = try self.bus(bus) }
        var next = session
        next[place].output = output
        try adopt(next)
    }

    /// Sends the sound of a track or bus to a bus, beside its output; a send that is there is changed. The
    /// volume is linear, 0 to 4, the pan a balance from -1 to 1; a send that `isPre` leaves before the
    /// strip's automation, fader, mute and pan, else behind them.
    /// - Throws: `.refused` for a loop, or for more sends than a strip has.
    public mutating func setSend(
        _ volume: Double, of id: StripID, to bus: StripID, pan: Double = 0, mute: Bool = false,
        isPre: Bool = false
    ) throws(CompositionError) {
        let (volume, place) = (try checked(volume), try feeding(id))
        _ = try self.bus(bus)
        guard (-1...1).contains(pan) else { throw .refused("\(pan) is not a pan: it goes from -1 to 1") }
        guard session[place].send(to: bus) != nil || session[place].sends.count < Session.maximumSends else {
            throw .refused("a strip has at most \(Session.maximumSends) sends")
        }
        var next = session
        next.setSend(of: place, to: bus) {
            ($0.volume, $0.pan, $0.mute, $0.isPre) = (volume, pan, mute, isPre)
        }
        try adopt(next)
    }

    /// Takes a send away.
    public mutating func removeSend(of id: StripID, to bus: StripID) throws(CompositionError) {
        session.removeSend(of: try feeding(id), to: bus)
    }

    /// Adds a DCA: a fader that multiplies those of its members, and mutes them with its own mute.
    @discardableResult
    public mutating func addDCA(
        named name: String = "dca", members: [StripID] = []
    ) throws(CompositionError) -> StripID {
        if let problem = StripName.problem(ofNew: name) { throw .refused(problem) }
        guard session.dcas.count < Session.maximumDCAs else {
            throw .refused("a session has at most \(Session.maximumDCAs) DCAs")
        }
        for member in members where try place(member).kind == .dca {
            throw .refused("a DCA cannot hang on another")
        }
        return session.addDCA(
            named: session.freeName(name),
            members: members.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }

    /// Removes a DCA: nothing hangs on it any more.
    public mutating func removeDCA(_ id: StripID) throws(CompositionError) {
        guard case .dca(let number) = try place(id) else { throw .noTrack(id) }
        session.removeDCA(at: number - 1)
    }

    mutating func adopt(_ next: Session) throws(CompositionError) {
        if let loop = Routing(next).loop { throw .refused(Routing.problem(loop, in: next)) }
        session = next
    }

    func bus(_ id: StripID) throws(CompositionError) -> StripPlace {
        let place = try place(id)
        guard place.kind == .bus else { throw .refused("\(place) takes no sound: only buses do") }
        return place
    }

    /// A strip whose sound goes on.
    func feeding(_ id: StripID) throws(CompositionError) -> StripPlace {
        let place = try place(id)
        guard place.kind == .track || place.kind == .bus else {
            throw .refused("the sound of \(place) goes nowhere else")
        }
        return place
    }

    func place(_ id: StripID) throws(CompositionError) -> StripPlace {
        guard let place = session.place(of: id) else { throw .noTrack(id) }
        return place
    }
}
