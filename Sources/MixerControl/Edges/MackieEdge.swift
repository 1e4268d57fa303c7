import Console
import Dialects
import Remote
import Timeline

/// A Mackie Control on its ports: what comes in goes to the surface, and what that has to say goes out.
final class MackieEdge {
    private let console: Console
    private let link: ServerLink
    private let client = ClientID(edge: "midi", key: [1])
    private let desk: ConsoleDesk
    private var surface: MackieSurface
    private var listeners: [MIDIListeners]

    var units: Int { surface.units }

    init(_ console: Console, _ link: ServerLink, units: Int) {
        (self.console, self.link) = (console, link)
        desk = ConsoleDesk(console, client, meters: .surface)
        surface = MackieSurface(units: units)
        listeners = Array(repeating: MIDIListeners(), count: units)
    }

    func receive(_ bytes: [UInt8], unit: Int, _ now: UInt64) {
        surface.receive(bytes, unit: unit, desk, now: now)
    }

    /// A hand that lies on a fader says nothing.
    func renewTouches() { if surface.isTouched { console.touches.renew(client) } }

    /// So many units from now on.
    func follow(units next: Int) {
        surface.follow(units: next, desk)
        listeners = (0..<next).map { listeners.indices.contains($0) ? listeners[$0] : MIDIListeners() }
    }

    /// A unit that has been connected knows nothing; one that is gone has nobody's hands on it.
    func updateListeners() {
        for unit in 0..<units {
            let news = listeners[unit].update(link, pair: unit + 1)
            if news.hasListener { surface.forget(unit: unit) }
            if news.hasLostHands { surface.letGo(unit: unit, desk) }
        }
    }

    func tell(_ now: UInt64) {
        for unit in 0..<units where !listeners[unit].isEmpty {
            link.sendMIDI(surface.news(unit: unit, desk, now: now), pair: unit + 1)
        }
    }

    /// The surface is off.
    func close() { for unit in 0..<units { surface.letGo(unit: unit, desk) } }
}
