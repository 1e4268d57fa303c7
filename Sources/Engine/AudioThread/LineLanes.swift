/// What the timeline says of a line's processors. Read by the audio thread.
struct LineLanes {
    let sections: UnsafePointer<SectionLane>
    let sectionCount: Int
    let compressor: DynamicsLanes
    let gate: DynamicsLanes

    /// That of a section of the equaliser; nil: it says nothing of it.
    @_noLocks
    func section(_ index: Int) -> UnsafePointer<SectionLane>? {
        for i in 0..<sectionCount where sections[i].index == index { return sections + i }
        return nil
    }
}
