import CJack
import CRealtime
import Engine
import Synchronization

/// What JACK's other threads note down for the control thread, and what it hands to them.
struct ServerNotes: ~Copyable {
    let xruns = Atomic<Int>(0)
    let period = Atomic<Int>(0)
    /// Frames per second, as the server said last.
    let rate = Atomic<Int>(0)
    let isGone = Atomic<Bool>(false)
    /// The server runs as fast as its clients can; they may wait for their disks.
    let freewheels = Atomic<Bool>(false)
    /// The server's transport leads.
    let follows = Atomic<Bool>(false)
    /// The ports of single tracks; the callback uses the table it finds when it begins, and no older one
    /// after that.
    let ports = Atomic<UnsafeMutablePointer<PortTable>?>(nil)
    /// The number of the table that the callback used last.
    let portsSeen = Atomic<Int>(0)
    /// The mixer's clock and the server's frame time at the start of a period, in one word so that they
    /// belong together: the lower halves of both, which differ by less than a day from what they are when
    /// they are read.
    private let clocks = Atomic<UInt64>(0)

    @_noLocks
    func noteClock(_ clock: Int64, serverFrame: UInt32) {
        clocks.store(UInt64(truncatingIfNeeded: clock) << 32 | UInt64(serverFrame), ordering: .releasing)
    }

    /// The mixer's clock at a frame of the server's time. Control thread.
    /// - Parameter now: the mixer's clock at about this moment.
    func clock(atServerFrame frame: UInt32, now: Int64) -> Int64 {
        let both = clocks.load(ordering: .acquiring)
        let (low, serverFrame) = (UInt32(truncatingIfNeeded: both >> 32), UInt32(truncatingIfNeeded: both))
        let noted = now + Int64(Int32(bitPattern: low &- UInt32(truncatingIfNeeded: now)))
        return noted + Int64(Int32(bitPattern: frame &- serverFrame))
    }
}
