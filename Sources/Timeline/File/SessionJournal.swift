import CZlib
import JSON

/// The changes of a session since it was saved, as lines of text: the session first, then what each change
/// made of it. Each line bears its checksum, so that a journal is good up to where it was torn.
public enum SessionJournal {
    /// The line that begins a journal.
    public static func line(beginning session: Session) -> String {
        checked(.object(["session": SessionFile.json(session)]))
    }

    /// The line for a change: what differs.
    public static func line(from old: Session, to new: Session) -> String {
        line(from: SessionFile.json(old), to: SessionFile.json(new))
    }

    /// The same of sessions as their files have them.
    public static func line(from old: JSONValue, to new: JSONValue) -> String {
        checked(.object(["patch": old.patch(to: new)]))
    }

    /// The line to write before a session is saved as `text`: if that is what its file says, all before it
    /// has been saved.
    public static func line(saving text: String) -> String {
        checked(.object(["saving": .string(checksum(text))]))
    }

    /// The session at the end of a journal, as far as its lines are whole, and how many bytes those are; nil
    /// if not even the first is, or if all of it has been saved.
    /// - Parameter saved: what the session's file says.
    public static func replay(_ text: String, saved: String = "") -> (session: Session, length: Int)? {
        var document: JSONValue?
        var (length, isSaved) = (0, false)
        // What follows the last line's end is torn, be it a line but for its end.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            guard let record = content(of: line) else { break }
            if let saving = record["saving"] {
                // One that did not come to be says nothing.
                if saving.stringValue == checksum(saved) { isSaved = true }
                length += line.utf8.count + 1
                continue
            }
            isSaved = false
            if let session = record["session"] {
                document = session
            } else if let present = document {
                guard let patch = record["patch"], let next = present.patched(by: patch) else { break }
                document = next
            }
            length += line.utf8.count + 1
        }
        if isSaved { return nil }
        guard let session = document.flatMap({ SessionFile.read($0).session }) else { return nil }
        return (session, length)
    }

    private static func checked(_ value: JSONValue) -> String {
        let text = value.compactText
        return "\(checksum(text)) \(text)\n"
    }

    private static func content(of line: Substring) -> JSONObject? {
        guard let space = line.firstIndex(of: " ") else { return nil }
        let text = String(line[line.index(after: space)...])
        guard line[..<space] == checksum(text) else { return nil }
        return (try? JSONValue(parsing: text))?.objectValue
    }

    /// What a text is told from another by.
    public static func checksum(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return String(crc32(0, bytes, UInt32(clamping: bytes.count)), radix: 16)
    }
}
