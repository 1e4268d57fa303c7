import Remote
import Timeline

/// A Mackie Control and its extenders: eight strips a unit, beginning at a bank, and on the first unit the
/// master's fader, the transport and the wheel. The mixer's strips stand there in the order tracks, buses,
/// DCAs.
///
/// It holds what hands have chosen on it and what it was last told; `receive` and `news` are its two ways.
public struct MackieSurface {
    /// Itself and its extenders.
    public private(set) var units: Int
    /// The first strip that it shows, from 0.
    var bank = 0
    var assignment = Assignment.pan
    /// The pots' control is on the faders, and the volume on the pots.
    var isFlipped = false
    /// The lower line shows what the faders say.
    var showsValues = false
    var isShifted = false
    var isScrubbing = false
    /// What `select` has chosen, by what it is known by.
    var selection: Int?
    /// All that can stand on it, and what is selected, as they were looked at last.
    private(set) var all: [StripPlace] = []
    private(set) var selected: StripPlace?
    /// The faders that hands are on, by their places, and what each holds.
    var touched: [Int: Finger] = [:]
    /// Until when a fader counts as moving that says nothing of hands: 250 ms behind its last move.
    var movesUntil: [Int: UInt64] = [:]
    /// What the units show, as they were told.
    var shown: [ShownUnit]

    /// A hand on a fader.
    struct Finger: Equatable {
        /// nil where another strip has come under it, until it moves that.
        var hold: DeskHold?
        /// What it holds: the strip by what it is known by.
        var strip = -1
        var control = Control.volume
    }

    /// What the pots move.
    enum Assignment: Equatable {
        case pan, trim
        /// The send to a bus, by its number.
        case send(Int)
        /// The bands of the strip that is selected: frequency and gain, one after the other.
        case equaliser
    }

    /// The place of the master's fader: behind all others.
    static let master = 1000
    static let stripsOfUnit = 8
    static let restNanoseconds: UInt64 = 250_000_000

    public init(units: Int) {
        self.units = units
        shown = (0..<units).map { _ in ShownUnit() }
    }

    /// How many strips it shows.
    var width: Int { units * Self.stripsOfUnit }

    /// What stands on it is looked at once for all that is shown, or done, at a time.
    mutating func refresh(_ desk: any Desk) {
        let strips = desk.strips
        all = strips.filter { $0 != .master }
        selected = selection.flatMap { identity in strips.first { desk.identity($0) == identity } }
        if bank > 0, bank >= all.count { bank = 0 }
        for (place, finger) in touched where finger.hold != nil {
            let present = onFader(place, desk)
            if present?.control != finger.control || present.map({ desk.identity($0.strip) }) != finger.strip
            {
                slip(place, desk)
            }
        }
    }

    /// The strip at a place, which is from 0; nil where there is none.
    func strip(_ place: Int, _ desk: any Desk) -> StripPlace? {
        if place == Self.master { return .master }
        return all.indices.contains(bank + place) ? all[bank + place] : nil
    }

    /// What a strip's pot moves; nil where there is nothing such.
    func assigned(_ place: Int, _ desk: any Desk) -> (strip: StripPlace, control: Control)? {
        if assignment == .equaliser {
            guard let selected, place < 2 * Equaliser.bandCount else { return nil }
            let band = place / 2 + 1
            let control: EqualiserControl = place % 2 == 0 ? .frequency(band) : .gain(band)
            return desk.value(of: .eq(control), selected) == nil ? nil : (selected, .eq(control))
        }
        guard let strip = strip(place, desk) else { return nil }
        let control: Control
        switch assignment {
        case .pan, .equaliser: control = .pan
        case .trim: control = .trim
        case .send(let bus): control = .send(.number(bus), .volume)
        }
        return desk.value(of: control, strip) == nil ? nil : (strip, control)
    }

    /// What a fader moves.
    func onFader(_ place: Int, _ desk: any Desk) -> (strip: StripPlace, control: Control)? {
        if isFlipped, place != Self.master { return assigned(place, desk) }
        return strip(place, desk).map { ($0, .volume) }
    }

    /// What a pot moves.
    func onPot(_ place: Int, _ desk: any Desk) -> (strip: StripPlace, control: Control)? {
        isFlipped ? strip(place, desk).map { ($0, .volume) } : assigned(place, desk)
    }

    /// So many units from now on; what hands hold on those that stay they hold on.
    public mutating func follow(units next: Int, _ desk: any Desk) {
        for unit in next..<max(next, units) { letGo(unit: unit, desk) }
        shown = (0..<next).map { $0 < units ? shown[$0] : ShownUnit() }
        units = next
    }

    /// Nobody is at a unit any more: what hands held there is let go.
    public mutating func letGo(unit: Int, _ desk: any Desk) {
        for place in Array(touched.keys) where (place == Self.master ? 0 : place / Self.stripsOfUnit) == unit
        {
            letGo(place, desk)
        }
        if unit == 0 { isShifted = false }
    }

    mutating func letGo(_ place: Int, _ desk: any Desk) {
        if let hold = touched.removeValue(forKey: place)?.hold { desk.release(hold) }
    }

    /// A hand comes to a fader, or moves what has come under it.
    mutating func grasp(_ place: Int, _ desk: any Desk) {
        letGo(place, desk)
        touched[place] =
            onFader(place, desk).map {
                Finger(
                    hold: desk.hold($0.control, of: $0.strip), strip: desk.identity($0.strip),
                    control: $0.control)
            } ?? Finger()
    }

    /// Something else has come under a hand: it is still there, and holds nothing until it moves that.
    private mutating func slip(_ place: Int, _ desk: any Desk) {
        letGo(place, desk)
        touched[place] = Finger()
    }

    /// Something else comes under the faders.
    mutating func changeHands(_ desk: any Desk) {
        for place in Array(touched.keys) where place != Self.master { slip(place, desk) }
    }

    public var isTouched: Bool { !touched.isEmpty }
}
