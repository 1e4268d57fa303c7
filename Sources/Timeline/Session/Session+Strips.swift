import Speakers

/// Strips of all kinds: found, added, removed, and where their sound goes.
extension Session {
    /// Tracks, buses, DCAs, and the master at the end.
    public var strips: [Strip] { tracks.map(\.strip) + buses + dcas.map(\.strip) + [master] }

    /// All of them, in the same order.
    public var places: [StripPlace] {
        tracks.indices.map { .track($0 + 1) } + buses.indices.map { .bus($0 + 1) }
            + dcas.indices.map { .dca($0 + 1) } + [.master]
    }

    /// Whether there is a strip of that number.
    package func has(_ place: StripPlace) -> Bool {
        switch place {
        case .track(let number), .bus(let number), .dca(let number):
            number >= 1 && number <= count(place.kind)
        case .master: true
        }
    }

    /// How many there are of a kind.
    public func count(_ kind: StripKind) -> Int {
        switch kind {
        case .track: tracks.count
        case .bus: buses.count
        case .dca: dcas.count
        case .master: 1
        }
    }

    /// A strip that is there.
    public subscript(place: StripPlace) -> Strip {
        get {
            switch place {
            case .track(let number): tracks[number - 1].strip
            case .bus(let number): buses[number - 1]
            case .dca(let number): dcas[number - 1].strip
            case .master: master
            }
        }
        _modify {
            switch place {
            case .track(let number): yield &tracks[number - 1].strip
            case .bus(let number): yield &buses[number - 1]
            case .dca(let number): yield &dcas[number - 1].strip
            case .master: yield &master
            }
        }
    }

    /// Where the strip of that id is; nil for one that is not there.
    public func place(of id: StripID) -> StripPlace? {
        if id == .master { return .master }
        if let index = tracks.firstIndex(where: { $0.id == id }) { return .track(index + 1) }
        if let index = buses.firstIndex(where: { $0.id == id }) { return .bus(index + 1) }
        return dcas.firstIndex { $0.id == id }.map { .dca($0 + 1) }
    }

    /// The channels of the strip of that id; two of what is monitored.
    public func layout(of id: StripID) -> SpeakerLayout { place(of: id).map { self[$0].layout } ?? .stereo }

    /// Gives a track or a bus other channels; a track keeps those of its input. What its other ports were
    /// connected to is let go.
    public mutating func setLayout(_ layout: SpeakerLayout, of place: StripPlace) {
        guard place.kind == .track || place.kind == .bus else { return }
        self[place].layout = layout
        if case .track(let number) = place { tracks[number - 1].widen() }
        dropSurplusLinks(of: self[place].id)
        dropMisfits()
    }

    /// Gives a track an input. What other ports of an input before it were connected to is let go.
    public mutating func setInput(_ input: Input, ofTrack index: Int) {
        tracks[index].input = input
        dropSurplusLinks(of: tracks[index].id)
        dropMisfits()
    }

    /// Matrices of sends whose strip or bus has other channels by now go.
    private mutating func dropMisfits() {
        for (place, send) in misfits { setSend(of: place, to: send.bus) { $0.matrix = nil } }
    }

    /// Sends whose matrix does not lead from their strip's channels to their bus's.
    public var misfits: [(place: StripPlace, send: Send)] {
        places.flatMap { place in
            self[place].sends.filter { send in
                send.matrix.map { !$0.fits(from: self[place].layout, to: layout(of: send.bus)) } ?? false
            }.map { (place, $0) }
        }
    }

    private mutating func dropSurplusLinks(of id: StripID) {
        connections = connections.filter { $0.strip != id || hasPort($0) }
    }

    /// What the strip of that id is called; nil for one that is not there.
    public func name(of id: StripID) -> String? { place(of: id).map { self[$0].name } }

    /// Adds a bus at the end, with an id of its own. `StripName` says what it may be called.
    @discardableResult
    public mutating func addBus(named name: String, layout: SpeakerLayout = .stereo) -> StripID {
        var bus = Strip(name: name)
        bus.layout = layout
        bus.id = newID()
        buses.append(bus)
        return bus.id
    }

    /// Removes a bus, the sends to it and the ducks that name it; what went out through it goes to the
    /// master.
    public mutating func removeBus(at index: Int) {
        let id = buses.remove(at: index).id
        for place in places {
            self[place].sends.removeAll { $0.bus == id }
            if self[place].output == .bus(id) { self[place].output = .master }
        }
        for index in scenes.indices {
            scenes[index].strips = scenes[index].strips.mapValues { $0.without(sendTo: id) }
        }
        forget(id)
    }

    /// Adds a DCA at the end, with an id of its own.
    @discardableResult
    public mutating func addDCA(named name: String, members: [StripID] = []) -> StripID {
        var dca = DCA(name: name)
        dca.strip.id = newID()
        dca.members = members
        dcas.append(dca)
        return dca.id
    }

    /// Removes a DCA: nothing hangs on it any more.
    public mutating func removeDCA(at index: Int) { forget(dcas.remove(at: index).id) }

    /// The strips that hang on a DCA, which are no DCAs themselves.
    public mutating func setMembers(_ members: [StripID], ofDCA index: Int) { dcas[index].members = members }

