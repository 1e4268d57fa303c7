import Files
import JSON
import OSC
import Remote

extension Completion.Sources {
    /// What a running mixer at `url` knows, if there is one and it answers at once; files of the present
    /// folder.
    package static func live(_ url: OSCURL) -> Completion.Sources { of(RemoteMixer(url, patience: 300)) }

    /// What `mixer` knows; files of the present folder.
    package static func of(_ mixer: any CommandTarget) -> Completion.Sources {
        func list(_ command: Command) -> [JSONValue] {
            guard case .string(let text)? = (try? mixer.run(command))?.first?.arguments.first else {
                return []
            }
            return (try? JSONValue(parsing: text))?.arrayValue ?? []
        }
        return Completion.Sources(
            tracks: { list(.tracks).compactMap { $0["name"]?.stringValue } },
            buses: { list(.buses).compactMap { $0["name"]?.stringValue } },
            dcas: { list(.dcas).compactMap { $0["name"]?.stringValue } },
            markers: { list(.marker(.list)).compactMap { $0["name"]?.stringValue } },
            scenes: { list(.scene(.list)).compactMap(\.stringValue) },
            sessions: { list(.sessions).compactMap(\.stringValue) },
            files: Path.completions)
    }
}
