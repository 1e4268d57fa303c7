import Engine
import Timeline
import XML

/// Routes: strips with their processors, sends and ports.
extension ArdourSession {
    /// - Parameter playlist: of a track.
    func route(_ strip: Strip, _ kind: String, _ order: Int, playlist: String? = nil) -> XMLElement {
        let name = routeNames[strip.id]!
        return XMLElement(
            "Route", pairs: attributes(of: strip, playlist: playlist),
            [
                XMLElement(
                    "PresentationInfo", ["order": "\(order)", "flags": "\(kind),OrderSet", "color": "0"]),
                io(name, "Input", [nil, nil]), io(name, "Output", outputs(of: strip)),
            ] + mute(outline.isMuted(strip)) + [
                control("phase", 0, flags: "Toggle", phaseInvert: strip.polarity ? "11" : "00"),
                XMLElement("Automation"), pannable(strip.pan, strip[automation: .pan]),
            ] + processors(strip, isTrack: playlist != nil) + [XMLElement("Slavable")])
    }

    private func mute(_ isMuted: Bool) -> [XMLElement] {
        let muted = isMuted ? "1" : "0"
        return [
            XMLElement("MuteMaster", ["mute-point": "PostFader,Listen,Main", "muted": muted]),
            control("mute", isMuted ? 1 : 0, flags: "Toggle,RealTime"),
        ]
    }

    private func attributes(of strip: Strip, playlist: String?) -> [(String, String?)] {
        let isMaster = strip.id == .master
        var own: [(String, String?)] = [
            ("version", "7002"), ("id", routeIDs[strip.id]), ("name", routeNames[strip.id]!),
            ("default-type", "audio"),
            ("strict-io", isMaster ? "1" : "0"), ("active", "1"), ("denormal-protection", "0"),
            ("meter-point", "MeterPostFader"),
            ("disk-io-point", "DiskIOPreFader"), ("meter-type", "MeterPeak"),
        ]
        if isMaster { own.append(("volume-applies-to-output", "1")) }
        return playlist == nil ? own : own + Self.attributes(ofTrackWith: playlist)
    }

    private static func attributes(ofTrackWith playlist: String?) -> [(String, String?)] {
        [
            ("audio-playlist", playlist), ("saved-meter-point", "MeterPostFader"),
            ("alignment-choice", "Automatic"), ("mode", "Normal"),
        ]
    }

    /// What a strip's sound goes through, in its order.
    private func processors(_ strip: Strip, isTrack: Bool) -> [XMLElement] {
        let name = routeNames[strip.id]!
        let inserts = ArdourPlugins(strip, rate: outline.rate)
        for sentence in inserts.lost { losses.say([strip.name], sentence) }
        let (pre, post) = (strip.sends.filter(\.isPre), strip.sends.filter { !$0.isPre })
        let (trim, volume) = levels(of: strip, isBound: !pre.isEmpty || inserts.goByLevel)
        var processors = isTrack ? disk(name) : []
        if outline.sentTo.contains(strip.id) { processors.append(processor("Return", "intreturn")) }
        processors += [processor("Polarity", "polarity"), trimmer(trim)]
        processors += inserts.plugins.map { $0.element(id: ids.next()) }
        processors += pre.map { send($0, of: strip) } + [gain(volume)] + post.map { send($0, of: strip) }
        return processors + outs(name)
    }

    private func trimmer(_ trim: Double) -> XMLElement {
        processor(
            "Amp", "trim", [],
            [XMLElement("Automation", [:], [list("trim", nil)]), control("trimcontrol", trim)])
    }

    /// What writes a track and plays it.
    private func disk(_ name: String) -> [XMLElement] {
        [
            processor("recorder:\(name)", "diskwriter", [("record-safe", "0")]),
            processor("player:\(name)", "diskreader"),
        ]
    }

    /// What measures a strip, and where it leaves.
    private func outs(_ name: String) -> [XMLElement] {
        [
            processor("meter-\(name)", "meter"),
            processor(
                name, "main-outs",
                [("own-input", "1"), ("own-output", "0"), ("output", name), ("role", "Main")],
                [XMLElement("PannerShell", ["bypassed": "0", "user-panner": "", "linked-to-route": "1"])]),
        ]
    }

