import AudioFile
import Console
import Engine
import Files
import Glibc
import JSON
import Loop
import OSC
import Realtime
import Remote
import Timeline
import Web

/// The edge where the web comes in, but for its packets, which are OSC like others': questions are answered,
/// by the files' threads where that takes a disk or time, and who listens by OSCQuery is told.
package final class WebEdge: EventSource {
    private let server: WebServer
    private let console: Console
    private let name: String
    private let oscPort: UInt16
    /// Who listens to which addresses, by the numbers of the connections.
    private var listeners: [Int: Subscription] = [:]
    private var board = ValueBoard()
    /// Which addresses those who are connected know of.
    private var shape: (edition: Int, paths: PathShape)?
    private var listensAt: UInt64 = 0
    /// What is drawn, and what takes a disk: each on a thread of its own, so that nothing else that waits for
    /// a disk waits for a page.
    private let drawing = FileWork()
    private let reading = FileWork()

    private static let interval: UInt64 = 1_000_000_000 / UInt64(Subscription.standardRate)
    /// What one may listen to.
    private static let maximumAddresses = 4096
    /// Questions answered in one turn: others have theirs.
    private static let maximumQuestions = 4

    /// - Parameters:
    ///   - name: what the mixer is called.
    ///   - oscPort: where it hears OSC.
    package init(_ server: WebServer, _ console: Console, name: String, oscPort: UInt16) {
        (self.server, self.console, self.name, self.oscPort) = (server, console, name, oscPort)
    }

    package var descriptors: [pollfd] { drawing.descriptors + reading.descriptors }

    package var dueAt: UInt64? { server.hasQuestions ? 0 : listeners.isEmpty ? nil : listensAt }

    package func dispatch() {
        drawing.dispatch()
        reading.dispatch()
        for question in server.takeQuestions(Self.maximumQuestions) { answer(question) }
        for (peer, text) in server.takeTexts() { hear(text, from: peer) }
        if !listeners.isEmpty { tell() }
        noteShape()
    }

    /// Ends the threads.
    func close() {
        drawing.stop()
        reading.stop()
    }

    // MARK: - Questions

    private func answer(_ question: WebQuestion) {
        let answer = question.answer
        switch question.kind {
        case .oscQuery(_, "HOST_INFO"?):
            answer(.json(OSCQuery.hostInfo(name: name, oscPort: oscPort, webPort: server.port).compactText))
        case .oscQuery(let path, let attribute): query(path, attribute, answer)
        case .session(let rows):
            let model = model(for: question.role)
            draw(answer) { model.json(rows: rows) }
        case .played(let start, let end, let columns, let rows):
            guard start >= 0, end > start, end < 1e9, (2...4096).contains(columns) else {
                return answer(.refused(status: 400, reason: "A range in seconds, and 2 to 4096 columns."))
            }
            let model = model(for: question.role)
            draw(answer) { model.played(from: start, to: end, columns: columns, rows: rows) }
        case .peaks(let file, let stream): peaks(of: file, stream: stream, answer)
        case .upload(let name): answer(place(forUpload: name))
        case .uploaded(let path, let name): acceptUpload(path, as: name, answer)
        }
    }

    /// Where a file is put while it comes.
    private func place(forUpload name: String) -> WebAnswer {
        guard let name = Self.plain(name) else {
            return .refused(
                status: 400, reason: "\"\(name)\" cannot name a file: it is a plain name, with its ending.")
        }
        return .place(path: AtomicFile.temporaryPath(for: Path.join(console.store.folder, name)))
    }

    /// Answers with what takes time to put together.
    private func draw(
        _ answer: @escaping (WebAnswer) -> Void, _ document: @escaping @Sendable () -> JSONValue
    ) {
        drawing.perform {
            document().compactText
        } then: {
            answer(.json($0))
        }
    }

    private func query(_ path: String, _ attribute: String?, _ answer: @escaping (WebAnswer) -> Void) {
        let tree = tree(for: .questions)
        drawing.perform { () -> WebAnswer in
            switch tree().reply(to: path, attribute: attribute) {
            case .json(let json): .json(json.compactText)
            case .nothing: .nothing
            case .unknownPath: .refused(status: 404, reason: "There is no such address: \(path)")
            case .unknownAttribute:
                .refused(status: 400, reason: "There is no such attribute: \(attribute ?? "")")
            }
        } then: {
            answer($0)
        }
    }

    private func peaks(of file: String, stream: Int, _ answer: @escaping (WebAnswer) -> Void) {
        // Nothing but what is played here can be looked at.
        guard
            console.session.tracks.contains(where: {
                $0.clips.contains { $0.file == FilePath(file) && $0.stream == stream }
            })
        else { return answer(.refused(status: 404, reason: "No clip plays \(file).")) }
        let (path, folder) = (
            Path.join(console.store.folder, file), Path.cacheFolder.map { Path.join($0, "peaks") }
        )
        reading.perform { () -> WebAnswer in
            do throws(AudioFileError) {
                return .bytes(try PeakFile(of: path, stream: stream, keptIn: folder).bytes)
            } catch { return .refused(status: 404, reason: "\(error)") }
        } then: {
            answer($0)
        }
    }

    /// Gives what has been uploaded its name, if it can be played.
    private func acceptUpload(_ path: String, as name: String, _ answer: @escaping (WebAnswer) -> Void) {
        let (folder, name) = (console.store.folder, Self.plain(name) ?? "upload.wav")
        reading.perform { () -> WebAnswer in
            do throws(AudioFileError) { try AudioSource.check(path) } catch {
                unlink(path)
                return .refused(
                    status: 415, reason: "\(name) is nothing that can be played: \(error.reason)")
            }
            do throws(FileError) {
                let found = try AtomicFile.publishUnique(path, as: Path.join(folder, name))
                return .json(JSONValue.object(["file": .string(Path.name(of: found))]).compactText)
            } catch {
                return .refused(status: 507, reason: "\(error)")
            }
        } then: {
            answer($0)
        }
    }

    private func model(for role: WebAccess.Role) -> PageModel {
        PageModel(
            session: console.session, folder: console.store.folder, known: console.library.known,
            edition: console.document.edition, isForGuest: role == .guest)
    }

    /// The name of an upload, if it leads nowhere, hides nothing and is neither a session's nor that of a
    /// version that saving has kept (`NAME.json~`).
    private static func plain(_ name: String) -> String? {
        let isOfSession = name.hasSuffix(".json") || name.contains(".json~")
        return Console.isPlainName(name) && name.contains(".") && !isOfSession ? name : nil
    }

    // MARK: - OSCQuery

    /// The mixer as it is now, to be made a tree of by whoever has the time.
    private func tree(for reader: MeterBook.Reader) -> @Sendable () -> OSCQuery {
        let (told, session) = (console.told(for: reader), console.session)
        return { OSCQuery(told: told, buses: session.buses.map(\.name), names: { session[$0].name }) }
    }

    /// `{"COMMAND": "LISTEN", "DATA": "/track/1/volume"}`.
    private func hear(_ text: String, from peer: Int) {
        guard let message = try? JSONValue(parsing: text), let path = message["DATA"]?.stringValue,
            path.utf8.count < 1000
        else { return }
        switch message["COMMAND"]?.stringValue {
        case "LISTEN":
            guard (listeners[peer]?.listened?.count ?? 0) < Self.maximumAddresses else { return }
            listeners[peer, default: Subscription()].listen(to: path)
        case "IGNORE":
            listeners[peer]?.ignore(path)
            if listeners[peer]?.listened?.isEmpty == true { listeners[peer] = nil }
        default: break
        }
    }

    /// Tells everyone who listens what is new to them, each value by itself.
    private func tell() {
        let now = monotonicNanoseconds()
        guard now >= listensAt else { return }
        listensAt = (now / Self.interval + 1) * Self.interval
        let open = Set(server.connections)
        listeners = listeners.filter { open.contains($0.key) }
        if listeners.isEmpty { return }
        board.update(tree(for: .oscQuery)().messages)
        for peer in listeners.keys where server.isReady(.web(peer)) {
            for index in listeners[peer]!.news(on: &board) {
                server.send(packet: board.packet(index), to: .web(peer))
            }
        }
    }

    /// Says to all which addresses have come, gone or been called something else.
    private func noteShape() {
        if shape?.edition == console.document.edition { return }
        let connections = server.connections
        if connections.isEmpty {
            shape = nil
            return
        }
        let new = PathShape(console.session, parts: console.toldParts)
        let changes = shape.map { new.changes(since: $0.paths) } ?? []
        shape = (console.document.edition, new)
        for text in changes.map(\.json.compactText) {
            for peer in connections { server.send(text: text, to: peer) }
        }
    }
}
