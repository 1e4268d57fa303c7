import Remote
import Timeline

/// What subscribers are told as documents: lists of the session, and what lies on the timeline.
extension Console {
    /// How often the session has been another: what is listed changes with it alone.
    package var changeCount: Int { document.changeCount }

    /// The lists of the whole session, and of its strips, as they stand.
    /// - Parameters:
    ///   - strips: of which strips.
    ///   - addresses: those at these addresses.
    package func listed(strips: (StripPlace) -> Bool, addresses: (String) -> Bool) -> [Answer] {
        var questions = Self.wholeLists
        for place in session.places where strips(place) { questions += lists(of: place) }
        return questions.filter { addresses($0.address) }.flatMap { (try? answers($0.question)) ?? [] }
    }

    private typealias List = (address: String, question: Command)

    private static let wholeLists: [List] = [
        ("/tracks", .tracks), ("/buses", .buses), ("/dcas", .dcas), ("/ducks", .ducks),
        ("/markers", .marker(.list)), ("/scenes", .scene(.list)), ("/session/history", .history),
        ("/session/video", .video(.ask)), ("/midi/list", .midi(.list)),
    ]

    private func lists(of place: StripPlace) -> [List] {
        let (strip, address) = (StripReference(place), place.address)
        let isTrack = place.kind == .track
        var lists: [List] =
            isTrack
            ? [("\(address)/clips", .clips(strip, .list)), ("\(address)/input", .askInput(strip))] : []
        if place.kind != .dca { lists.append(("\(address)/sends", .sends(strip))) }
        lists.append(("\(address)/automation", .automation(strip, .volume)))
        for control in moved(place) where control != .volume {
            lists.append(("\(place.address(of: control))/automation", .automation(strip, control)))
        }
        return lists
    }

    /// The controls of a strip that the timeline can move, and those of its sends.
    private func moved(_ place: StripPlace) -> [Control] {
        let sends = session[place].sends.compactMap { session.name(of: $0.bus) }.flatMap { bus in
            SendControl.allCases.map { Control.send(.name(bus), $0) }
        }
        return (Control.of(place.kind) + sends).filter { $0.automation != nil }
    }
}
