import JSON

/// The session as JSON text and back.
public enum SessionFile {
    /// The newest version of the format that this program reads. It writes the oldest that has a word for all
    /// there is: 1 without buses, DCAs, sends and what comes with them, 2 without strips of other channels
    /// than two.
    public static let version = 3

    /// What a file held: a session if it could be read at all, and every fault found on the way.
    public struct Reading: Sendable {
        /// What could be read; nil if the text is no session at all.
        public let session: Session?
        /// What is wrong, each with its place.
        public let problems: [SessionProblem]
        /// Fields that are kept and that nobody knows, each with its place: another version's, or a slip.
        public let strangers: [SessionProblem]

        /// A session, and what was wrong with its text.
        public init(session: Session?, problems: [SessionProblem], strangers: [SessionProblem] = []) {
            (self.session, self.problems, self.strangers) = (session, problems, strangers)
        }
    }

    /// Reads a session. Where a field is at fault the default stands in, so that all faults are found at
    /// once.
    public static func read(_ text: String) -> Reading {
        do throws(JSONSyntaxError) {
            return read(try JSONValue(parsing: text, keysAreUnique: true))
        } catch {
            return refused("", "\(error)")
        }
    }

    /// The same of what has been read as JSON.
    public static func read(_ document: JSONValue) -> Reading {
        guard let root = document.objectValue else {
            return refused("", "it is \(document.kind), where a session { \"jmix\": 1, ... } belongs")
        }
        guard let version = root["jmix"] else {
            return refused("jmix", "the field is missing: a session says \"jmix\": 1")
        }
        guard let number = version.intValue, number > 0 else {
            return refused("jmix", "it is \(version.compactText), where a version such as 1 belongs")
        }
        guard number <= Self.version else {
            return refused(
                "jmix",
                """
                the file is of version \(number), newer than this program reads (\(Self.version)): use a \
                newer jmix; the file is left as it is
                """
            )
        }
        var session = Session()
        var reader = FieldReader(root, place: "", sampleRate: session.sampleRate)
        table(StripNames(root)).read(&reader, into: &session)
        keepToRules(&session, &reader)
        return Reading(session: session, problems: reader.problems, strangers: reader.strangers)
    }

    /// Leaves out what breaks a rule between the parts of a session, and says so.
    private static func keepToRules(_ session: inout Session, _ reader: inout FieldReader) {
        session.numberSends()
        boundDucks(&session, &reader)
        dropOwnKeys(&session, &reader)
        boundProcessors(&session, &reader)
        fitMatrices(&session, &reader)
        breakLoops(&session, &reader)
        disarmSurplus(&session, &reader)
    }

    /// A matrix with other channels than its strip and its bus is named, and left out.
    private static func fitMatrices(_ session: inout Session, _ reader: inout FieldReader) {
        for (place, send) in session.misfits {
            guard let matrix = send.matrix, let index = session[place].sends.firstIndex(of: send) else {
                continue
            }
            reader.fault(
                "\(place), send \(index + 1), matrix",
                matrix.misfit(from: session[place].layout, to: session.layout(of: send.bus)))
            session.setSend(of: place, to: send.bus) { $0.matrix = nil }
        }
    }

    /// A session whose buses feed each other, or go by each other's level, cannot be mixed: what closes each
    /// loop is named, and goes to the master, or by no other's level.
    private static func breakLoops(_ session: inout Session, _ reader: inout FieldReader) {
        while let loop = Routing(session).loop {
            if takeOutOfAutomix(loop, &session, &reader) { continue }
            let (from, to) = (loop[loop.count - 2], loop[loop.count - 1])
            guard let place = session.place(of: from), let keyed = session.place(of: to) else { return }
            if session.keys[to]?.contains(from) == true {
                reader.fault("\(keyed), key", Routing.problem(loop, in: session))
                session.removeKey(from, of: keyed)
                continue
            }
            breakWay(from: place, to: to, loop, &session, &reader)
        }
    }

    /// - Returns: false: the loop is closed by another way.
    private static func takeOutOfAutomix(
        _ loop: [StripID], _ session: inout Session, _ reader: inout FieldReader
    ) -> Bool {
        guard let (_, member) = Routing.sharing(loop, in: session), let place = session.place(of: member)
        else { return false }
        reader.fault("\(place), automixing", Routing.problem(loop, in: session))
        session[place].automixing.isIn = false
        return true
    }

