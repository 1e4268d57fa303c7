import Realtime

/// Owns the courses of a plan in the memory of the audio thread. Control thread.
final class CourseMemory {
    let courses: UnsafeMutablePointer<Course>
    private let count: Int
    /// Of the moments of all courses, for each DCA one.
    private let gains: UnsafeMutablePointer<Float>
    private let gainBlocks: UnsafeMutablePointer<GainBlock>
    private let gainCount: Int

    /// - Parameter previous: the courses of the plan before.
    init(_ draft: PlanDraft, after previous: CourseMemory?, _ dcas: UnsafeMutablePointer<DCALine>) {
        let (lags, dcaCount) = (draft.courses.indices.map(draft.lags), draft.dcas.count)
        count = draft.courses.count
        gainCount = lags.reduce(0) { $0 + $1.count } * dcaCount
        gains = LockedMemory.allocate(Float.self, gainCount * Block.stride())
        gainBlocks = LockedMemory.allocate(GainBlock.self, gainCount)
        for index in 0..<gainCount {
            (gainBlocks + index).initialize(to: GainBlock(scratch: gains + index * Block.stride()))
        }
        courses = LockedMemory.allocate(Course.self, count)
        var next = gainBlocks
        for (player, course) in draft.courses.enumerated() {
            let moments = Self.moments(lags[player], dcas, dcaCount, gains: &next)
            (courses + player).initialize(
                to: Course(
                    route: course.route,
                    routeNumber: Self.number(course.route, after: previous.map { $0.courses[player] }),
                    entry: course.entry, moments: moments, momentCount: lags[player].count))
        }
    }

    /// The moments at which lines are read that lag so far behind the playhead.
    /// - Parameter gains: where those of the DCAs lie, which it takes off the beginning.
    private static func moments(
        _ lags: [Int64], _ dcas: UnsafeMutablePointer<DCALine>, _ dcaCount: Int,
        gains: inout UnsafeMutablePointer<GainBlock>
    ) -> UnsafeMutablePointer<Moment> {
        let moments = LockedMemory.allocate(Moment.self, lags.count)
        for (index, lag) in lags.enumerated() {
            (moments + index).initialize(to: Moment(lag: lag, dcas: dcas, gains: gains, dcaCount: dcaCount))
            gains += dcaCount
        }
        return moments
    }

    private static func number(_ route: Route, after previous: Course?) -> UInt16 {
        guard let previous else { return 0 }
        return previous.route.number == route.number ? previous.routeNumber : previous.routeNumber &+ 1
    }

    deinit {
        for player in 0..<count { LockedMemory.free(courses[player].moments, courses[player].momentCount) }
        LockedMemory.free(courses, count)
        LockedMemory.free(gains, gainCount * Block.stride())
        LockedMemory.free(gainBlocks, gainCount)
    }
}
