import Engine
import Timeline

/// What a session may have that a file of another program may not be able to say. One list: what a writer
/// does not speak of is named by itself.
enum Feature: CaseIterable {
    case fader, pan, mute, trim, polarity, solo, soloMode, volumeAutomation, panAutomation, trimAutomation,
        muteAutomation, trackFades, ducks, buses, sends, sendAutomation, dcas, outputs, scenes, inputs
    case talkbacks, muteGroups, monitoring, automixes, processorAutomation, connections, markers, video,
        clipGains, clipFades, fadeCurves, crossfadesWithFades, crossfadeCurves, pace, pitch, sounds, layouts,
        equalisers, gates, compressors, limiters, delays, signalDucks

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
        case .sounds: "which sound and which channels of a file clips play"
        }
    }

    /// Who has it, by their names; nil: nobody. Empty where it belongs to none.
    func owners(in session: Session) -> [String]? {
        func strips(_ has: (Strip) -> Bool) -> [String]? { Self.some(session.strips.filter(has).map(\.name)) }
        func tracks(_ has: (Clip) -> Bool) -> [String]? {
            Self.some(session.tracks.filter { $0.clips.contains(where: has) }.map(\.name))
        }
        func fades(_ clip: Clip) -> [ClipFade] { [clip.fadeIn, clip.fadeOut].filter { $0.duration > .zero } }
        switch self {
        case .fader: return strips { $0.fader != 1 }
        case .pan: return strips { $0.pan != 0 }
        case .mute: return strips(\.mute)
        case .trim: return strips { $0.trim != 1 }
        case .polarity: return strips(\.polarity)
        case .solo: return strips { $0.solo || $0.soloSafe }
        case .soloMode: return session.soloMode == .inPlace ? nil : []
        case .talkbacks: return strips { $0.sends.contains(where: \.isTalkback) }
        case .processorAutomation: return strips(\.hasProcessorLanes)
        case .automixes: return Self.some(session.automixes.compactMap { session.name(of: $0.bus) })
        case .muteGroups: return Self.some(session.muteGroups.map(\.name))
        case .monitoring: return session.monitoring == Monitoring() ? nil : []
        case .volumeAutomation: return strips { !$0.automation.events.isEmpty }
        case .panAutomation: return strips { !$0[automation: .pan].events.isEmpty }
        case .trimAutomation: return strips { !$0[automation: .trim].events.isEmpty }
        case .muteAutomation: return strips { !$0[automation: .mute].events.isEmpty }
        case .trackFades:
            return Self.some(session.tracks.filter { $0.fadeIn > .zero || $0.fadeOut > .zero }.map(\.name))
        case .ducks: return Self.some(session.ducks.compactMap { session.name(of: $0.track) })
        case .buses: return Self.some(session.buses.map(\.name))
        case .sends: return strips { !$0.sends.isEmpty }
        case .sendAutomation:
            return strips { strip in
                strip.sends.contains { send in
                    Automation.Control.allCases.contains { !send[automation: $0].events.isEmpty }
                }
            }
        case .dcas: return Self.some(session.dcas.map(\.name))
        case .outputs: return strips { $0.id != .master && ($0.output == .none || $0.output == .ports) }
        case .scenes: return Self.some(session.scenes.map(\.name))
        case .inputs: return Self.some(session.tracks.filter { $0.input != nil }.map(\.name))
        case .connections: return session.connections.isEmpty ? nil : []
        case .markers: return Self.some(session.markers.map(\.name))
        case .video: return session.video == nil ? nil : []
        case .clipGains: return tracks { $0.gain != 1 }
        case .clipFades: return tracks { !fades($0).isEmpty }
        case .fadeCurves: return tracks { fades($0).contains { $0.curve != .linear } }
        case .crossfadesWithFades:
            return Self.some(
                session.tracks.filter { track in
                    zip(track.clips, track.clips.dropFirst()).contains {
                        $1.crossfade.duration > .zero
                            && ($1.fadeIn.duration > .zero || $0.fadeOut.duration > .zero)
                    }
                }.map(\.name))
        case .crossfadeCurves: return tracks { $0.crossfade.duration > .zero }
        case .pace: return tracks { $0.speed != 1 || $0.isReversed }
        case .pitch: return tracks { $0.pitch != 0 || $0.isTape }
        case .layouts: return strips { $0.layout != .stereo }
        case .equalisers: return strips { $0.equaliser != nil }
        case .signalDucks:
            return Self.some(
                session.ducks.filter { $0.trigger == .signal }.compactMap { session.name(of: $0.track) })
        case .gates: return strips { $0.gate != nil }
        case .compressors: return strips { $0.compressor != nil }
        case .limiters: return strips { $0.limiter != nil }
        case .delays: return strips { $0.delay > .zero }
        case .sounds: return tracks { $0.stream != 1 || $0.channels != nil }
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
