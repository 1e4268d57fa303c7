import CRealtime
import Glibc

/// Nanoseconds that only ever go forward. Any thread.
public func monotonicNanoseconds() -> UInt64 { UInt64(rt_now()) }

/// Milliseconds of the wall clock since 1970, which may be set back. Any thread but the audio thread.
public func wallMilliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
}
