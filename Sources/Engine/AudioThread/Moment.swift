/// What a plan's timeline says in one block: where its playhead is, and what its DCAs multiply by. Audio thread only; wait-free.
struct Moment {
    let playhead: Playhead
    private let dcas: UnsafeMutablePointer<DCALine>
    private let dcaCount: Int

    /// - Parameters:
    ///   - index: of the plan's route.
    ///   - rolls: it is played; else it stands there.
    @_noLocks
    init(_ plan: UnsafeMutablePointer<PlanData>, at index: Int64, rolls: Bool) {
        playhead = Playhead(plan.pointee.route.frame(at: index), rolls: rolls)
        (dcas, dcaCount) = (plan.pointee.dcas, plan.pointee.dcaCount)
    }

    /// Works out what each DCA multiplies by: automation, mute, fader and gate.
    @_noLocks
    func gainDCAs(_ clock: Int64, _ count: Int) {
        for i in 0..<dcaCount {
            let dca = dcas + i
            var gain = GainBlock(scratch: dca.pointee.gain.values)
            gain.multiply(by: dca.pointee.envelopes, dca.pointee.envelopeCount, at: playhead, of: count)
            dca.pointee.strip.pointee.fader.apply(to: &gain, from: clock, count: count)
            dca.pointee.strip.pointee.muteGate.apply(to: &gain, from: clock, count: count)
            dca.pointee.gain = gain
        }
    }

    /// Multiplies by what the timeline says of a line's volume, and by the DCAs that it hangs on.
    @_noLocks
    func multiply(_ gain: inout GainBlock, byVolumeOf sound: UnsafeMutablePointer<LineSound>, _ count: Int) {
        gain.multiply(by: sound, at: playhead, of: count)
        guard let controls = sound.pointee.controls, controls.pointee.dcas != 0 else { return }
        for i in 0..<dcaCount where controls.pointee.dcas & (1 << UInt64(i)) != 0 { gain.multiply(by: dcas[i].gain, of: count) }
    }

    /// Multiplies by what the timeline says of a line's trim.
    @_noLocks
    func multiply(_ gain: inout GainBlock, byTrimOf sound: UnsafeMutablePointer<LineSound>, _ count: Int) {
        guard let controls = sound.pointee.controls, controls.pointee.trimCount > 0 else { return }
        gain.multiply(by: controls.pointee.trims, controls.pointee.trimCount, at: playhead, of: count)
    }
}
