import JSON
import Remote
import Timeline

/// What of the mixer a parameter of a desk is.
enum DeskPart: Hashable {
    case fader(StripPlace)
    /// Heard, the other way round than muted.
    case on(StripPlace)
    case pan(StripPlace)
    case name(StripPlace)
    /// It goes to the master.
    case toMain(StripPlace)
    case trim(StripPlace)
    case polarity(StripPlace)
    case highPassOn(StripPlace)
    case highPass(StripPlace)
    case highPassSlope(StripPlace)
    case equaliserOn(StripPlace)
    /// Of a band, from 1.
    case bandType(StripPlace, Int)
    case bandFrequency(StripPlace, Int)
    case bandGain(StripPlace, Int)
    case bandQuality(StripPlace, Int)
    case dynamicsOn(StripPlace, DynamicsKind)
    /// One of its numbers, by the mixer's name for it.
    case dynamics(StripPlace, DynamicsKind, String)
    case ratio(StripPlace)
    case delayOn(StripPlace)
    case delay(StripPlace)
    /// To a bus, from 1.
    case sendLevel(StripPlace, Int)
    case sendOn(StripPlace, Int)
    case sendPan(StripPlace, Int)
    case sendTap(StripPlace, Int)
    case dcas(StripPlace)
    case muteGroups(StripPlace)
    case solo(StripPlace)
    case anySolo
    case clearSolo
    /// From 1.
    case muteGroup(Int)
    case scene
    case goScene
    /// The names of scenes, and whether there are, from 0.
    case sceneName(Int)
    case hasScene(Int)
    case presentScene
    case storeScene
    case tape
    case tapeSeconds
    case deskName
}

extension DeskModel {
    /// Which parameters are what, by their addresses.
    var parts: [String: DeskPart] {
        var parts: [String: DeskPart] = [:]
        for strip in strips {
            guard let head = address(strip) else { continue }
            for (path, part) in paths(strip) { parts["\(head)/\(path)"] = part }
            if let number = solo(strip) { parts[soloAddress(number)] = .solo(strip) }
        }
        for number in 1...muteGroups { parts["/config/mute/\(number)"] = .muteGroup(number) }
        parts[Self.anySolo] = .anySolo
        parts["/-action/clearsolo"] = .clearSolo
        parts["/-stat/tape/state"] = .tape
        parts["/-stat/tape/etime"] = .tapeSeconds
        parts["/-prefs/name"] = .deskName
        return parts.merging(sceneParts) { first, _ in first }
    }

    /// What the addresses of all switches for solo begin with.
    static let soloNode = "/-stat/solosw/"

    /// Whether any of them is on.
    static let anySolo = "/-stat/solo"

    func soloAddress(_ number: Int) -> String { "\(Self.soloNode)\(zeroPadded(number, 2))" }

    /// The node of a scene, from 0.
    func sceneNode(_ number: Int) -> String {
        let number = number + firstScene
        return self == .x32
            ? "/-show/showfile/scene/\(zeroPadded(number, 3))" : "/-snap/\(zeroPadded(number, 2))"
    }

    func sceneNameAddress(_ number: Int) -> String { "\(sceneNode(number))/name" }

    private var sceneParts: [String: DeskPart] {
        var parts: [String: DeskPart] = [:]
        for number in 0..<scenes {
            parts[sceneNameAddress(number)] = .sceneName(number)
            if self == .x32 { parts["\(sceneNode(number))/hasdata"] = .hasScene(number) }
        }
        if self == .x32 {
            parts["/-show/prepos/current"] = .scene
            parts["/-action/goscene"] = .goScene
        } else {
            parts["/-snap/index"] = .scene
            parts["/-snap/load"] = .goScene
            parts["/-snap/save"] = .storeScene
            parts["/-snap/name"] = .presentScene
        }
        return parts
    }

    /// Of one strip, behind what its addresses begin with.
    private func paths(_ strip: StripPlace) -> [(String, DeskPart)] {
        if strip.kind == .dca {
            return [("fader", .fader(strip)), ("on", .on(strip)), ("config/name", .name(strip))]
        }
        var paths: [(String, DeskPart)] = [
            ("mix/fader", .fader(strip)), ("mix/on", .on(strip)), ("mix/pan", .pan(strip)),
        ]
        if strip.kind != .master {
            paths += [("config/name", .name(strip)), (self == .x32 ? "mix/st" : "mix/lr", .toMain(strip))]
            paths += [("grp/dca", .dcas(strip)), ("grp/mute", .muteGroups(strip))]
            paths += sends(strip)
        }
        return paths + equaliser(strip) + dynamics(strip) + (strip.kind == .track ? channel(strip) : [])
    }

    /// What only tracks have on a desk.
    private func channel(_ strip: StripPlace) -> [(String, DeskPart)] {
        var paths: [(String, DeskPart)] = [
            ("preamp/invert", .polarity(strip)), ("preamp/hpon", .highPassOn(strip)),
            ("preamp/hpf", .highPass(strip)), ("gate/on", .dynamicsOn(strip, .gate)),
        ]
        if self == .x32 {
            paths += [("preamp/trim", .trim(strip)), ("preamp/hpslope", .highPassSlope(strip))]
            paths += [("delay/on", .delayOn(strip)), ("delay/time", .delay(strip))]
        }
        let numbers = [
            "thr": "threshold", "range": "range", "attack": "attack", "hold": "hold", "release": "release",
        ]
        return paths + numbers.map { ("gate/\($0)", .dynamics(strip, .gate, $1)) }
    }

    private func equaliser(_ strip: StripPlace) -> [(String, DeskPart)] {
        [("eq/on", .equaliserOn(strip))]
            + (1...Equaliser.bandCount).flatMap { band -> [(String, DeskPart)] in
                [
                    ("eq/\(band)/type", .bandType(strip, band)),
                    ("eq/\(band)/f", .bandFrequency(strip, band)),
                    ("eq/\(band)/g", .bandGain(strip, band)), ("eq/\(band)/q", .bandQuality(strip, band)),
                ]
            }
    }

    private func dynamics(_ strip: StripPlace) -> [(String, DeskPart)] {
        let numbers = ["thr": "threshold", "attack": "attack", "release": "release", "mgain": "makeup"]
        return [("dyn/on", .dynamicsOn(strip, .comp)), ("dyn/ratio", .ratio(strip))]
            + numbers.map { ("dyn/\($0)", .dynamics(strip, .comp, $1)) }
    }

    /// To the buses; those of an X32's buses lead to matrices, which are none of the mixer's.
    private func sends(_ strip: StripPlace) -> [(String, DeskPart)] {
        if strip.kind != .track { return [] }
        return (1...buses).flatMap { bus -> [(String, DeskPart)] in
            let head = "mix/\(zeroPadded(bus, 2))"
            let level: [(String, DeskPart)] = [("\(head)/level", .sendLevel(strip, bus))]
            if self == .xair {
                return level + [("\(head)/tap", .sendTap(strip, bus))]
                    + (bus % 2 == 1 ? [("\(head)/pan", .sendPan(strip, bus))] : [])
            }
            return level + [("\(head)/on", .sendOn(strip, bus))]
                + (bus % 2 == 1
                    ? [("\(head)/pan", .sendPan(strip, bus)), ("\(head)/type", .sendTap(strip, bus))] : [])
        }
    }
}
