import Realtime

/// What is waited for, where the mixer waits for the disk.
struct DiskWait {
    let players: Players
    var plan: UnsafeMutablePointer<PlanData>?
    /// It is the plan that is crossed over from.
    var isBefore = false
    let pool: Unmanaged<DiskPool>
    /// What is to have room, if it is waited for what is recorded.
    var capture: UnsafeMutablePointer<CaptureCursor>?
    /// What is to have room, if it is waited for what is measured.
    var measured: SampleRing?
}
