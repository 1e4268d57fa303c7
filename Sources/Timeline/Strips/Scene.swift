import JSON

/// Where all faders, pans, mutes, sends and processors stood, and how strips were wired, under a name.
public struct Scene: Equatable, Sendable {
    /// Where a strip stands in it.
    public struct Strip: Equatable, Sendable {
        /// The live level, linear, 0 to 4.
        public var fader: Double
        /// Balance, -1 to 1.
        public var pan: Double
        /// Whether it is silenced.
        public var mute: Bool
        /// What its sound goes through; nil: the scene says nothing of that.
        public var processors: Processors?
        /// Trim, polarity, output, solo, members; nil: the scene says nothing of these.
        public var wiring: Wiring?
        /// Where its sends stand, by their buses.
        public var sends: [StripID: Send] = [:]
        /// Fields of the file that this version does not know, kept for the next save.
        public var unknown = JSONObject()

        func without(sendTo bus: StripID) -> Strip {
            var strip = self
            strip.sends[bus] = nil
            return strip
        }
    }

    /// Where a send stands in it.
    public struct Send: Equatable, Sendable {
        /// Linear, 0 to 4.
        public var volume: Double
        /// Balance, -1 to 1.
        public var pan: Double
        /// Whether it is silenced.
        public var mute: Bool
        /// Fields of the file that this version does not know, kept for the next save.
        public var unknown = JSONObject()
    }

    /// What it is recalled by.
    public var name: String
    /// Where each strip stands, DCAs and the master among them. Strips that came later are not in it.
    public internal(set) var strips: [StripID: Strip] = [:]
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// More scenes than an evening has; a bound for what a remote control may make the mixer hold.
    public static let maximum = 200

    init(name: String) { self.name = name }
}

extension Session {
    /// Notes where everything stands under `name`, in place of what was noted there.
    public mutating func storeScene(_ name: String) {
        var scene = Scene(name: name)
        let index = scenes.firstIndex { $0.name == name }
        let before = index.map { scenes[$0] }
        // Where nobody has any, nothing is said of them.
        let hasProcessors =
            strips.contains { $0.processors != Processors() }
            || before?.strips.values.contains { $0.processors != nil } ?? false
        for strip in strips {
            scene.strips[strip.id] = noted(
                strip, before?.strips[strip.id], hasProcessors: hasProcessors)
        }
        if let index, let before {
            scene.unknown = before.unknown
            scenes[index] = scene
        } else {
            scenes.append(scene)
        }
    }

    /// What a scene says of a strip.
    /// - Parameter known: what it said before.
    private func noted(_ strip: Strip, _ known: Scene.Strip?, hasProcessors: Bool) -> Scene.Strip {
        let sends = Self.noted(strip.sends, known)
        var processors = strip.processors
        processors.unknown = known?.processors?.unknown ?? JSONObject()
        return Scene.Strip(
            fader: strip.fader, pan: strip.pan, mute: strip.mute,
            processors: hasProcessors && place(of: strip.id)?.kind != .dca ? processors : nil,
            wiring: place(of: strip.id).map { Scene.Wiring(of: $0, in: self) },
            sends: Dictionary(uniqueKeysWithValues: sends), unknown: known?.unknown ?? JSONObject())
    }

    private static func noted(_ own: [Send], _ known: Scene.Strip?) -> [(StripID, Scene.Send)] {
        own.map { send in
            (
                send.bus,
                Scene.Send(
                    volume: send.volume, pan: send.pan, mute: send.mute,
                    unknown: known?.sends[send.bus]?.unknown ?? JSONObject())
            )
        }
    }

    /// Sets everything to where it stood; strips and sends that the scene does not know stay.
    /// - Parameters:
    ///   - parts: what of them is set.
    ///   - only: which of them are; nil is all.
    public mutating func recall(
        _ scene: Scene, parts: Set<ScenePart> = Set(ScenePart.allCases), only: Set<StripID>? = nil
    ) {
        for place in places {
            guard let noted = scene.strips[self[place].id], only?.contains(self[place].id) ?? true else {
                continue
            }
            self[place].recall(noted, parts)
            if let wiring = noted.wiring { recall(wiring, at: place, parts) }
            if parts.contains(.sends) { self[place].recallSends(noted) }
        }
    }
}

extension Strip {
    fileprivate mutating func recall(_ noted: Scene.Strip, _ parts: Set<ScenePart>) {
        if parts.contains(.volume) { fader = noted.fader }
        if parts.contains(.pan) { pan = noted.pan }
        if parts.contains(.mute) { mute = noted.mute }
        guard parts.contains(.processors), let noted = noted.processors else { return }
        let keys = (gate?.key, compressor?.key)
        processors = noted
        gate?.key = keys.0
        compressor?.key = keys.1
    }

    fileprivate mutating func recallSends(_ noted: Scene.Strip) {
        for index in sends.indices {
            guard let send = noted.sends[sends[index].bus] else { continue }
            (sends[index].volume, sends[index].pan, sends[index].mute) = (send.volume, send.pan, send.mute)
        }
    }
}
