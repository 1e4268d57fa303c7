import Remote
import Timeline

extension Console {
    func runScene(_ command: SceneCommand) throws(CommandError) -> [Answer] {
        switch command {
        case .list: return [.scenes(session.scenes.map(\.name))]
        case .store(let name):
            try storeScene(name)
        case .recall(let name, let time, let parts, let references):
            try recallScene(name, over: time, parts ?? Set(ScenePart.allCases), references)
        case .remove(let name):
            let scene = try scene(name)
            try edit(.document) { session in session.scenes.removeAll { $0.name == scene.name } }
        }
        return []
    }

    private func recallScene(
        _ name: String, over time: TimeSpec?, _ parts: Set<ScenePart>, _ references: [StripReference]?
    ) throws(CommandError) {
        let scene = try scene(name)
        let duration = time?.time(atRate: session.sampleRate)
        let only = try strips(references)
        try edit(duration.map { .allStripsOver($0) } ?? .allStrips) { session throws(CommandError) in
            session.recall(scene, parts: parts, only: only)
            try Self.checkCounts(session)
            try Self.checkLoops(session)
        }
        presentScene = name
    }

    private func storeScene(_ name: String) throws(CommandError) {
        if let problem = StripName.problem(name) { throw CommandError("a scene: \(problem)") }
        guard session.scenes.count < Scene.maximum || session.scenes.contains(where: { $0.name == name })
        else {
            throw CommandError("a session has at most \(Scene.maximum) scenes")
        }
        try edit(.document) { $0.storeScene(name) }
        presentScene = name
    }

    private func strips(_ references: [StripReference]?) throws(CommandError) -> Set<StripID>? {
        var only: Set<StripID>?
        for reference in references ?? [] {
            only = (only ?? []).union(try places(reference).map { session[$0].id })
        }
        return only
    }

    private func scene(_ name: String) throws(CommandError) -> Scene {
        guard let scene = session.scenes.first(where: { $0.name == name }) else {
            let known = session.scenes.map(\.name).joined(separator: ", ")
            throw CommandError(
                """
                there is no scene "\(name)": \
                \(known.isEmpty ? "scene store NAME makes one" : "the session has \(known)")
                """
            )
        }
        return scene
    }
}
