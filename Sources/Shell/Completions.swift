import Files
import OSC
import Remote

extension Completion.Sources {
    /// What a running mixer at `url` knows, if there is one and it answers at once; files of the present
    /// folder.
    package static func live(_ url: OSCURL) -> Completion.Sources { of(RemoteMixer(url, patience: 300)) }

    /// What `mixer` knows; files of the present folder.
    package static func of(_ mixer: any CommandTarget) -> Completion.Sources {
        func answer(_ command: Command) -> Answer? { (try? mixer.run(command))?.first }
        return Completion.Sources(
            names: { named in
                switch named {
                case .tracks: answer(.tracks)?.names ?? []
                case .buses: answer(.buses)?.names ?? []
                case .dcas: answer(.dcas)?.names ?? []
                case .markers: answer(.marker(.list))?.names ?? []
                case .scenes: answer(.scene(.list))?.names ?? []
                case .sessions: answer(.sessions)?.names ?? []
                }
            }, files: Path.completions)
    }
}

extension Answer {
    /// Of a list of what has names.
    fileprivate var names: [String]? {
        switch self {
        case .tracks(let tracks): tracks.map(\.name)
        case .buses(let buses): buses.map(\.name)
        case .dcas(let dcas): dcas.map(\.name)
        case .markers(let markers): markers.map(\.name)
        case .scenes(let names), .sessions(let names): names
        default: nil
        }
    }
}
