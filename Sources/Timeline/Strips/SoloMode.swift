import Files
import JSON
import Speakers

/// What putting a strip on solo does.
public enum SoloMode: String, CaseIterable, Sendable {
    /// The mix is heard with nothing but what is on solo, what feeds that and what it feeds.
    case inPlace = "in-place"
    /// What is on solo is played on ports of its own, `monitor_1` and `monitor_2`, as it goes into the mix;
    /// that stays as it is.
    case afl
    /// The same as it is before automation, fader, mute and pan.
    case pfl
}

extension Session {
    /// What solo does: in place where nobody has said.
    public var soloMode: SoloMode {
        get { chosenSoloMode ?? .inPlace }
        set { chosenSoloMode = newValue }
    }

    /// Whether solo goes to the monitor once that is connected, and leaves the mix as it is: nobody has said
    /// what solo does, and nothing is on solo.
    public var leavesSoloToMonitor: Bool {
        chosenSoloMode == nil && !tracks.contains { $0.strip.solo } && !buses.contains { $0.solo }
            && !dcas.contains { $0.strip.solo }
    }
}
