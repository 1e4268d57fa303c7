import Glibc
import Logging
import Realtime

/// The log: lines like all others (`inform`).
package struct TerminalLog: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.info
    private let label: String

    package init(_ label: String) { self.label = label }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let isWarning = event.level >= .warning
        Notices.shared.add(event.level, "\(event.message)")
        TerminalOutput.shared.line(
            "\(label): \(isWarning ? "warning: " : "")\(event.message)", isWarning: isWarning)
    }
}
