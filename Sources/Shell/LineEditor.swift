import CLineEdit
import Files
import Glibc
import Remote

/// Lines from a person at a terminal: editing, history and Tab, by libedit. One for the program: libedit has
/// one state.
final class LineEditor {
    /// Where Tab looks; libedit calls back without a context.
    nonisolated(unsafe) private static var present: LineEditor?
    /// Ctrl-C has been pressed since the present line was begun. Written by its handler.
    nonisolated(unsafe) private(set) static var isInterrupted = false

    private let sources: Completion.Sources
    private let history: String?
    private var words: [String] = []

    init(_ sources: Completion.Sources) {
        self.sources = sources
        history = Self.historyPath
        Self.present = self
        line_edit_begin("jmixctl") { text, state in
            LineEditor.present?.next(text.map { String(cString: $0) } ?? "", isFirst: state == 0)
        }
        signal(SIGINT) { _ in LineEditor.isInterrupted = true }
        if let history { read_history(history) }
    }

    /// `$XDG_STATE_HOME/jmix/history`; nil where the folder cannot be made.
    private static var historyPath: String? {
        guard let folder = Path.stateFolder, Path.makeFolder(folder) else { return nil }
        return Path.join(folder, "history")
    }

    /// The next line, without its end; nil at the end of the input. Ctrl-C gives up a line, and not the
    /// program.
    func line(prompt: String) -> String? {
        Self.isInterrupted = false
        guard let text = readline(prompt) else {
            guard Self.isInterrupted else { return nil }
            print()
            return ""
        }
        defer { free(text) }
        let line = String(cString: text)
        remember(line)
        return line
    }

    /// What was just written is not written down again.
    private func remember(_ line: String) {
        let isBlank = line.allSatisfy(\.isWhitespace)
        let last = line_edit_last().map { String(cString: $0) }
        guard !isBlank, last != line else { return }
        add_history(line)
        if let history { write_history(history) }
    }

    // MARK: - Tab

    /// The next of the words that `text` may become, as libedit wants them: allocated with malloc.
    private func next(_ text: String, isFirst: Bool) -> UnsafeMutablePointer<CChar>? {
        if isFirst { words = candidates(text) }
        return words.isEmpty ? nil : strdup(words.removeFirst())
    }

    /// What is written so far.
    private static func line() -> String? {
        var length: Int32 = 0
        guard let bytes = line_edit_line(&length) else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(length)), as: UTF8.self)
    }

    private func candidates(_ text: String) -> [String] {
        guard let line = Self.line() else { return [] }
        let beginning = LineWords.beginning(line)
        let found = Completion.candidates(for: beginning.partial, after: beginning.words, sources)
        line_edit_append(found.count == 1 && found[0].hasSuffix("/") ? 0 : CChar(UInt8(ascii: " ")))
        // libedit parts words at every blank, also at one behind a backslash: of a candidate it gets what
        // stands behind that.
        let kept = beginning.written.count - text.count
        return found.map { candidate in
            let written = LineWords.written(candidate, in: beginning.quote)
            let isWhole = found.count == 1 && !candidate.hasSuffix("/")
            return String(written.dropFirst(max(0, kept)))
                + (isWhole ? beginning.quote.map(String.init) ?? "" : "")
        }
    }
}
