import Foundation
import Timeline

/// What the contract says is heard, one frame at a time: slow, obvious code that knows of no plans, streams,
/// blocks, queues or threads.
///
/// It is told what is asked, and when the disk has what was asked for; all else it works out by itself.
final class Oracle {
    enum Order {
        case take(Take)
        case play
        case stop
        case gain(Strip, Part, Double, Int, Curve)
    }

    enum Motion {
        case standing(fromStop: Bool)
        case rolling, stopping
    }

    /// 5 ms.
    let fade: Int
    var clock = 0
    var motion = Motion.standing(fromStop: false)
    /// Of all clips, and of inputs that give way to them.
    var level = Gain(0)
    var standstill = Gain(1)
    /// Inputs are heard by what was asked last.
    var wantsInputs = false
    var present = Take(voices: [])
    var before: (take: Take, crossed: Int, isOfInputs: Bool)?
    /// Of the two.
    var wiring = Wiring([], [])
    static let unity: [Part: Double] = [.fader: 1, .gate: 1, .left: 1, .right: 1, .trim: 1]
    let master = Strip(unity)
    /// Of the ports of single strips while all is silent.
    let hush = Strip(unity)
    var strips: [StripID: Strip]
    var roles: [StripID: String] = [:]
    var settings: [StripID: [Part: Double]] = [.master: unity]

    /// What waits for its frame, or behind what waits: for strips, and for what is played and whether.
    var forStrips: [Waiting] = []
    var forPlaying: [Waiting] = []
    var now: [Waiting] = []

    struct Waiting {
        var order: Order
        let number: Int
        let frame: Int
        let isTimed: Bool
    }

    var asked = 0
    var newestTransport = 0
    /// What is waited for until the disk has it.
    var wanted: (take: Take, at: Int)?
    /// Plays, and stops for later, that wait for it.
    var held: [(order: Order, at: Int)] = []
    var wantsRolling = false
    var isHushed = false
    var silentAt: Int?
    var holdsSilence = false
    var loop: Range<Int>?

    init(fade: Int) {
        self.fade = fade
        strips = [.master: master]
        present = Take(voices: voices(Session()))
        settle()
    }

    /// What comes in for a track.
    static func input(_ id: StripID, _ clock: Int) -> (Float, Float) {
        (sample(3 + id.rawValue % 5, clock), sample(8 + id.rawValue % 5, clock))
    }

    static func sample(_ file: Int, _ frame: Int) -> Float {
        Float((frame * (2 * file + 3) * 37 + file * 1000) % 8191 + 1) / 16384
    }

    // MARK: - What is heard

    /// The frame that is played next; where a locate goes, from the moment on when it was asked for.
    var position: Int {
        let goesElsewhere = waiting.contains { $0.isLocate } || wanted?.take.isLocate == true
        return goesElsewhere ? (wanted?.take ?? lastTake).position : present.position
    }
    var isStanding: Bool { if case .standing = motion { true } else { false } }

    /// The next frame.
    func next() -> (Double, Double) {
        obey()
        var (left, right) = (0.0, 0.0)
        let levels = (clips: isStanding ? 0 : level.value(clock), standstill: standstill.value(clock))
        if !isStanding || present.hasInputs || before != nil {
            // On its way from what was played before to what is played now.
            let share = Double(fade - (before?.crossed ?? fade)) / Double(fade)
            (left, right) = Mix(
                wiring: wiring, position: present.position, positionBefore: before?.take.position ?? 0,
                left: share, isOfInputs: before?.isOfInputs ?? false, clock: clock, fade: fade,
                levels: levels
            ).sound()
        }
        advance()
        return (left, right)
    }

    func advance() {
        if !isStanding {
            present.advance()
            before?.take.advance()
            moveWaiting()
        }
        before?.crossed += 1
        if before?.crossed == fade { settle() }
        clock += 1
        if case .stopping = motion, level.value(clock) == 0 { stand() }
    }

    /// What waits goes along with what is played, up to the first that is to begin elsewhere.
    func moveWaiting() {
        for i in forPlaying.indices {
            guard case .take(var take) = forPlaying[i].order else { continue }
            if take.isLocate { return }
            take.advance()
            forPlaying[i].order = .take(take)
        }
        if wanted?.take.isLocate == false { wanted!.take.advance() }
    }

    func stand() {
        motion = .standing(fromStop: true)
        // Inputs cross over at a standstill too.
        if !present.hasInputs, before?.take.hasInputs != true { settle() }
    }

    /// Nothing is left of what was before.
    func settle() {
        before = nil
        wiring = Wiring(present.voices, [])
    }

    func obey() {
        for item in now { obey(item) }
        now = []
        while let first = forStrips.first, first.frame <= clock { obey(forStrips.removeFirst()) }
        while let first = forPlaying.first, first.frame <= clock, !mustWait(first.order) {
            obey(forPlaying.removeFirst())
        }
    }

    func mustWait(_ order: Order) -> Bool {
        guard case .take = order else { return false }
        if case .stopping = motion { return true }
        return before != nil
    }

    func obey(_ item: Waiting) {
        let (number, isTimed) = (item.number, item.isTimed)
        switch item.order {
        case .take(let take):
            if isStanding, take.isLocate { motion = .standing(fromStop: false) }
            if !isStanding || present.hasInputs || take.hasInputs { before = (present, 0, false) }
            present = take
            present.isLocate = false
            wiring = Wiring(present.voices, before?.take.voices ?? [])
        case .play, .stop:
            if number < newestTransport { return }
            if !isTimed { newestTransport = number }
            if case .play = item.order { play() } else { stop() }
        case .gain(let strip, let part, let value, let frames, let curve):
            if isTimed, number < strip.newest[part, default: 0] { return }
            if !isTimed { strip.newest[part] = number }
            strip.gains[part].move(value, frames, clock, curve)
        }
    }

    func play() {
        switch motion {
        case .rolling: return
        case .standing(let fromStop):
            level = Gain(fromStop ? 0 : 1)
            before?.isOfInputs = true
        case .stopping: break
        }
        level.move(1, fade, clock)
        standstill.move(0, fade, clock)
        motion = .rolling
    }

    func stop() {
        guard case .rolling = motion else { return }
        standstill.move(1, fade, clock)
        if level.value(clock) == 0 { return stand() }
        level.move(0, fade, clock)
        motion = .stopping
    }
}
