extension Strip {
    /// Makes what the timeline is to move where there is none, as it is unless told: a pass that cuts next to
    /// nothing, flat bands, a compressor of 3 to 1 above -20 dB, a gate below -40 dB.
    public mutating func makeProcessor(of control: Automation.Control) {
        switch control.unit {
        case nil: break
        case .compressor: compressor = compressor ?? Compressor()
        case .gate: gate = gate ?? Gate()
        case .band: equaliser = equaliser ?? Equaliser()
        case .highPass, .lowPass:
            var next = equaliser ?? Equaliser()
            if control == .highPass {
                next.highPass =
                    next.highPass ?? Equaliser.Pass(frequency: Equaliser.frequencyRange.lowerBound)
            } else {
                next.lowPass = next.lowPass ?? Equaliser.Pass(frequency: Equaliser.frequencyRange.upperBound)
            }
            equaliser = next
        }
    }
}
