/// Where a channel is heard from, by its bit in the channel mask of a WAVE_FORMAT_EXTENSIBLE file (Microsoft,
/// "Multiple channel audio data and WAVE files").
public enum Speaker: Int, CaseIterable, Sendable {
    /// At 30° to the left.
    case left
    /// At 30° to the right.
    case right
    /// In front.
    case centre
    /// The effects below 120 Hz.
    case lowFrequency
    /// Behind, to the left.
    case backLeft
    /// Behind, to the right.
    case backRight
    /// Beside the listener, to the left.
    case sideLeft = 9
    /// Beside the listener, to the right.
    case sideRight
    /// Above, in front, to the left.
    case topFrontLeft = 12
    /// Above, in front, to the right.
    case topFrontRight = 14
    /// Above, behind, to the left.
    case topBackLeft
    /// Above, behind, to the right.
    case topBackRight = 17

    /// Which gain of a balance is for it.
    public enum Side: Sendable {
        /// The left one.
        case left
        /// The right one.
        case right
        /// Neither: a balance leaves it as it is.
        case middle
    }

    /// "left", "side right", as people say it.
    public var name: String {
        switch self {
        case .left: "left"
        case .right: "right"
        case .centre: "centre"
        case .lowFrequency: "LFE"
        case .backLeft: "back left"
        case .backRight: "back right"
        case .sideLeft: "side left"
        case .sideRight: "side right"
        case .topFrontLeft: "top front left"
        case .topFrontRight: "top front right"
        case .topBackLeft: "top back left"
        case .topBackRight: "top back right"
        }
    }

    /// On which side it stands.
    public var side: Side {
        switch self {
        case .left, .backLeft, .sideLeft, .topFrontLeft, .topBackLeft: .left
        case .right, .backRight, .sideRight, .topFrontRight, .topBackRight: .right
        case .centre, .lowFrequency: .middle
        }
    }

    /// Where its sound goes if a layout does not have it: each of these gets it 3 dB lower. Rec. ITU-R
    /// BS.775-3, annex 4, table 2; what that does not know (backs and tops) goes to its neighbours in the
    /// same way. The low frequencies are left out, as there.
    var neighbours: [Speaker] {
        switch self {
        case .left, .right: [.centre]
        case .centre: [.left, .right]
        case .lowFrequency: []
        case .sideLeft: [.left]
        case .sideRight: [.right]
        case .backLeft: [.sideLeft]
        case .backRight: [.sideRight]
        case .topFrontLeft: [.left]
        case .topFrontRight: [.right]
        case .topBackLeft: [.backLeft]
        case .topBackRight: [.backRight]
        }
    }
}
