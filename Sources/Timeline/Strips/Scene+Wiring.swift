import JSON

extension Scene {
    /// How a strip is set up beside its faders: what comes in, where it goes, who hears it, what hangs on it.
    public struct Wiring: Equatable, Sendable {
        /// What its sound is multiplied by before all else, linear, 0 to 4.
        public var trim = 1.0
        /// Whether its sound is turned upside down.
        public var polarity = false
        /// Where its sound goes, of a track or a bus.
        public var output = Output.master
        /// Whether it is on solo.
        public var solo = false
        /// What hangs on it, of a DCA.
        public var members: [StripID] = []

        init() {}

        /// That of a strip of a session, as far as a strip of its kind has it.
        init(of place: StripPlace, in session: Session) {
            let strip = session[place]
            if place.kind != .dca { (trim, polarity) = (strip.trim, strip.polarity) }
            if place.kind == .track || place.kind == .bus { output = strip.output }
            if place != .master { solo = strip.solo }
            if case .dca(let number) = place { members = session.dcas[number - 1].members }
        }
    }
}

extension Scene.Strip {
    /// The same where a strip is gone: what went out through it goes to the master.
    func without(_ id: StripID) -> Scene.Strip {
        var strip = self
        if strip.wiring?.output == .bus(id) { strip.wiring?.output = .master }
        strip.wiring?.members.removeAll { $0 == id }
        return strip
    }
}

extension Session {
    /// Sets what a scene says of a strip beside its faders.
    mutating func recall(_ wiring: Scene.Wiring, at place: StripPlace, _ parts: Set<ScenePart>) {
        if parts.contains(.trim), place.kind != .dca {
            (self[place].trim, self[place].polarity) = (wiring.trim, wiring.polarity)
        }
        if parts.contains(.output), place.kind == .track || place.kind == .bus {
            self[place].output = wiring.output
        }
        if parts.contains(.solo), place != .master { self[place].solo = wiring.solo }
        if parts.contains(.members), case .dca(let number) = place {
            setMembers(wiring.members, ofDCA: number - 1)
        }
    }
}

extension Field {
    /// What a scene says of a strip beside its faders, but for what is as it is unless told.
    static func wiring(
        _ path: WritableKeyPath<Part, Scene.Wiring?> & Sendable, _ kind: StripKind, _ names: StripNames
    ) -> [Field] {
        let table = wiringTable(kind, names)
        return table.map { field in
            Field(name: field.name) { reader, part in
                guard reader.object[field.name] != nil else { return }
                var wiring = part[keyPath: path] ?? Scene.Wiring()
                field.read(&reader, &wiring)
                part[keyPath: path] = wiring
            } write: { part in
                part[keyPath: path].flatMap(field.write)
            }
        }
    }

    /// What a scene says of how a strip of a kind is wired.
    private static func wiringTable(_ kind: StripKind, _ names: StripNames) -> [Field<Scene.Wiring>] {
        var table: [Field<Scene.Wiring>] = []
        if kind != .dca {
            table += [.volume("trim", \.trim, omitted: 1), .flag("polarity", \.polarity, omitted: false)]
        }
        if kind == .track || kind == .bus { table.append(.output("output", \.output, names)) }
        if kind != .master { table.append(.flag("solo", \.solo, omitted: false)) }
        if kind == .dca {
            table.append(SessionFile.members("members", \.members, names, kinds: [.track, .bus, .master]))
        }
        return table
    }

    /// Where a strip's sound goes.
    /// - Parameter omitted: where it goes when that is left out.
    static func output(
        _ name: String, _ path: WritableKeyPath<Part, Output> & Sendable, _ names: StripNames,
        omitted: Output = .master
    ) -> Field {
        Field(name: name) { reader, part in
            switch reader.text(name) {
            case nil: break
            case "master": part[keyPath: path] = .master
            case "none": part[keyPath: path] = .none
            case "ports": part[keyPath: path] = .ports
            case let bus?:
                if let id = names.ids[bus], names.kind(id) == .bus {
                    part[keyPath: path] = .bus(id)
                } else {
                    reader.fault(name, "there is no bus \"\(bus)\": a bus, master, none or ports")
                }
            }
        } write: {
            let output = $0[keyPath: path]
            if output == omitted { return nil }
            return switch output {
            case .master: .string("master")
            case .none: .string("none")
            case .ports: .string("ports")
            case .bus(let bus): .string(names.names[bus] ?? "")
            }
        }
    }
}

extension Field<Scene> {
    /// Whether a scene says so of its strips: without it what stands nowhere is left as it is.
    static var isWired: Field<Scene> {
        Field<Scene>(name: "wiring") { reader, scene in
            guard reader.flag("wiring", default: false) else { return }
            for id in scene.strips.keys where scene.strips[id]?.wiring == nil {
                scene.strips[id]?.wiring = Scene.Wiring()
            }
        } write: { scene in
            scene.strips.values.contains { $0.wiring != nil } ? .bool(true) : nil
        }
    }
}
