import CJack
import CRealtime
import Engine
import Synchronization

/// All that the process callback touches beside the mixer. Lives as long as the client is active.
struct ProcessContext {
    let audio: AudioSide
    let left: OpaquePointer
    let right: OpaquePointer
    let statistics: UnsafeMutablePointer<CallbackStatistics>
    let sampleRate: Int
    let notes: UnsafeMutablePointer<ServerNotes>
}

/// JACK's process callback: mixes straight into the ports' buffers. The audio thread; the compiler checks that it takes no lock and allocates nothing.
@_noLocks @c
func jmix_process(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    let start = rt_now()
    let context = argument!.assumingMemoryBound(to: ProcessContext.self)
    guard let left = rt_port_buffer(context.pointee.left, frames), let right = rt_port_buffer(context.pointee.right, frames) else { return 0 }
    let freewheels = context.pointee.notes.pointee.freewheels.load(ordering: .relaxed)
    context.pointee.audio.render(left, right, Int(frames), waits: freewheels)
    // In freewheel there is no time to keep.
    if freewheels { return 0 }
    context.pointee.statistics.pointee.count(
        nanoseconds: Int(rt_now() - start), budget: Int(frames) * 1_000_000_000 / context.pointee.sampleRate)
    return 0
}

/// What JACK's other threads note down for the control thread.
struct ServerNotes: ~Copyable {
    let xruns = Atomic<Int>(0)
    let period = Atomic<Int>(0)
    let isGone = Atomic<Bool>(false)
    /// The server runs as fast as its clients can; they may wait for their disks.
    let freewheels = Atomic<Bool>(false)
}
