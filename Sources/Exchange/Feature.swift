import Engine
import Timeline

/// What a session may have that a file of another program may not be able to say. One list: what a writer
/// does not speak of is named by itself.
enum Feature: CaseIterable {
    case fader, pan, mute, trim, polarity, solo, soloMode, directOuts, volumeAutomation, panAutomation,
        trimAutomation,
        muteAutomation, trackFades, ducks, buses, sends, sendAutomation, dcas, outputs, scenes, inputs
    case talkbacks, muteGroups, monitoring, automixes, processorAutomation, connections, markers, video,
        clipGains, clipFades, fadeCurves, crossfadesWithFades, crossfadeCurves, pace, pitch, sounds, layouts,
        equalisers, gates, compressors, limiters, delays, signalDucks, sendMatrices,
        automationOff

    /// How it is called in a sentence that says that it is left out.
    var name: String {
        switch self {
        case .fader: "faders"
        case .pan: "pan"
        case .mute: "mutes"
        case .trim: "trim"
        case .polarity: "polarity"
        case .solo: "solo, and what is safe from it"
        case .soloMode: "the way solo works"
        case .directOuts: "the ports of all strips (direct outs)"
        case .talkbacks: "talkbacks, which are sends that are muted there"
        case .muteGroups: "mute groups"
        case .monitoring: "the sound in the control room"
        case .automixes: "automixes"
        case .processorAutomation: "automation of processors"
        case .volumeAutomation: "automation of the volume"
        case .panAutomation: "automation of the pan"
        case .trimAutomation: "automation of the trim"
        case .muteAutomation: "automation of mutes"
        case .trackFades: "the fades of tracks"
        case .ducks: "ducks"
        case .buses: "buses"
        case .sends: "sends"
        case .sendAutomation: "automation of sends"
        case .dcas: "DCAs"
        case .outputs: "where it goes, which is neither a bus nor the master"
        case .scenes: "scenes"
        case .inputs: "inputs"
        case .connections: "connections"
        case .markers: "markers"
        case .video: "the video"
        case .clipGains: "gains of clips"
        case .clipFades: "fades of clips"
        case .fadeCurves: "the curves of fades"
        case .crossfadesWithFades: "fades of clips beside their crossfades"
        case .crossfadeCurves: "the curves of crossfades"
        case .pace: "speed and direction of clips"
        case .pitch: "pitch of clips, and tape"
        case .layouts:
            "channels other than left and right: more are mixed into these, one alone is 3 dB louder"
        case .equalisers: "equalisers"
        case .gates: "gates"
        case .compressors: "compressors"
        case .limiters: "limiters"
        case .delays: "delays of strips"
        case .signalDucks: "ducks by signal"
        case .sendMatrices: "the matrices of sends"
        case .automationOff: "automation that is off"
        case .sounds: "which sound and which channels of a file clips play"
        }
    }

    /// Who has it, by their names; nil: nobody. Empty where it belongs to none.
    func owners(in session: Session) -> [String]? {
        if let has = ofStrips { return Self.some(session.strips.filter(has).map(\.name)) }
        if let has = ofClips {
            return Self.some(session.tracks.filter { $0.clips.contains(where: has) }.map(\.name))
        }
        if let has = ofTracks { return Self.some(session.tracks.filter(has).map(\.name)) }
        if let has = ofSession { return has(session) ? [] : nil }
        return Self.some(names(in: session))
    }

    /// What the session has a list of, by their names.
    private func names(in session: Session) -> [String] {
        func ducked(_ ducks: [Duck]) -> [String] { ducks.compactMap { session.name(of: $0.track) } }
        switch self {
        case .automixes: return session.automixes.compactMap { session.name(of: $0.bus) }
        case .muteGroups: return session.muteGroups.map(\.name)
        case .ducks: return ducked(session.ducks)
        case .signalDucks: return ducked(session.ducks.filter { $0.trigger == .signal })
        case .buses: return session.buses.map(\.name)
        case .dcas: return session.dcas.map(\.name)
        case .scenes: return session.scenes.map(\.name)
        case .markers: return session.markers.map(\.name)
        // Those of strips, clips, tracks and the whole session, which are looked for above.
        case .fader, .pan, .mute, .trim, .polarity, .solo, .talkbacks, .processorAutomation,
            .volumeAutomation, .panAutomation, .trimAutomation, .muteAutomation, .sends, .sendAutomation,
            .outputs, .layouts, .equalisers, .gates, .compressors, .limiters, .delays, .clipGains, .clipFades,
            .fadeCurves, .crossfadeCurves, .pace, .pitch, .sounds, .sendMatrices, .automationOff, .trackFades,
            .inputs, .crossfadesWithFades, .soloMode, .directOuts, .monitoring, .connections, .video:
            return []
        }
    }