    /// Has the output or the send that closes a loop lead there no more.
    private static func breakWay(
        from place: StripPlace, to: StripID, _ loop: [StripID], _ session: inout Session,
        _ reader: inout FieldReader
    ) {
        let send = session[place].sends.firstIndex { $0.bus == to }
        reader.fault(
            "\(place), \(session[place].output == .bus(to) ? "output" : "send \((send ?? 0) + 1)")",
            Routing.problem(loop, in: session))
        if session[place].output == .bus(to) {
            session[place].output = .master
        } else {
            session.removeSend(of: place, to: to)
        }
    }

    /// One duck by signal for each pair of strips, and so many for each strip, and one by hand: the others
    /// are named, and left out.
    private static func boundDucks(_ session: inout Session, _ reader: inout FieldReader) {
        var keys: [StripID: Set<StripID>] = [:]
        var kept: [Duck] = []
        var byHand: Set<StripID> = []
        for (index, duck) in session.ducks.enumerated() {
            let problem: (field: String, reason: String)? =
                switch duck.trigger {
                case .clips: nil
                case .hand:
                    byHand.insert(duck.track).inserted
                        ? nil : ("track", "there is a duck by hand of it already")
                case .signal: add(duck.under, to: &keys[duck.track, default: []])
                }
            if let problem {
                reader.fault("duck \(index + 1), \(problem.field)", "\(problem.reason): this one is left out")
            } else {
                kept.append(duck)
            }
        }
        session.ducks = kept
    }

    /// - Returns: why it cannot be a key of one strip's ducks by signal too.
    private static func add(_ key: StripID, to keys: inout Set<StripID>) -> (field: String, reason: String)? {
        if keys.contains(key) { return ("under", "there is a duck by signal of these two already") }
        if keys.count == Duck.maximumBySignal {
            return ("track", "at most \(Duck.maximumBySignal) ducks by signal lower one strip")
        }
        keys.insert(key)
        return nil
    }

    /// More delays and limiters than there is room for are named, and left out.
    private static func boundProcessors(_ session: inout Session, _ reader: inout FieldReader) {
        for place in session.places.filter({ session[$0].limiter != nil }).dropFirst(Strip.maximumLimiters) {
            reader.fault("\(place), limit", "at most \(Strip.maximumLimiters) strips have a limiter")
            session[place].limiter = nil
        }
        for place in session.places.filter({ session[$0].delay > .zero }).dropFirst(Strip.maximumDelays) {
            reader.fault("\(place), delay", "at most \(Strip.maximumDelays) strips have a delay")
            session[place].delay = .zero
        }
    }

    /// A strip that is its own key goes by its own level without saying so.
    private static func dropOwnKeys(_ session: inout Session, _ reader: inout FieldReader) {
        for place in session.places {
            let id = session[place].id
            if session[place].gate?.key == id {
                reader.fault(
                    "\(place), gate, key",
                    "it goes by its own level unless it has a key: it cannot be its own")
                session[place].gate?.key = nil
            }
            if session[place].compressor?.key == id {
                reader.fault(
                    "\(place), comp, key",
                    "it goes by its own level unless it has a key: it cannot be its own")
                session[place].compressor?.key = nil
            }
        }
    }

    /// More armed tracks than there is memory for are named, and disarmed.
    private static func disarmSurplus(_ session: inout Session, _ reader: inout FieldReader) {
        for index in session.tracks.indices.filter({ session.tracks[$0].isArmed }).dropFirst(
            Session.maximumArmed)
        {
            reader.fault(
                "\(StripPlace.track(index + 1)), arm",
                "at most \(Session.maximumArmed) tracks are armed at once")
            session.tracks[index].isArmed = false
        }
    }

    private static func refused(_ place: String, _ message: String) -> Reading {
        Reading(session: nil, problems: [SessionProblem(place: place, message: message)])
    }

    /// The session as the text of its file. What `read` read comes back, unknown fields included; fields at
    /// their defaults are left out.
    /// - Parameter previous: the text that it takes the place of: the order of keys that a person chose there
    ///   is kept.
    public static func text(_ session: Session, like previous: String? = nil) -> String {
        json(session).ordered(like: previous.flatMap { try? JSONValue(parsing: $0) }).prettyText() + "\n"
    }

    /// The session as the JSON of its file.
    public static func json(_ session: Session) -> JSONValue {
        table(StripNames(session), version: session.version).json(session)
    }
}
