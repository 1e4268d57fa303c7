import Timeline

/// The controls that the timeline moves.
extension Control {
    /// What of the timeline moves it; nil for what only hands move.
    public var automation: Automation.Control? {
        switch self {
        case .volume, .send(_, .volume): .volume
        case .pan, .send(_, .pan): .pan
        case .mute, .send(_, .mute): .mute
        case .trim: .trim
        // Any band, as addresses name it, is like the first.
        case .eq, .dynamics: Automation.Control(rawValue: path.replacing("BAND", with: "1"))
        default: nil
        }
    }

    /// Those of strips that the timeline moves.
    private static let ofStrips =
        [.volume, .pan, .trim, .mute] + ofProcessors.filter { $0.automation != nil }

    /// The same, and those of sends, to a bus without a name.
    package static let ofTimeline =
        ofStrips + SendControl.allCases.map { .send(.name(""), $0) }.filter { $0.automation != nil }

    /// That of a strip which the timeline moves so.
    public init?(_ automation: Automation.Control) {
        guard let control = Self.ofStrips.first(where: { $0.automation == automation }) else { return nil }
        self = control
    }

    /// A control that the timeline moves, as someone wrote it: `volume`, `pan`, `mute`, `trim`,
    /// `send/BUS/volume`, `send/BUS/pan`, `send/BUS/mute`, or of a processor, as `eq/2/gain` or
    /// `comp/threshold`.
    /// - Throws: `CommandError` for any other.
    init(ofTimeline text: String) throws(CommandError) {
        let parts = text.split(separator: "/").map(String.init)
        let control: Control? =
            if parts.count == 3, parts[0] == "send" {
                SendControl(rawValue: parts[2]).map {
                    .send(Selector(parts[1].hasPrefix("bus:") ? String(parts[1].dropFirst(4)) : parts[1]), $0)
                }
            } else {
                (Self.plain + Self.ofProcessors).first { $0.path == text }
            }
        guard let control, control.automation != nil else {
            throw CommandError(
                """
                "\(text)" is no control that the timeline moves: volume, pan, mute, trim, send/BUS/volume, \
                send/BUS/pan, send/BUS/mute, or of a processor, as eq/2/gain, eq/hp, comp/threshold or \
                gate/range
                """,
                isUsage: true)
        }
        self = control
    }
}
