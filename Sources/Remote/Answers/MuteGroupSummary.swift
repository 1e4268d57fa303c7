import JSON

/// A mute group at a glance.
public struct MuteGroupSummary: Equatable, Sendable, JSONForm {
    public private(set) var name = ""
    /// By their names.
    public private(set) var members: [String] = []
    public private(set) var isOn = false

    public init() {}

    public init(name: String, members: [String], isOn: Bool) {
        (self.name, self.members, self.isOn) = (name, members, isOn)
    }

    public static let fields: [JSONField<Self>] = [
        JSONField("name", \.name), JSONField("members", \.members), JSONField("on", \.isOn),
    ]
}

extension Answer {
    public static let muteGroups = AnswerKind("/mutegroups", .document) { (groups: [MuteGroupSummary]) in
        groups.map { group in
            let members = group.members.joined(separator: ", ")
            return "\(group.name.padded(16)) \(group.isOn ? "on " : "off")  \(members)"
        }
    }
}
