import Files
import OSC
import Remote

extension Completion.Sources {
    /// What a running mixer at `url` knows, if there is one and it answers at once; files of the present
    /// folder.
    package static func live(_ url: OSCURL) -> Completion.Sources { of(RemoteMixer(url, patience: 300)) }

    /// What `mixer` knows; files of the present folder.
    package static func of(_ mixer: any CommandTarget) -> Completion.Sources {
        func names(_ command: Command, _ names: (Answer) -> [String]?) -> [String] {
            (try? mixer.run(command))?.first.flatMap(names) ?? []
        }
        return Completion.Sources(
            tracks: {
                names(.tracks) { if case .tracks(let tracks) = $0 { tracks.map(\.name) } else { nil } }
            },
            buses: { names(.buses) { if case .buses(let buses) = $0 { buses.map(\.name) } else { nil } } },
            dcas: { names(.dcas) { if case .dcas(let dcas) = $0 { dcas.map(\.name) } else { nil } } },
            markers: {
                names(.marker(.list)) { if case .markers(let list) = $0 { list.map(\.name) } else { nil } }
            },
            scenes: { names(.scene(.list)) { if case .scenes(let scenes) = $0 { scenes } else { nil } } },
            sessions: { names(.sessions) { if case .sessions(let names) = $0 { names } else { nil } } },
            files: Path.completions)
    }
}
