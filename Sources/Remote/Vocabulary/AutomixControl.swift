import Timeline

/// What of an automix a hand moves, or an eye watches: of the bus that shares out, and of those that go
/// there.
public enum AutomixControl: String, CaseIterable, Sendable {
    case on, attack, release
    case isIn = "in"
    case weight, priority, gain

    /// It is of the bus; else of those that go there.
    public var isOfBus: Bool { [.on, .attack, .release].contains(self) }

    var kind: Control.Kind {
        switch self {
        case .on, .isIn: .flag
        case .attack, .release: .number(Automix.times)
        case .weight: .number(Automix.Member.weights)
        case .priority: .number(Automix.Member.priorities)
        case .gain: .reading(0...1)
        }
    }

    var summary: String {
        switch self {
        case .on:
            """
            the bus shares one gain among its members by their levels; the sum of the members' gains is 1
            """
        case .attack: "the time constant at which a member's level rises, in milliseconds"
        case .release: "the time constant at which a member's level falls, in milliseconds"
        case .isIn: "the strip is a member of the automix of its output bus"
        case .weight: "the strip's weight in the automix of its output bus"
        case .priority: "the strip's priority in the automix of its output bus: a whole number, 20 dB a step"
        case .gain: "the strip's present gain in the automix of its output bus, 0 to 1"
        }
    }

    /// What follows the strip in its address.
    var path: String { "automix/\(rawValue)" }
}

/// One setting of an automix, or of a member.
public struct AutomixSetting: Equatable, Sendable {
    public let control: AutomixControl
    public let value: ControlValue

    public init(_ control: AutomixControl, _ value: ControlValue) {
        (self.control, self.value) = (control, value)
    }
}

extension Automix {
    /// One that is not turned on yet.
    fileprivate static let off: Automix = {
        var automix = Automix()
        automix.isOn = false
        return automix
    }()
}

extension Strip {
    /// What one of those controls stands at, but for the gain.
    public func value(of control: AutomixControl) -> ControlValue {
        let automix = automix ?? Automix()
        return switch control {
        case .on: .flag(self.automix?.isOn ?? false)
        case .attack: .number(automix.attack.seconds * 1000)
        case .release: .number(automix.release.seconds * 1000)
        case .isIn: .flag(automixing.isIn)
        case .weight: .number(automixing.weight)
        case .priority: .number(automixing.priority)
        case .gain: .number(1)
        }
    }

    /// Sets it; of a bus that shares nothing out it makes an automix, which is off until it is turned on.
    /// What is out of range has been refused before.
    public mutating func set(_ setting: AutomixSetting) throws(CommandError) {
        var automix = automix ?? Automix.off
        switch (setting.control, setting.value) {
        case (.on, .flag(let flag)): automix.isOn = flag
        case (.attack, .number(let milliseconds)): automix.attack = Self.time(milliseconds)
        case (.release, .number(let milliseconds)): automix.release = Self.time(milliseconds)
        case (.isIn, .flag(let flag)): automixing.isIn = flag
        case (.weight, .number(let weight)): automixing.weight = weight
        case (.priority, .number(let priority)): automixing.priority = try Self.whole(priority)
        default: throw CommandError("\(setting.control.path) cannot be set to that")
        }
        // What is off where there is none makes none.
        if setting.control.isOfBus, self.automix != nil || automix != .off { self.automix = automix }
    }

    private static func whole(_ priority: Double) throws(CommandError) -> Double {
        if priority == priority.rounded() { return priority }
        throw CommandError("\(priority) is no priority: a whole number from 0 to 4")
    }

    private static func time(_ milliseconds: Double) -> MediaTime {
        MediaTime(seconds: milliseconds / 1000, preferredTimescale: 1_000_000)
    }
}

extension Words {
    /// Behind `automix`: a bus, or a bus and what goes there.
    mutating func automix() throws(CommandError) -> Command {
        let bus = StripReference.bus(try bus())
        if isEmpty || ["on", "off", "clear"].contains(first) { return try automix(of: bus) }
        let member = try strip()
        if let step = try step(of: member, among: Self.moved([.weight, .priority]), standard: "weight") {
            return step
        }
        var settings = try settings(["--weight": .weight, "--priority": .priority])
        if !isEmpty {
            settings.append(AutomixSetting(.isIn, .flag(try isIn())))
        }
        if settings.isEmpty {
            throw CommandError("automix BUS MEMBER takes in, out, --weight V or --priority N", isUsage: true)
        }
        return .automix(bus, member: member, settings)
    }

    private mutating func isIn() throws(CommandError) -> Bool {
        let word = try word("in or out")
        if word == "in" || word == "out" { return word == "in" }
        throw CommandError("\"\(word)\": a member is in or out", isUsage: true)
    }

    private static func moved(_ controls: [AutomixControl]) -> [(word: String, control: Control)] {
        controls.map { ($0.rawValue, .automix($0)) }
    }

    private mutating func automix(of bus: StripReference) throws(CommandError) -> Command {
        if let step = try step(of: bus, among: Self.moved([.attack, .release]), standard: nil) {
            return step
        }
        let settings = try times()
        if isEmpty { return settings.isEmpty ? .askAutomix(bus) : .automix(bus, member: nil, settings) }
        let word = try word("on, off or clear")
        if word == "clear" { return .clearAutomix(bus) }
        return .automix(bus, member: nil, settings + [AutomixSetting(.on, .flag(word == "on"))])
    }

    private mutating func times() throws(CommandError) -> [AutomixSetting] {
        var settings: [AutomixSetting] = []
        for (name, control) in [("--attack", AutomixControl.attack), ("--release", .release)] {
            guard let text = text(name) else { continue }
            settings.append(
                AutomixSetting(
                    control, .number(try control.kind.check(try Self.milliseconds(text), control.rawValue))))
        }
        return settings
    }

    private func settings(
        _ names: KeyValuePairs<String, AutomixControl>
    ) throws(CommandError) -> [AutomixSetting] {
        var settings: [AutomixSetting] = []
        for (name, control) in names {
            guard let text = text(name) else { continue }
            guard let number = Double(text) else {
                throw CommandError("\"\(text)\" is no \(control.rawValue)", isUsage: true)
            }
            settings.append(
                AutomixSetting(control, .number(try control.kind.check(number, control.rawValue))))
        }
        return settings
    }
}
