/// What the timeline says of the controls of a strip or a send.
struct Lanes: Equatable, Sendable {
    var volume = Automation()
    var pan = Automation(.pan)
    var trim = Automation(.trim)
    var mute = Automation(.mute)
    /// Of processors: those that have events.
    var processors: [Automation.Control: Automation] = [:]

    var movesMoreThanVolume: Bool {
        ![pan, trim, mute].allSatisfy(\.events.isEmpty) || !processors.isEmpty
    }

    subscript(control: Automation.Control) -> Automation {
        get {
            switch control {
            case .volume: volume
            case .pan: pan
            case .trim: trim
            case .mute: mute
            default: processors[control] ?? Automation(control)
            }
        }
        set {
            switch control {
            case .volume: volume = newValue
            case .pan: pan = newValue
            case .trim: trim = newValue
            case .mute: mute = newValue
            default: processors[control] = newValue.events.isEmpty ? nil : newValue
            }
        }
    }
}

extension Strip {
    /// The volume on the timeline.
    public var automation: Automation {
        get { lanes.volume }
        _modify { yield &lanes.volume }
    }

    /// What the timeline says of one of its controls.
    public subscript(automation control: Automation.Control) -> Automation {
        get { lanes[control] }
        set { lanes[control] = newValue }
    }

    /// The timeline moves something of its processors.
    public var hasProcessorLanes: Bool { !lanes.processors.isEmpty }
}

extension Send {
    /// The volume on the timeline.
    public var automation: Automation {
        get { lanes.volume }
        _modify { yield &lanes.volume }
    }

    /// What the timeline says of one of its controls; it has neither a trim nor processors.
    public subscript(automation control: Automation.Control) -> Automation {
        get { lanes[control] }
        set { if [.volume, .pan, .mute].contains(control) { lanes[control] = newValue } }
    }
}