    /// For each track and bus that goes by the level of others, which those are.
    public var keys: [StripID: [StripID]] {
        var keys: [StripID: [StripID]] = [:]
        for strip in tracks.map(\.strip) + buses {
            for key in strip.dynamics.compactMap(\.key) { keys[strip.id, default: []].append(key) }
        }
        for duck in ducks where duck.trigger == .signal { keys[duck.track, default: []].append(duck.under) }
        return keys
    }

    /// The ducks by hand, by whom they lower: one for each.
    public var handDucks: [StripID: Duck] {
        Dictionary(
            ducks.filter { $0.trigger == .hand }.map { ($0.track, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// What goes by the level of `key` goes by its own, and makes way for it no more.
    mutating func removeKey(_ key: StripID, of place: StripPlace) {
        if self[place].compressor?.key == key { self[place].compressor?.key = nil }
        if self[place].gate?.key == key { self[place].gate?.key = nil }
        let id = self[place].id
        ducks.removeAll { $0.track == id && $0.under == key && $0.trigger == .signal }
    }

    /// What is left that speaks of a strip that has gone.
    mutating func forget(_ id: StripID) {
        connections.removeAll { $0.strip == id }
        midi.bindings.removeAll {
            if case .control(let strip, let bus, _) = $0.action { strip == id || bus == id } else { false }
        }
        forgetInDucks(id)
        for place in places {
            if self[place].compressor?.key == id { self[place].compressor?.key = nil }
            if self[place].gate?.key == id { self[place].gate?.key = nil }
        }
        if monitoring.source == .strip(id) { monitoring.source = .solo }
        for index in muteGroups.indices { muteGroups[index].members.removeAll { $0 == id } }
        for index in dcas.indices { dcas[index].members.removeAll { $0 == id } }
        forgetInScenes(id)
    }

    private mutating func forgetInScenes(_ id: StripID) {
        for index in scenes.indices {
            scenes[index].strips[id] = nil
            scenes[index].strips = scenes[index].strips.mapValues { $0.without(id) }
        }
    }

    private mutating func forgetInDucks(_ id: StripID) {
        for index in ducks.indices where ducks[index].keys.count > 1 {
            let keys = ducks[index].keys.filter { $0 != id }
            (ducks[index].under, ducks[index].others) = (keys[0], Array(keys.dropFirst()))
        }
        ducks.removeAll { $0.track == id || $0.under == id }
    }

    // MARK: - Sends

    /// The send of a strip to a bus, to be changed, or made first if there is none.
    public mutating func setSend(of place: StripPlace, to bus: StripID, _ change: (inout Send) -> Void) {
        let index = self[place].sends.firstIndex { $0.bus == bus }
        var send = index.map { self[place].sends[$0] } ?? Send(to: bus)
        if index == nil { send.id = newID() }
        change(&send)
        if let index { self[place].sends[index] = send } else { self[place].sends.append(send) }
    }

    /// Gives ids to sends that have none: those of a file.
    mutating func numberSends() {
        for place in places {
            for index in self[place].sends.indices { self[place].sends[index].id = newID() }
        }
    }

    /// Takes a send away, if it is there.
    public mutating func removeSend(of place: StripPlace, to bus: StripID) {
        self[place].sends.removeAll { $0.bus == bus }
    }
}

extension Strip {
    /// Its send to a bus; nil without one.
    public func send(to bus: StripID) -> Send? { sends.first { $0.bus == bus } }
}

extension Session {
    /// What something sounds like depends on what was played before it: it remembers.
    public var remembers: Bool {
        strips.contains(where: \.remembers) || !automixes.isEmpty || ducks.contains { $0.trigger == .signal }
    }

    /// The oldest version of the format that has a word for all of it.
    var version: Int {
        usesMore ? 3 : usesDesk ? 2 : 1
    }

    /// Something of it is not of the format's second version.
    private var usesMore: Bool {
        if monitoring != Monitoring() || midi != MIDIMap() { return true }
        if !deskMemory.isEmpty || connections.contains(where: { $0.strip == .midi }) { return true }
        if (tracks.map(\.strip) + buses).contains(where: { $0.layout != .stereo }) { return true }
        if !muteGroups.isEmpty || strips.contains(where: { $0.muteMode != .main || $0.hasProcessorLanes }) {
            return true
        }
        if strips.contains(where: { $0.automix != nil || $0.automixing != Automix.Member() }) { return true }
        return strips.contains {
            $0.delay != .zero || $0.sends.contains { $0.isTalkback || $0.matrix != nil }
        }
    }

    /// Something of it is not of the format's first version.
    private var usesDesk: Bool {
        if ducks.contains(where: { $0.trigger != .clips }) { return true }
        if !buses.isEmpty || !dcas.isEmpty || chosenSoloMode != nil || directOuts != nil { return true }
        if !connections.isEmpty { return true }
        let plain = Strip(name: "")
        if tracks.contains(where: { $0.input != nil || $0.monitor != .auto || $0.isArmed }) { return true }
        let strips = tracks.map(\.strip) + [master]
        return strips.contains { strip in
            strip.equaliser != nil || !strip.dynamics.isEmpty || strip.limiter != nil || strip.trim != 1
                || strip.polarity || strip.soloSafe || !strip.sends.isEmpty
                || strip.output != (strip.id == .master ? .ports : plain.output)
                || strip.lanes.movesMoreThanVolume || !strip.writing.isEmpty
        } || master.pan != 0 || !master.automation.events.isEmpty
            || scenes.contains { $0.strips[.master]?.pan ?? 0 != 0 }
    }
}
