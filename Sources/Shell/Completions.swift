import Files
import OSC
import Remote

extension Completion.Sources {
    /// What a running mixer at `url` knows, if there is one and it answers at once; files of the present
    /// folder.
    package static func live(_ url: OSCURL) -> Completion.Sources { of(RemoteMixer(url, patience: 300)) }

    /// What `mixer` knows; files of the present folder.
    package static func of(_ mixer: any CommandTarget) -> Completion.Sources {
        func names<Item>(_ command: Command, _ kind: AnswerKind<[Item]>, _ name: (Item) -> String) -> [String]
        {
            ((try? mixer.run(command))?.first?[kind] ?? []).map(name)
        }
        return Completion.Sources(
            names: { named in
                switch named {
                case .tracks: names(.tracks, Answer.tracks, \.name)
                case .buses: names(.buses, Answer.buses, \.name)
                case .dcas: names(.dcas, Answer.dcas, \.name)
                case .markers: names(.marker(.list), Answer.markers, \.name)
                case .scenes: names(.scene(.list), Answer.scenes, \.self)
                case .sessions: names(.sessions, Answer.sessions, \.self)
                }
            }, files: Path.completions)
    }
}
