import CVector
import Realtime

/// How samples are laid into a block.
enum Laying {
    /// Added to what is there.
    case adds
    /// The same, and what is added is measured: a level for each channel.
    case addsAndMeasures(UnsafeMutablePointer<Level>)
    /// In place of what is there, and measured.
    case replacesAndMeasures(UnsafeMutablePointer<Level>)

    /// The same for one channel.
    @_noLocks
    func of(_ channel: Int) -> Laying {
        switch self {
        case .adds: .adds
        case .addsAndMeasures(let levels): .addsAndMeasures(levels + channel)
        case .replacesAndMeasures(let levels): .replacesAndMeasures(levels + channel)
        }
    }
}
