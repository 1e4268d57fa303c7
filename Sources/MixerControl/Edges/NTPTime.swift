import Glibc
import OSC
import Realtime
import Remote

/// OSC's time tags: seconds since 1900, round and round, in the upper 32 bits, fractions of a second in the
/// lower (RFC 5905).
package enum NTPTime {
    private static let secondsTo1970: UInt64 = 2_208_988_800

    /// How long it is until `time`; negative once it is past.
    static func nanoseconds(until time: UInt64) -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return nanoseconds(until: time, from: now)
    }

    package static func nanoseconds(until time: UInt64, from now: timespec) -> Int64 {
        // The upper half counts round in 136 years: it means the moment nearest to now (RFC 5905, "eras"),
        // also from 2036 on.
        let present = UInt32(truncatingIfNeeded: UInt64(now.tv_sec) &+ secondsTo1970)
        let seconds = Int64(Int32(bitPattern: UInt32(time >> 32) &- present))
        return seconds * 1_000_000_000 + Int64(((time & 0xffff_ffff) * 1_000_000_000) >> 32)
            - Int64(now.tv_nsec)
    }
}