    /// The trim, and the volume as its fader is moved. What is louder than a fader goes, the trim makes up
    /// for.
    /// - Parameter isBound: something leaves between the two.
    private func levels(of strip: Strip, isBound: Bool) -> (trim: Double, volume: Polyline) {
        let volume = outline.volume(of: strip)
        let louder = volume.highest / Self.loudestFader
        if louder <= 1, strip.trim <= Self.loudestTrim { return (strip.trim, volume) }
        let trim = min(Self.loudestTrim, strip.trim * max(1, louder))
        if isBound || trim < strip.trim * louder {
            losses.say([strip.name], "it is louder than Ardour's fader goes, 6 dB, and is cut to that")
        }
        return isBound ? (strip.trim, volume) : (trim, volume.times(strip.trim / trim))
    }

    private func processor(
        _ name: String, _ type: String, _ others: [(String, String?)] = [], _ children: [XMLElement] = []
    ) -> XMLElement {
        XMLElement(
            "Processor",
            pairs: [
                ("id", ids.next()), ("name", name), ("active", "1"), ("user-latency", "0"),
                ("use-user-latency", "0"),
            ] + others + [("type", type)], children)
    }

    private func gain(_ volume: Polyline) -> XMLElement {
        processor(
            "Amp", "amp", [],
            [
                XMLElement("Automation", [:], [list("gain", volume.isStill ? nil : volume)]),
                control("gaincontrol", volume.first),
            ])
    }

    private func pannable(_ pan: Double, _ automation: Automation) -> XMLElement {
        // From 0, left, to 1.
        let line =
            automation.events.isEmpty
            ? nil : Polyline(automation, startingAt: pan, sampleRate: outline.rate).times(0.5, plus: 0.5)
        return XMLElement(
            "Pannable", [:],
            [
                control("pan-azimuth", (pan + 1) / 2, flags: ""), control("pan-width", 1, flags: ""),
                XMLElement("Automation", [:], [list("pan-azimuth", line)]),
            ])
    }

    func send(_ send: Send, of strip: Strip) -> XMLElement {
        let volume = outline.volume(of: send)
        let isLinked = isLinked(send, of: strip)
        return processor(
            routeNames[send.bus]!, "intsend",
            [
                ("own-input", "1"), ("own-output", "1"), ("role", "Aux"), ("selfdestruct", "0"),
                ("target", routeIDs[send.bus]), ("allow-feedback", "0"),
            ],
            [
                XMLElement("Automation", [:], [list("send", volume.isStill ? nil : volume)]),
                panner(isLinked: isLinked),
                pannable(send.pan, send[automation: .pan]), control("polarity-invert", 0, flags: "Toggle"),
                control("gaincontrol", volume.first, flags: "GainLike,InlineControl"),
            ])
    }

    /// Whether a send's balance is the strip's.
    private func isLinked(_ send: Send, of strip: Strip) -> Bool {
        let isStraight = send.pan == 0 && send[automation: .pan].events.isEmpty
        // Behind the pan its balance comes on top, which Ardour has no word for.
        let isCentred = strip.pan == 0 && strip[automation: .pan].events.isEmpty
        let isLinked = !send.isPre && (isStraight || !isCentred)
        if isLinked, !isStraight {
            losses.say(
                [strip.name],
                """
                the balance of its send to "\(outline.buses[send.bus]!.name)" is left out: the send goes by \
                the track's
                """
            )
        }
        return isLinked
    }

    private func panner(isLinked: Bool) -> XMLElement {
        XMLElement(
            "PannerShell",
            ["bypassed": "0", "user-panner": "", "linked-to-route": isLinked ? "1" : "0"],
            [
                XMLElement(
                    "Panner",
                    ["uri": "http://ardour.org/plugin/panner_balance", "type": "Stereo Balance"])
            ])
    }

    private func io(_ name: String, _ direction: String, _ others: [String?]) -> XMLElement {
        XMLElement(
            "IO", ["name": name, "id": ids.next(), "direction": direction, "default-type": "audio"],
            others.enumerated().map { side, other in
                XMLElement(
                    "Port",
                    [
                        "type": "audio",
                        "name": "\(name)/audio_\(direction == "Input" ? "in" : "out") \(side + 1)",
                    ], other.map { [XMLElement("Connection", ["other": $0])] } ?? [])
            })
    }

    private func outputs(of strip: Strip) -> [String?] {
        func sides(of id: StripID) -> [String?] { [1, 2].map { "\(routeNames[id]!)/audio_in \($0)" } }
        if strip.id == .master { return ["system:playback_1", "system:playback_2"] }
        switch strip.output {
        case .master: return sides(of: .master)
        case .bus(let id): return sides(of: id)
        case .none, .ports: return [nil, nil]
        }
    }
}
