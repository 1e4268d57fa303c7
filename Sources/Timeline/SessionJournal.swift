import CZlib
import JSON

/// The changes of a session since it was saved, as lines of text: the session first, then what each change
/// made of it. Each line bears its checksum, so that a journal is good up to where it was torn.
public enum SessionJournal {
    /// The line that begins a journal.
    public static func line(beginning session: Session) -> String {
        checked(.object(["session": SessionFile.json(session)]))
    }

    /// The line for a change: the tracks that differ, and all that is no track.
    public static func line(from old: Session, to new: Session) -> String {
        var root = SessionFile.json(new).objectValue ?? JSONObject()
        let tracks = root["tracks"]?.arrayValue ?? []
        root["tracks"] = nil
        var changed: [JSONValue] = []
        for (place, track) in new.tracks.enumerated()
        where place >= old.tracks.count || old.tracks[place] != track {
            changed.append(.object(["place": .number(place), "track": tracks[place]]))
        }
        return checked(
            .object(["rest": .object(root), "count": .number(new.tracks.count), "changed": .array(changed)]))
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
        var document: JSONObject?
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
            if let session = record["session"]?.objectValue {
                document = session
            } else if var next = document {
                guard apply(record, to: &next) else { break }
                document = next
            }
            length += line.utf8.count + 1
        }
        if isSaved { return nil }
        guard let session = document.flatMap({ SessionFile.read(.object($0)).session }) else { return nil }
        return (session, length)
    }

    private static func apply(_ record: JSONObject, to document: inout JSONObject) -> Bool {
        guard let rest = record["rest"]?.objectValue, let count = record["count"]?.intValue,
            let changed = record["changed"]?.arrayValue
        else { return false }
        var tracks = Array((document["tracks"]?.arrayValue ?? []).prefix(count))
        for item in changed {
            guard let place = item["place"]?.intValue, let track = item["track"], place <= tracks.count else {
                return false
            }
            if place == tracks.count { tracks.append(track) } else { tracks[place] = track }
        }
        guard tracks.count == count else { return false }
        document = rest
        document["tracks"] = .array(tracks)
        return true
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

    private static func checksum(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return String(crc32(0, bytes, UInt32(clamping: bytes.count)), radix: 16)
    }
}
