import OSC
import Speakers
import Timeline

/// Which strips are meant.
public enum StripReference: Equatable, Sendable {
    /// Tracks by their numbers or a pattern; a name may be that of any strip.
    case track(Selector)
    case bus(Selector)
    case dca(Selector)
    case master
    /// Strips of every kind but the master, by a pattern.
    case any(Selector)

    /// As someone wrote it: `master`, `bus:1`, `dca:1`; digits are a track's number, all else a name, or a
    /// pattern over strips of every kind.
    public init(_ text: some StringProtocol) {
        if text == "master" {
            self = .master
        } else if text.hasPrefix("bus:") {
            self = .bus(Selector(text.dropFirst(4)))
        } else if text.hasPrefix("dca:") {
            self = .dca(Selector(text.dropFirst(4)))
        } else {
            let selector = Selector(text)
            self = if case .pattern = selector { .any(selector) } else { .track(selector) }
        }
    }

    /// One strip by its number.
    public init(_ place: StripPlace) {
        self =
            switch place {
            case .track(let number): .track(.number(number))
            case .bus(let number): .bus(.number(number))
            case .dca(let number): .dca(.number(number))
            case .master: .master
            }
    }

    /// One of a kind; of the master there is but one.
    init(_ kind: StripKind, _ selector: Selector) {
        self =
            switch kind {
            case .track: .track(selector)
            case .bus: .bus(selector)
            case .dca: .dca(selector)
            case .master: .master
            }
    }

    /// Of which kind; a name may be that of any strip all the same.
    public var kind: StripKind {
        switch self {
        case .track, .any: .track
        case .bus: .bus
        case .dca: .dca
        case .master: .master
        }
    }

    /// Which of its kind; nil for the master.
    public var selector: Selector? {
        switch self {
        case .track(let selector), .bus(let selector), .dca(let selector), .any(let selector): selector
        case .master: nil
        }
    }

    /// As it can be written.
    public var text: String {
        switch self {
        case .track(let selector), .any(let selector): selector.text
        case .bus(let selector): "bus:\(selector.text)"
        case .dca(let selector): "dca:\(selector.text)"
        case .master: "master"
        }
    }

    /// The same where what says no kind means strips of every kind.
    var ofEveryKind: StripReference { if case .track(let selector) = self { .any(selector) } else { self } }

    /// The address that asks the same of one strip, and is answered as a pattern is.
    static func ofEveryKind(_ address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 2)
        guard parts.count == 3, let kind = StripKind(rawValue: String(parts[0])), kind != .master,
            !OSCPattern.isPattern(parts[1])
        else { return address }
        let strip = StripReference(kind, Selector(parts[1])).text
        return "/\(anyRoot)/\(strip)/\(parts[2])"
    }

    /// Of which kinds strips may be that are meant, those first whose addresses are looked up first.
    var kinds: [StripKind] { if case .any = self { [.track, .bus, .dca] } else { [kind] } }

    /// What addresses begin with that mean strips of every kind.
    static let anyRoot = "strip"

    /// What its addresses begin with.
    var address: String {
        switch self {
        case .track(let selector): "/track/\(selector.text)"
        case .bus(let selector): "/bus/\(selector.text)"
        case .dca(let selector): "/dca/\(selector.text)"
        case .any(let selector): "/\(StripReference.anyRoot)/\(selector.text)"
        case .master: "/master"
        }
    }
}
