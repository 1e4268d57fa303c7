import Logging
import Realtime

/// What the log has been told from warnings on, for those who look on from elsewhere: subscribers are told.
package final class Notices: Sendable {
    package struct Notice: Equatable, Sendable {
        /// `warning`, `error` or `critical`.
        package let level: String
        package let text: String
    }

    package static let shared = Notices()

    private let waiting = Guarded<[Notice]>([])
    /// What a log that overflows may make the mixer hold: the oldest go.
    private static let maximum = 64

    private init() {}

    /// Any thread but the audio thread.
    package func add(_ level: Logger.Level, _ text: String) {
        if level < .warning { return }
        waiting.withLock { waiting in
            waiting.append(Notice(level: level.rawValue, text: text))
            if waiting.count > Self.maximum { waiting.removeFirst() }
        }
    }

    /// Those that have come since the last call.
    package func drain() -> [Notice] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
