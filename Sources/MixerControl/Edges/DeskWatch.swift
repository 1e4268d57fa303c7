import Console
import Dialects
import Remote
import Timeline

/// What has changed on the mixer since it was last looked at, for those who are told of single controls:
/// whole strips are compared, which costs little where nothing has changed.
struct DeskWatch {
    private var seen: Session?
    private var scene: String?
    private var faders: [StripID: Double] = [:]
    private var transport: (isRolling: Bool, isRecording: Bool, second: Int)?

    mutating func changes(_ console: Console) -> [DeskChange] {
        let now = console.heard
        defer { (seen, scene) = (now, console.presentScene) }
        guard let before = seen, Self.hasSameStrips(before, now) else {
            _ = movedFaders(console, now)
            return [.everything]
        }
        var changes = movedFaders(console, now) + transportChanges(console)
        changes += Self.changedStrips(before, now)
        if scene != console.presentScene { changes.append(.scene) }
        if now.muteGroups != before.muteGroups { changes.append(.muteGroups) }
        if now.scenes.map(\.name) != before.scenes.map(\.name) { changes.append(.everything) }
        return changes
    }

    private static func changedStrips(_ before: Session, _ now: Session) -> [DeskChange] {
        var changes: [DeskChange] = []
        for place in now.places where now[place] != before[place] {
            changes += Self.all(place, before, now)
        }
        for (number, dca) in now.dcas.enumerated() where dca.members != before.dcas[number].members {
            changes.append(.control(.dca(number + 1), .members))
        }
        return changes
    }

    private static func hasSameStrips(_ before: Session, _ now: Session) -> Bool {
        before.places == now.places && zip(before.strips, now.strips).allSatisfy { $0.id == $1.id }
    }

    /// All controls of a strip, and of the sends that it has or had.
    private static func all(_ place: StripPlace, _ before: Session, _ now: Session) -> [DeskChange] {
        let buses = Set((before[place].sends + now[place].sends).map(\.bus))
        let sends = now.buses.enumerated().filter { buses.contains($1.id) }.flatMap { index, _ in
            SendControl.allCases.map { Control.send(.number(index + 1), $0) }
        }
        return (Control.of(place.kind) + Control.ofProcessors + sends).map { .control(place, $0) }
    }

    /// Faders that stand elsewhere: a fade moves them without an edit.
    private mutating func movedFaders(_ console: Console, _ session: Session) -> [DeskChange] {
        var changes: [DeskChange] = []
        var present: [StripID: Double] = [:]
        func compare(_ id: StripID, _ change: @autoclosure () -> DeskChange) {
            let fader = console.engine.presentFader(id)
            present[id] = fader
            if let before = faders[id], before != fader { changes.append(change()) }
        }
        let numbers = Dictionary(
            session.buses.enumerated().map { ($1.id, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        for place in session.places {
            let strip = session[place]
            compare(strip.id, .control(place, .volume))
            for send in strip.sends {
                compare(send.id, .control(place, .send(.number(numbers[send.bus] ?? 0), .volume)))
            }
        }
        faders = present
        return changes
    }

    private mutating func transportChanges(_ console: Console) -> [DeskChange] {
        let now = (
            isRolling: console.transport.isRolling, isRecording: console.engine.recordedFrames != nil,
            second: Int(max(0, console.seconds(console.engine.frame)))
        )
        defer { transport = now }
        guard let before = transport else { return [.transport] }
        return before == now ? [] : [.transport]
    }
}
