/// What a plan's timeline says in one block where it is read so many frames behind a playhead: where that
/// is, and what the DCAs multiply by there. Audio thread only; wait-free.
struct Moment {
    /// How far behind the playhead of its player.
    let lag: Int64
    private(set) var playhead = Playhead(0, rolls: false)
    private let dcas: UnsafeMutablePointer<DCALine>
    /// Their gains in the present block.
    private let gains: UnsafeMutablePointer<GainBlock>
    private let dcaCount: Int

    init(
        lag: Int64, dcas: UnsafeMutablePointer<DCALine>, gains: UnsafeMutablePointer<GainBlock>, dcaCount: Int
    ) {
        (self.lag, self.dcas, self.gains, self.dcaCount) = (lag, dcas, gains, dcaCount)
    }

    /// Begins a block, and works out what each DCA multiplies by: automation, mute, fader and gate.
    /// - Parameters:
    ///   - index: of the course's route.
    ///   - rolls: it is played; else it stands there.
    @_noLocks
    mutating func beginBlock(_ route: Route, at index: Int64, rolls: Bool, _ clock: Int64, _ count: Int) {
        playhead = Playhead(route.frame(at: index - lag), rolls: rolls)
        for i in 0..<dcaCount {
            let dca = dcas[i]
            var gain = GainBlock(scratch: gains[i].values)
            gain.multiply(by: dca.envelopes, dca.envelopeCount, at: playhead, of: count)
            dca.strip.pointee.fader.apply(to: &gain, from: clock, count: count)
            dca.strip.pointee.muteGate.apply(to: &gain, from: clock, count: count)
            gains[i] = gain
        }
    }

    /// Multiplies by what the timeline says of a line's volume, and by the DCAs that it hangs on.
    @_noLocks
    func multiply(_ gain: inout GainBlock, byVolumeOf sound: UnsafeMutablePointer<LineSound>, _ count: Int) {
        gain.multiply(by: sound, at: playhead, of: count)
        guard let controls = sound.pointee.controls, controls.pointee.dcas != 0 else { return }
        for i in 0..<dcaCount where controls.pointee.dcas & (1 << UInt64(i)) != 0 {
            gain.multiply(by: gains[i], of: count)
        }
    }

    /// Multiplies by what the timeline says of a line's trim.
    @_noLocks
    func multiply(_ gain: inout GainBlock, byTrimOf sound: UnsafeMutablePointer<LineSound>, _ count: Int) {
        guard let controls = sound.pointee.controls, controls.pointee.trimCount > 0 else { return }
        gain.multiply(by: controls.pointee.trims, controls.pointee.trimCount, at: playhead, of: count)
    }
}
