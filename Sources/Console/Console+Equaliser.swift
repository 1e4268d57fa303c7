import Remote
import Timeline

/// What strips' sounds are filtered by.
extension Console {
    /// Sets something of the equaliser of every strip that is meant, and makes it where there is none; all of
    /// it, or nothing.
    /// - Parameter sweep: nil: a step of its own to undo.
    func equalise(
        _ reference: StripReference, _ settings: [EqualiserSetting], sweep: String?
    ) throws(CommandError) {
        let places = try places(reference, having: .eq(.on))
        var equalisers: [Equaliser] = []
        for place in places {
            var equaliser = session[place].equaliser ?? Equaliser()
            for setting in settings { try equaliser.set(setting) }
            equalisers.append(equaliser)
        }
        try edit(.strips(places), sweep: sweep.map { "\($0) \(places)" }) { session in
            for (place, equaliser) in zip(places, equalisers) { session[place].equaliser = equaliser }
        }
    }
}
