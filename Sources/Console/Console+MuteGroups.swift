import Engine
import Remote
import Timeline

/// Buttons that silence several strips at once.
extension Console {
    func runMuteGroups(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .muteGroup(let name, .members(let references, let isOn)):
            try setMuteGroup(name, references, isOn)
        case .muteGroup(let name, .turn(let flag)):
            let index = try muteGroup(name)
            try edit(.allStrips) { $0.muteGroups[index].isOn = flag }
        case .muteGroup(let name, .remove):
            let index = try muteGroup(name)
            try edit(.allStrips) { $0.muteGroups.remove(at: index) }
        default: return [.muteGroups(muteGroups)]
        }
        return []
    }

    private func setMuteGroup(
        _ name: String, _ references: [StripReference], _ isOn: Bool?
    ) throws(CommandError) {
        let members = try groupMembers(references)
        if name.isEmpty || name.contains("/") || ["on", "off", "remove"].contains(name) {
            throw CommandError("\"\(name)\" cannot name a mute group")
        }
        let index = session.muteGroups.firstIndex { $0.name == name }
        if index == nil, session.muteGroups.count >= MuteGroup.maximum {
            throw CommandError("a session has at most \(MuteGroup.maximum) mute groups")
        }
        try edit(.allStrips) { session in
            if index == nil { session.muteGroups.append(MuteGroup(name: name)) }
            let index = index ?? session.muteGroups.count - 1
            session.muteGroups[index].members = members
            if let isOn { session.muteGroups[index].isOn = isOn }
        }
    }

    /// All of them, as they are told.
    package var muteGroups: [MuteGroupSummary] {
        session.muteGroups.map { group in
            MuteGroupSummary(
                name: group.name, members: group.members.compactMap { session.name(of: $0) },
                isOn: group.isOn)
        }
    }

    private func muteGroup(_ name: String) throws(CommandError) -> Int {
        if let index = session.muteGroups.firstIndex(where: { $0.name == name }) { return index }
        throw CommandError("there is no mute group \"\(name)\": mutegroup \(name) STRIP ... makes one")
    }

    private func groupMembers(_ references: [StripReference]) throws(CommandError) -> [StripID] {
        var members: [StripID] = []
        for reference in references {
            for place in try places(reference) {
                if place == .master {
                    throw CommandError("the master has a mute of its own, and is in no mute group")
                }
                if !members.contains(session[place].id) { members.append(session[place].id) }
            }
        }
        return members
    }
}
