import JSON

/// Strips that are silenced together by one button, beside their own mutes.
public struct MuteGroup: Equatable, Sendable {
    /// What it is called by.
    public var name: String
    /// Tracks, buses and DCAs.
    public var members: [StripID] = []
    /// They are silenced.
    public var isOn = false
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// So many there are at the most.
    public static let maximum = 64

    /// One that silences nobody yet.
    public init(name: String) { self.name = name }
}

/// What the mute of a strip, or of a DCA, silences.
public enum MuteMode: String, CaseIterable, Sendable {
    /// What leaves it behind its fader.
    case main
    /// All that leaves it: the sends before its fader too.
    case all
}

extension Session {
    /// Those whom a mute group that is on silences.
    var groupMuted: Set<StripID> { Set(muteGroups.lazy.filter(\.isOn).flatMap(\.members)) }

    /// The strips of which nothing leaves, not even by sends before their faders: by a mute of their own, or
    /// of a DCA that they hang on, that is of all.
    public var closed: Set<StripID> {
        let grouped = groupMuted
        func isClosed(_ strip: Strip) -> Bool {
            strip.muteMode == .all && (strip.mute || grouped.contains(strip.id))
        }
        let own = (tracks.map(\.strip) + buses).filter(isClosed).map(\.id)
        return Set(own + dcas.filter { isClosed($0.strip) }.flatMap(\.members))
    }
}

extension SessionFile {
    /// `"muteGroups": [ { "name": "band", "members": ["drums", "bass"], "on": true } ]`.
    static func muteGroups(_ names: StripNames) -> FieldTable<MuteGroup> {
        FieldTable(
            fields: [
                Field(name: "name", required: "a mute group has a name") { reader, group in
                    guard let name = reader.text("name") else { return }
                    if name.isEmpty || name.contains("/") {
                        reader.fault("name", "\"\(name)\" cannot name a mute group")
                    } else {
                        group.name = name
                    }
                } write: {
                    .string($0.name)
                },
                members("members", \.members, names, kinds: [.track, .bus, .dca]),
                .flag("on", \.isOn, omitted: false),
            ], unknown: \.unknown)
    }

    /// Strips by their names, each once.
    static func members<Part>(
        _ name: String, _ path: WritableKeyPath<Part, [StripID]> & Sendable, _ names: StripNames,
        kinds: Set<StripKind>
    ) -> Field<Part> {
        Field(name: name) { reader, part in
            for (number, value) in (reader.list(name) ?? []).enumerated() {
                guard let id = member(value, "member \(number + 1)", names, kinds, &reader) else { continue }
                if !part[keyPath: path].contains(id) { part[keyPath: path].append(id) }
            }
        } write: {
            .array($0[keyPath: path].compactMap { names.names[$0] }.map { .string($0) })
        }
    }

    /// nil, and said: it is none.
    private static func member(
        _ value: JSONValue, _ place: String, _ names: StripNames, _ kinds: Set<StripKind>,
        _ reader: inout FieldReader
    ) -> StripID? {
        guard let text = value.stringValue else {
            reader.fault(place, "it is \(value.kind), where a strip's name belongs")
            return nil
        }
        guard let id = names.ids[text] else {
            reader.fault(place, "there is no strip \"\(text)\"")
            return nil
        }
        if kinds.contains(names.kind(id)) { return id }
        let kind = names.kind(id) == .dca ? "a DCA, which cannot hang on another" : "the master"
        reader.fault(place, "\"\(text)\" is \(kind)")
        return nil
    }
}
