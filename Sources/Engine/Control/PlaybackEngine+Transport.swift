import Timeline

/// The transport: what each player is asked, and where it is.
extension PlaybackEngine {
    /// Whether it was last told to play.
    public var isRolling: Bool { orders[0].isRolling }

    /// The frames between which it plays round and round; nil: none.
    public var loop: Range<Int64>? { orders[0].loop }

    /// Rolls as soon as the streams are filled.
    public func play() { play(player: 0) }

    package func play(player: Int) {
        orders[player].isRolling = true
        if isFilling {
            planner.hold(.play(player: player), of: player)
        } else {
            outbox.send(.play(player: player))
        }
    }

    /// Fades out within 5 ms, whatever else is on its way; the playhead stays where the fade ends.
    public func stop() { stop(player: 0) }

    package func stop(player: Int) {
        orders[player].isRolling = false
        if !orders.contains(where: \.isRolling) { rack.noteStop() }
        // A stop that is meant for later comes behind a play that waits.
        if outbox.moment != nil, planner.holds(player) {
            return planner.hold(.stop(player: player), of: player)
        }
        planner.dropHeld(of: player)
        outbox.send(.stop(player: player))
    }

    /// Goes to `frame`: at once when stopped; while rolling, crossing over as soon as the streams are filled
    /// there.
    /// - Parameter frame: from 0 up; what lies beyond what can be counted is taken to its end.
    public func locate(_ frame: Int64) { locate(frame, player: 0) }

    package func locate(_ frame: Int64, player: Int) {
        let frame = frame.clamped(to: Route.positions)
        let route = newRoute(of: player, from: frame)
        orders[player].lastLocate = (route.number, frame)
        want(player, along: route, .start)
    }

    /// Loops between two frames, or not at all, from where it is. A loop of less than 1 ms is none.
    public func setLoop(_ range: Range<Int64>?) { setLoop(range, player: 0) }

    package func setLoop(_ range: Range<Int64>?, player: Int) {
        // A period is mixed in pieces that end with the loop: many short ones would make it late.
        var loop = range?.clamped(to: Range(Route.positions))
        if let range = loop, Int64(range.count) * 1000 < Int64(sampleRate) { loop = nil }
        orders[player].loop = loop
        let course = planner.newestCourses[player]
        let (route, entry) = (course.route, course.entry)
        // A locate that the audio thread has not been told of goes round this loop in place of the one
        // before.
        if case .start = entry { return locate(route.start, player: player) }
        let present = planner.index(of: player)
        let index = entry.index(after: present)
        want(
            player, along: newRoute(of: player, from: route.frame(at: index), lead: route.lead + index),
            .onward(from: present))
    }

    private func newRoute(of player: Int, from frame: Int64, lead: Int64 = 0) -> Route {
        lastRoute += 1
        return Route(number: lastRoute, start: frame, loop: orders[player].loop, lead: lead)
    }

    /// One player is to go along another route, from the next plan on.
    private func want(_ player: Int, along route: Route, _ entry: Course.Entry) {
        var courses = planner.newestCourses
        courses[player] = CourseDraft(route: route, entry: entry)
        planner.ask(courses)
        if !isTogether { build() }
    }

    /// The frame that is played next.
    public var frame: Int64 { frame(of: 0) }

    package func frame(of player: Int) -> Int64 {
        if let locate = orders[player].lastLocate, !hasReached(locate.route, player) { return locate.frame }
        return mixer.frame(of: player)
    }

    func hasReached(_ route: Int, _ player: Int) -> Bool {
        planner.plans.hasReached(route, player, mixer.progress(of: player))
    }
}
