import JSON

/// Where all faders, pans and mutes stood, under a name.
public struct Scene: Equatable, Sendable {
    /// Where a track stands in it.
    public struct Strip: Equatable, Sendable {
        /// The live level, linear, 0 to 4.
        public var fader: Double
        /// Balance, -1 to 1.
        public var pan: Double
        /// Whether it is silenced.
        public var mute: Bool
        /// Fields of the file that this version does not know, kept for the next save.
        public var unknown = JSONObject()
    }

    /// What it is recalled by.
    public var name: String
    /// Tracks that came later are not in it.
    public internal(set) var strips: [TrackID: Strip] = [:]
    /// Where the master stands in it.
    public internal(set) var master = Master()
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
        for track in tracks {
            scene.strips[track.id] = Scene.Strip(fader: track.fader, pan: track.pan, mute: track.mute, unknown: before?.strips[track.id]?.unknown ?? JSONObject())
        }
        (scene.master.fader, scene.master.mute) = (master.fader, master.mute)
        if let index, let before {
            (scene.unknown, scene.master.unknown) = (before.unknown, before.master.unknown)
            scenes[index] = scene
        } else {
            scenes.append(scene)
        }
    }

    /// Sets everything to where it stood; tracks that the scene does not know stay.
    public mutating func recall(_ scene: Scene) {
        for index in tracks.indices {
            guard let strip = scene.strips[tracks[index].id] else { continue }
            (tracks[index].fader, tracks[index].pan, tracks[index].mute) = (strip.fader, strip.pan, strip.mute)
        }
        (master.fader, master.mute) = (scene.master.fader, scene.master.mute)
    }
}
