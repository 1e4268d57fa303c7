import OSC
import Remote
import Timeline

import Dialects

/// A mixer of a few strips that is no more than a table of values, and notes what it is asked.
final class PlainDesk: Desk {
    struct Key: Hashable {
        let strip: StripPlace
        let control: Control
    }

    var strips: [StripPlace]
    var values: [Key: ControlValue] = [:]
    /// What the timeline multiplies a strip's volume by.
    var automation: [StripPlace: Double] = [:]
    var transport = DeskTransport(isRolling: false, seconds: 0, isLooping: false, isRecording: false)
    var scenes: [String] = []
    var muteGroups: [MuteGroupSummary] = []
    private(set) var commands: [Command] = []
    /// Faders that somebody else has a finger on.
    var held: Set<StripPlace> = []

    init(tracks: Int, buses: Int = 0, dcas: Int = 0) {
        strips =
            (0..<tracks).map { .track($0 + 1) } + (0..<buses).map { .bus($0 + 1) }
            + (0..<dcas).map { .dca($0 + 1) } + [.master]
        for strip in strips {
            values[Key(strip: strip, control: .volume)] = .number(1)
            values[Key(strip: strip, control: .mute)] = .flag(false)
            values[Key(strip: strip, control: .name)] = .text("\(strip)")
            if strip.kind == .dca { continue }
            values[Key(strip: strip, control: .pan)] = .number(0)
            values[Key(strip: strip, control: .trim)] = .number(1)
            values[Key(strip: strip, control: .solo)] = .flag(false)
        }
    }

    func value(of control: Control, _ strip: StripPlace) -> ControlValue? {
        strips.contains(strip) ? values[Key(strip: strip, control: control)] : nil
    }

    func timelineVolume(_ strip: StripPlace) -> Double { automation[strip] ?? 1 }
    func identity(_ strip: StripPlace) -> Int { strips.firstIndex(of: strip) ?? -1 }
    var presentScene: String?

    /// What hands hold, by the numbers that were given out for it.
    private(set) var holds: [Int: StripPlace] = [:]

    func hold(_ control: Control, of strip: StripPlace) -> DeskHold? {
        holds[holds.count + released] = strip
        return DeskHold(holds.count + released - 1)
    }

    private var released = 0

    func release(_ hold: DeskHold) {
        if holds.removeValue(forKey: hold.number) != nil { released += 1 }
    }

    func peaks(_ strip: StripPlace) -> [Float] { [0, 0] }
    func has(_ kind: DynamicsKind, _ strip: StripPlace) -> Bool { false }

    /// The strip that a reference means, by its number or its name.
    func place(_ reference: StripReference) -> StripPlace? {
        strips.first { StripReference($0) == reference || reference.selector == .name("\($0)") }
    }

    @discardableResult
    func run(_ command: Command) -> Bool {
        commands.append(command)
        guard case .set(let reference, let control, let value) = command, let strip = place(reference) else {
            return true
        }
        if control == .volume, held.contains(strip) { return false }
        if case .touch = control { return true }
        guard values[Key(strip: strip, control: control)] != nil else { return false }
        values[Key(strip: strip, control: control)] = value
        return true
    }
}

/// Numbers that are the same for the same seed (SplitMix64).
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
