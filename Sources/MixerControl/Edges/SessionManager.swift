import Console
import Files
import Glibc
import Loop
import OSC
import Realtime
import Remote

/// The mixer as a client of a session manager that speaks NSM, as its public API says (version 1.1):
/// announces itself, opens what it is told to, saves when it is told to, and tells whether something is
/// unsaved. Control thread.
package final class SessionManager: EventSource {
    private let client: OSCClient
    /// What the manager calls itself.
    package let name: String
    private var toldDirty: Bool?
    private var hasOpened = false
    private var waiting: [OSCMessage] = []
    private var toldAt: UInt64 = 0
    private var isGone = false
    private var console: Console?
    private var rename: ((String) throws(Failure) -> Void)?

    /// What the manager wants open: the folder of the session, and what the JACK client is to be called.
    package struct Project: Sendable {
        let folder: String
        package let clientName: String

        /// One name in every project, so that a project can be moved to another client by hand.
        package var store: SessionStore { SessionStore(Path.join(folder, "session.json")) }
    }

    /// The error codes of the API.
    private enum Code: Int32 {
        case general = -1
        case badProject = -9
        case createFailed = -10
    }

    /// Managers answer at once.
    private static let patience: Int32 = 5000

    /// Announces the mixer to the manager at `$NSM_URL`; nil without one, or where nobody answers: then it
    /// goes on without.
    package init?() {
        guard let text = getenv("NSM_URL").map({ String(cString: $0) }), !text.isEmpty else { return nil }
        guard let url = OSCURL(text), let client = try? OSCClient(url) else {
            inform("jmix: NSM_URL is \(text), where no session manager can be reached: going on without one")
            return nil
        }
        let announcement = OSCMessage(
            "/nsm/server/announce", .string("jmix"), .string(":switch:dirty:message:"),
            .string(CommandLine.arguments[0]), .int32(1), .int32(1), .int32(getpid()))
        guard (try? client.send(announcement)) != nil, let name = Self.greeting(from: client, at: text)
        else { return nil }
        (self.client, self.name) = (client, name)
    }

    /// What the manager calls itself; nil, and said: it does not answer, or refuses.
    private static func greeting(from client: OSCClient, at address: String) -> String? {
        while true {
            guard let answer = (try? client.receive(milliseconds: patience)) ?? nil else {
                inform("jmix: the session manager at \(address) does not answer: going on without it")
                return nil
            }
            guard answer.arguments.first == .string("/nsm/server/announce") else { continue }
            if answer.address == "/error" {
                let reason = answer.arguments.last.map { ": \($0.text)" } ?? ""
                inform("jmix: the session manager refuses the mixer\(reason): going on without it")
                return nil
            }
            if answer.address == "/reply" {
                return answer.arguments.count > 2 ? answer.arguments[2].text : "session manager"
            }
        }
    }

    /// Waits until the manager says what to open; nil when `isEnded` says so.
    package func firstProject(isEnded: () -> Bool) -> Project? {
        while !isEnded() {
            guard let message = (try? client.receive(milliseconds: 100)) ?? nil else { continue }
            if let project = project(message) { return project }
            waiting.append(message)
        }
        return nil
    }

    private func project(_ message: OSCMessage) -> Project? {
        guard message.address == "/nsm/client/open", message.arguments.count == 3,
            case .string(let path) = message.arguments[0],
            case .string(let id) = message.arguments[2]
        else { return nil }
        return Project(folder: path, clientName: id)
    }

    /// Makes the project's folder and an empty session in it, unless there is one.
    package static func create(_ project: Project) throws(CommandError) {
        guard let path = project.store.path, !Path.exists(path) else { return }
        guard mkdir(project.folder, 0o777) == 0 || errno == EEXIST else {
            throw CommandError(
                "\(project.folder): cannot make the folder: \(String(cString: strerror(errno)))")
        }
        do throws(FileError) { try AtomicFile.write("{ \"jmix\": 1 }\n", to: path) } catch {
            throw CommandError("\(error)")
        }
    }

    // MARK: - While it runs

    /// From now on it saves and opens what the manager asks for.
    /// - Parameter rename: gives the JACK client another name.
    package func manage(_ console: Console, rename: @escaping (String) throws(Failure) -> Void) {
        (self.console, self.rename) = (console, rename)
    }

    package var descriptors: [pollfd] {
        isGone ? [] : [pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)]
    }

    /// Whether something is unsaved is told within a moment.
    package var dueAt: UInt64? { toldAt + 50_000_000 }

    /// Does what the manager has asked, and tells it whether something is unsaved.
    package func dispatch() {
        guard let console else { return }
        while let message = next() {
            switch message.address {
            case "/nsm/client/save":
                console.run(.save(nil), from: nil) { [self] outcome in
                    switch outcome {
                    case .success: reply("/nsm/client/save", "saved")
                    case .failure(let error): refuse("/nsm/client/save", .general, error.description)
                    }
                }
            case "/nsm/client/open":
                if let project = project(message) { switchTo(project, console) }
            default: break
            }
        }
        toldAt = monotonicNanoseconds()
        let isDirty = console.hasUnsavedChanges
        if isDirty != toldDirty {
            toldDirty = isDirty
            send(OSCMessage(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean"))
        }
    }

    /// What the manager has said; a manager that is gone says nothing more.
    private func next() -> OSCMessage? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        if isGone { return nil }
        do throws(OSCNetworkError) { return try client.receive(milliseconds: 0) } catch {
            // Over UDP it may come back.
            isGone = client.isClosed
            return nil
        }
    }

    private func switchTo(_ project: Project, _ console: Console) {
        console.inTurn { [self] finish in
            console.files.perform { () -> CommandError? in
                do throws(CommandError) { try Self.create(project) } catch { return error }
                return nil
            } then: { [self] problem in
                if let problem {
                    refuse("/nsm/client/open", .createFailed, problem.description)
                    return finish()
                }
                console.open(project.store, as: .nothing, for: nil, isUndoable: false) { [self] outcome in
                    defer { finish() }
                    if case .failure(let problem) = outcome {
                        return refuse("/nsm/client/open", .badProject, problem.description)
                    }
                    do throws(Failure) { try rename?(project.clientName) } catch {
                        return refuse("/nsm/client/open", .general, error.message)
                    }
                    opened(console)
                }
            }
        }
    }

    /// The project is open.
    package func opened(_ console: Console) {
        hasOpened = true
        toldDirty = nil
        reply("/nsm/client/open", "\(console.session.tracks.count) tracks")
        for file in missingFiles(console.session, console.library) {
            send(
                OSCMessage("/nsm/client/message", .int32(2), .string("\(file) is missing; it is left silent"))
            )
        }
    }

    /// The first project cannot be opened; what fails later has another reason.
    package func refuseOpen(_ reason: String) {
        if !hasOpened { refuse("/nsm/client/open", .badProject, reason) }
    }

    private func reply(_ path: String, _ text: String) {
        send(OSCMessage("/reply", .string(path), .string(text)))
    }

    private func refuse(_ path: String, _ code: Code, _ reason: String) {
        send(OSCMessage("/error", .string(path), .int32(code.rawValue), .string(reason)))
    }

    /// A manager that is gone has no use for it, and the mixer plays on.
    private func send(_ message: OSCMessage) { try? client.send(message) }
}

extension OSCArgument {
    fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
}
