import CJack
import CRealtime
import Engine
import Synchronization

/// All that the process callback touches beside the mixer. Lives as long as the client is active.
struct ProcessContext {
    let client: OpaquePointer
    let audio: AudioSide
    let left: OpaquePointer
    let right: OpaquePointer
    let statistics: UnsafeMutablePointer<CallbackStatistics>
    let sampleRate: Int
    let notes: UnsafeMutablePointer<ServerNotes>
    let midi: UnsafeMutablePointer<MIDITable>?
}

/// JACK's process callback: mixes straight into the ports' buffers. The audio thread; the compiler checks
/// that it takes no lock and allocates nothing.
// swift-format-ignore: AlwaysUseLowerCamelCase
@_noLocks @c
func jmix_process(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    let start = rt_now()
    let context = argument!.assumingMemoryBound(to: ProcessContext.self)
    guard let left = rt_port_buffer(context.pointee.left, frames),
        let right = rt_port_buffer(context.pointee.right, frames)
    else { return 0 }
    let notes = context.pointee.notes
    let freewheels = notes.pointee.freewheels.load(ordering: .relaxed)
    notes.pointee.noteClock(
        context.pointee.audio.clock(), serverFrame: rt_cycle_frame(context.pointee.client))
    if notes.pointee.follows.load(ordering: .relaxed) {
        var frame: UInt32 = 0
        let rolls = rt_transport_rolls(context.pointee.client, &frame) != 0
        context.pointee.audio.follow(rolls: rolls, frame: Int64(frame), count: Int(frames))
    }
    let table = notes.pointee.ports.load(ordering: .acquiring)
    // First: a buffer that the mixer plays into may be the one that it hears.
    let ins = table?.pointee.openedIns(frames)
    context.pointee.audio.render(
        left, right, Int(frames), waits: freewheels, outs: table?.pointee.openedOuts(frames), ins: ins)
    context.pointee.midi?.pointee.exchange(frames)
    if let table { notes.pointee.portsSeen.store(table.pointee.number, ordering: .releasing) }
    // In freewheel there is no time to keep.
    if freewheels { return 0 }
    context.pointee.statistics.pointee.count(
        nanoseconds: Int(rt_now() - start), budget: Int(frames) * 1_000_000_000 / context.pointee.sampleRate)
    return 0
}

/// JACK's sync callback: whether the mixer is ready for the transport to roll from where it is about to. The
/// audio thread.
// swift-format-ignore: AlwaysUseLowerCamelCase
@_noLocks @c
func jmix_sync(
    _ state: jack_transport_state_t, _ position: UnsafeMutablePointer<jack_position_t>?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    let context = argument!.assumingMemoryBound(to: ProcessContext.self)
    return context.pointee.audio.stands(at: Int64(position!.pointee.frame)) ? 1 : 0
}
