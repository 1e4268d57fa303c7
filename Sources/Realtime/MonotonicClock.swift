import CRealtime

/// Nanoseconds that only ever go forward. Any thread.
public func monotonicNanoseconds() -> UInt64 { UInt64(rt_now()) }
