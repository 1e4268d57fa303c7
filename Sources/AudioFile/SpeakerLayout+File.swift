import CSndfile
import Speakers

extension SpeakerLayout {
    /// Has a file that is about to be written say where each of its channels is heard from, where its format
    /// has words for that.
    func describe(_ file: OpaquePointer?) {
        if self <= .stereo { return }
        var map = speakers.map { Int32($0.mapCode) }
        sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, Int32(map.count * MemoryLayout<Int32>.size))
    }
}

extension Speaker {
    /// As libsndfile has it.
    fileprivate var mapCode: Int {
        switch self {
        case .left: SF_CHANNEL_MAP_LEFT
        case .right: SF_CHANNEL_MAP_RIGHT
        case .centre: SF_CHANNEL_MAP_CENTER
        case .lowFrequency: SF_CHANNEL_MAP_LFE
        case .backLeft: SF_CHANNEL_MAP_REAR_LEFT
        case .backRight: SF_CHANNEL_MAP_REAR_RIGHT
        case .sideLeft: SF_CHANNEL_MAP_SIDE_LEFT
        case .sideRight: SF_CHANNEL_MAP_SIDE_RIGHT
        case .topFrontLeft: SF_CHANNEL_MAP_TOP_FRONT_LEFT
        case .topFrontRight: SF_CHANNEL_MAP_TOP_FRONT_RIGHT
        case .topBackLeft: SF_CHANNEL_MAP_TOP_REAR_LEFT
        case .topBackRight: SF_CHANNEL_MAP_TOP_REAR_RIGHT
        }
    }
}
