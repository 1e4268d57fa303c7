import Remote
import Timeline

/// The addresses that a change concerns.
struct PartIndex {
    private var addresses: [DeskChange: [String]] = [:]
    private var all: [String] = []

    init(_ parts: [String: DeskPart]) {
        for (address, part) in parts {
            all.append(address)
            for change in part.changes { addresses[change, default: []].append(address) }
        }
    }

    func addresses(of changes: [DeskChange]) -> Set<String> {
        if changes.contains(.everything) { return Set(all) }
        return Set(changes.flatMap { addresses[$0] ?? [] })
    }
}

extension DeskPart {
    /// What it goes by.
    fileprivate var changes: [DeskChange] {
        func equaliser(_ strip: StripPlace, _ control: EqualiserControl) -> [DeskChange] {
            [.control(strip, .eq(control))]
        }
        return switch self {
        case .fader(let strip): [.control(strip, .volume)]
        case .on(let strip): [.control(strip, .mute)]
        case .pan(let strip): [.control(strip, .pan)]
        case .name(let strip): [.control(strip, .name)]
        case .toMain(let strip): [.control(strip, .output)]
        case .trim(let strip): [.control(strip, .trim)]
        case .polarity(let strip): [.control(strip, .polarity)]
        case .highPassOn(let strip), .highPass(let strip): equaliser(strip, .highPass)
        case .highPassSlope(let strip): equaliser(strip, .highSlope)
        case .equaliserOn(let strip): equaliser(strip, .on)
        case .bandType(let strip, let band): equaliser(strip, .type(band))
        case .bandFrequency(let strip, let band): equaliser(strip, .frequency(band))
        case .bandGain(let strip, let band): equaliser(strip, .gain(band))
        case .bandQuality(let strip, let band): equaliser(strip, .quality(band))
        case .dynamicsOn(let strip, let kind): [.control(strip, .dynamics(DynamicsControl(kind, .on)))]
        case .dynamics(let strip, let kind, let name):
            [.control(strip, .dynamics(DynamicsControl(kind, .parameter(name))))]
        case .ratio(let strip): [.control(strip, .dynamics(DynamicsControl(.comp, .parameter("ratio"))))]
        case .delayOn(let strip), .delay(let strip): [.control(strip, .delay)]
        case .sendLevel(let strip, let bus): [.control(strip, .send(.number(bus), .volume))]
        case .sendOn(let strip, let bus): [.control(strip, .send(.number(bus), .mute))]
        case .sendPan(let strip, let bus): [.control(strip, .send(.number(bus), .pan))]
        case .sendTap(let strip, let bus): [.control(strip, .send(.number(bus), .pre))]
        case .dcas: (1...8).map { .control(.dca($0), .members) }
        case .muteGroups, .muteGroup: [.muteGroups]
        case .solo(let strip): [.control(strip, .solo)]
        case .anySolo:
            [.everything] + (1...32).map { .control(.track($0), .solo) }
                + (1...16).map { .control(.bus($0), .solo) } + (1...8).map { .control(.dca($0), .solo) }
        case .tape, .tapeSeconds: [.transport]
        case .scene, .presentScene: [.everything, .scene]
        case .goScene, .sceneName, .hasScene, .storeScene, .clearSolo, .deskName: [.everything]
        }
    }
}
