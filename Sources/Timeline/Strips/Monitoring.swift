import JSON

/// What the ports `monitor_1` and `monitor_2` play, and how: the sound in the control room, beside the mix,
/// which stays as it is.
public struct Monitoring: Equatable, Sendable {
    /// What is heard while nothing is on solo beside the mix (`SoloMode`), which is heard in its place.
    public enum Source: Hashable, Sendable {
        /// Nothing.
        case solo
        /// The mix.
        case master
        /// A track or a bus, as it goes into the mix.
        case strip(StripID)
    }

    /// What is heard.
    public var source = Source.solo
    /// Linear, 0 to 4.
    public var level = 1.0
    /// It is lower, by `dimming`.
    public var isDimmed = false
    /// In dB: how far dimming lowers it.
    public var dimming = Monitoring.standardDimming
    /// Both ports play the half of left and right together.
    public var isMono = false
    /// The speakers are silent.
    public var isMuted = false
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// At unity, of what is on solo.
    public init() {}

    /// In dB.
    public static let standardDimming = 20.0
    /// In dB.
    public static let dimmings = 0.0...60.0

    /// What it is multiplied by, linear.
    public var gain: Double { isDimmed ? level * Volume.gain(level: -dimming) : level }
}

extension Session {
    /// Whether there are ports that play what is monitored.
    public var hasMonitor: Bool { soloMode != .inPlace || monitoring.source != .solo }
}

extension SessionFile {
    /// A strip called as one of the words is meant by its name: what is on solo, which is what is meant
    /// unless told, is left out.
    static func monitoring(_ names: StripNames) -> FieldTable<Monitoring> {
        FieldTable(
            fields: [
                source(names),
                .volume("level", \.level, omitted: 1), .flag("dim", \.isDimmed, omitted: false),
                .number("dimming", \.dimming, in: Monitoring.dimmings, omitted: Monitoring.standardDimming),
                .flag("mono", \.isMono, omitted: false), .flag("mute", \.isMuted, omitted: false),
            ], unknown: \.unknown)
    }

    private static func source(_ names: StripNames) -> Field<Monitoring> {
        Field(name: "source") { reader, monitoring in
            guard let text = reader.text("source") else { return }
            if text == "master" {
                monitoring.source = .master
                return
            }
            if let id = names.ids[text], [.track, .bus].contains(names.kind(id)) {
                monitoring.source = .strip(id)
                return
            }
            if text != "solo" {
                reader.fault(
                    "source", "there is no track or bus \"\(text)\": one of them, master or solo")
            }
        } write: {
            switch $0.source {
            case .solo: nil
            case .master: .string("master")
            case .strip(let id): names.names[id].map { .string($0) }
            }
        }
    }
}
