extension Command {
    /// It changes nothing for anybody else: a guest may say it.
    public var onlyAsks: Bool {
        switch self {
        case .ask, .askEqualiser, .askDynamics, .askLoudness, .askLoudnessRange, .askSpectrum, .askPeak,
            .automation, .buses, .sends, .dcas, .soloMode(nil), .directOuts(nil), .silenced(nil), .muteGroups,
            .ducks,
            .askAutomix,
            .monitoring(_, nil), .soundcheck(nil), .askInput, .record(nil), .clips(_, .list), .askLoop,
            .stopAtEnd(nil), .position, .state, .connections, .ports, .tracks, .status,
            .version, .sessions, .collect(nil), .missing, .history, .edition, .scene(.list), .marker(.list),
            .video(.ask), .midi(.list), .ping, .subscribe, .unsubscribe, .help, .nothing,
            .miniMix(.count), .miniMix(.gain(_, nil)), .miniMix(.label(_, nil)):
            true
        default: false
        }
    }
}
