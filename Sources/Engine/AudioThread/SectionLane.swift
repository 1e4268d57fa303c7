/// A section of an equaliser that the timeline moves.
struct SectionLane {
    let index: Int
    let design: FilterDesign
    let sampleRate: Double
    let frequency: LaneValue
    let gain: LaneValue
    let quality: LaneValue

    /// Whether the timeline has said anything of it by then.
    @_noLocks
    func speaks(at frame: Int64) -> Bool {
        frequency.speaks(at: frame) || gain.speaks(at: frame) || quality.speaks(at: frame)
    }

    @_noLocks
    func coefficients(at frame: Int64) -> FilterCoefficients {
        design.coefficients(
            frequency.value(at: frame), gain.value(at: frame), quality.value(at: frame), sampleRate)
    }

    @_noLocks
    func rests(at frame: Int64, _ count: Int) -> Bool {
        frequency.rests(at: frame, count) && gain.rests(at: frame, count) && quality.rests(at: frame, count)
    }
}