    /// Whether a session has it as a whole; nil: it belongs to something else.
    private var ofSession: ((Session) -> Bool)? {
        switch self {
        case .soloMode: { $0.soloMode != .inPlace }
        case .directOuts: { ![nil, .off].contains($0.directOuts) }
        case .monitoring: { $0.monitoring != Monitoring() }
        case .connections: { !$0.connections.isEmpty }
        case .video: { $0.video != nil }
        default: nil
        }
    }

    /// Whether a track has it, beside what all strips may have; nil: it belongs to something else.
    private var ofTracks: ((Track) -> Bool)? {
        switch self {
        case .trackFades: { $0.fadeIn > .zero || $0.fadeOut > .zero }
        case .inputs: { $0.input != nil }
        case .crossfadesWithFades:
            { track in
                zip(track.clips, track.clips.dropFirst()).contains {
                    $1.crossfade.duration > .zero
                        && ($1.fadeIn.duration > .zero || $0.fadeOut.duration > .zero)
                }
            }
        default: nil
        }
    }

    /// Whether a strip has it; nil: it belongs to something else.
    private var ofStrips: ((Strip) -> Bool)? {
        switch self {
        case .fader: return { $0.fader != 1 }
        case .pan: return { $0.pan != 0 }
        case .mute: return \.mute
        case .trim: return { $0.trim != 1 }
        case .polarity: return \.polarity
        case .solo: return { $0.solo || $0.soloSafe }
        case .talkbacks: return { $0.sends.contains(where: \.isTalkback) }
        case .processorAutomation: return \.hasProcessorLanes
        case .volumeAutomation: return { !$0.automation.events.isEmpty }
        case .panAutomation: return { !$0[automation: .pan].events.isEmpty }
        case .trimAutomation: return { !$0[automation: .trim].events.isEmpty }
        case .muteAutomation: return { !$0[automation: .mute].events.isEmpty }
        case .sends: return { !$0.sends.isEmpty }
        case .automationOff: return \.hasAutomationOff
        case .sendMatrices: return { $0.sends.contains { $0.matrix != nil } }
        case .sendAutomation:
            return { strip in
                strip.sends.contains { send in
                    Automation.Control.allCases.contains { !send[automation: $0].events.isEmpty }
                }
            }
        case .outputs: return { $0.id != .master && ($0.output == .none || $0.output == .ports) }
        case .layouts: return { $0.layout != .stereo }
        case .equalisers: return { $0.equaliser != nil }
        case .gates: return { $0.gate != nil }
        case .compressors: return { $0.compressor != nil }
        case .limiters: return { $0.limiter != nil }
        case .delays: return { $0.delay > .zero }
        default: return nil
        }
    }

    /// The same of a clip.
    private var ofClips: ((Clip) -> Bool)? {
        func fades(_ clip: Clip) -> [ClipFade] { [clip.fadeIn, clip.fadeOut].filter { $0.duration > .zero } }
        switch self {
        case .clipGains: return { $0.gain != 1 }
        case .clipFades: return { !fades($0).isEmpty }
        case .fadeCurves: return { fades($0).contains { $0.curve != .linear } }
        case .crossfadeCurves: return { $0.crossfade.duration > .zero }
        case .pace: return { $0.speed != 1 || $0.isReversed }
        case .pitch: return { $0.pitch != 0 || $0.isTape }
        case .sounds: return { $0.stream != 1 || $0.channels != nil }
        default: return nil
        }
    }

    private static func some(_ names: [String]) -> [String]? { names.isEmpty ? nil : names }
}

extension Losses {
    /// Names everything that a session has and that the file does not say.
    /// - Parameters:
    ///   - said: what it says, all of it.
    ///   - instead: what is said of others that it says in its own way: a sentence that begins with whose
    ///     they are.
    func say(_ session: Session, but said: Set<Feature>, instead: [Feature: String] = [:]) {
        for feature in Feature.allCases where !said.contains(feature) {
            guard let owners = feature.owners(in: session) else { continue }
            let sentence = instead[feature] ?? "\(feature.name): left out"
            if owners.isEmpty { say(sentence) } else { say(owners, sentence) }
        }
    }
}
