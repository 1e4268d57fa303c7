/// What a verb is about: help shows them group by group.
public enum VerbGroup: String, CaseIterable, Sendable {
    case faders, desk, sound, timeline, clips, transport, recording, meters, ports, session

    /// For the head of its list.
    public var title: String {
        switch self {
        case .faders: "faders, mutes, solo, scenes"
        case .desk: "buses, sends, monitoring"
        case .sound: "processors"
        case .timeline: "automation, ducks, markers"
        case .clips: "tracks and clips"
        case .transport: "playing"
        case .recording: "inputs and takes"
        case .meters: "levels and loudness"
        case .ports: "connections"
        case .session: "the session and its files"
        }
    }
}
