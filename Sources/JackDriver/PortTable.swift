import CJack
import Engine
import Realtime
import Speakers
import Synchronization
import Timeline

/// The ports of single strips as the process callback sees them: flat and immutable but for the buffers,
/// which are each call's own.
struct PortTable {
    let number: Int
    let outPorts: UnsafeMutablePointer<PortList>
    let outs: UnsafeMutablePointer<DirectOut>
    let outCount: Int
    let inPorts: UnsafeMutablePointer<PortList>
    let ins: UnsafeMutablePointer<DirectIn>
    let inCount: Int

    /// The buffers that strips play into in this period. Audio thread only; wait-free.
    @_noLocks
    func openedOuts(_ frames: UInt32) -> DirectOuts {
        for i in 0..<outCount { outPorts[i].open(&outs[i].buffers, frames) }
        return DirectOuts(outs, count: outCount)
    }

    /// What has come in for this period, of the mixer's own outputs what they played in the last one: to be
    /// asked before anything is played. Audio thread only; wait-free.
    @_noLocks
    func openedIns(_ frames: UInt32) -> DirectIns {
        for i in 0..<inCount { inPorts[i].open(&ins[i].buffers, frames) }
        return DirectIns(ins, count: inCount)
    }
}
