import CFiles
import Glibc

/// A program beside this one, in a group of its own and with none of this one's signals blocked. It ends when
/// the thread that started it does, however that ends.
public final class ChildProcess {
    /// What it may take; beyond it the kernel refuses or ends it.
    public struct Limits: Sendable {
        /// Seconds of a processor.
        public var processorSeconds = 3600
        /// Bytes of memory.
        public var memory = 4 << 30
        /// Bytes of a file that it writes.
        public var file = 1 << 20

        /// Those above, unless changed.
        public init() {}
    }

    /// What became of it.
    public struct Ending: Sendable {
        /// 0: it did what it was asked for.
        public let status: Int32
        /// What it complained of.
        public let complaints: String

        /// The last that it complained of, where it did not do what it was asked for.
        fileprivate var problem: String? {
            if status == 0 { return nil }
            return complaints.split(separator: "\n").last.map(String.init) ?? "it ended with \(status)"
        }
    }

    private let process: pid_t
    private let output: Int32
    private let errors: Int32
    private var complaints: [UInt8] = []
    private var hasBeenWaitedFor = false
    private var status: Int32 = 0

    /// What a program may complain of at most; the rest is not looked at.
    private static let maximumComplaints = 16_384

    /// Starts a program.
    /// - Parameters:
    ///   - words: its name, which is looked up as a shell does, and its arguments.
    ///   - limits: nil: as much as this program.
    ///   - isRead: what it prints and complains of is kept for `read` and `finish`; else it is let go.
    /// - Throws: `FileError`: it cannot be started.
    public init(_ words: [String], limits: Limits? = nil, isRead: Bool = false) throws(FileError) {
        let all = Self.wrapped(words, limits)
        var (outputs, complaints): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        do throws(FileError) {
            if isRead {
                guard files_pipe(&outputs) == 0, files_pipe(&complaints) == 0 else {
                    throw FileError("start", words[0])
                }
                // However much it complains of, it never waits.
                _ = fcntl(complaints[0], F_SETFL, O_NONBLOCK)
            }
            process = try Self.spawn(all, output: outputs[1], errors: complaints[1])
        } catch {
            Self.closeAll(outputs + complaints)
            throw error
        }
        (output, errors) = (outputs[0], complaints[0])
        Self.closeAll([outputs[1], complaints[1]])
    }

    private static func closeAll(_ descriptors: [Int32]) {
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    }

    /// setpriv (util-linux) asks the kernel to end a program when its parent dies, even by SIGKILL.
    private static func wrapped(_ words: [String], _ limits: Limits?) -> [String] {
        var all = ["setpriv", "--pdeathsig", "TERM"]
        if let limits {
            all += [
                "nice", "-n", "10", "prlimit", "--cpu=\(limits.processorSeconds)", "--as=\(limits.memory)",
                "--fsize=\(limits.file)", "--core=0",
            ]
        }
        all += words
        return all
    }

    deinit {
        if !hasEnded {
            Glibc.kill(process, SIGKILL)
            waitForEnd()
        }
        for descriptor in [output, errors] where descriptor >= 0 { close(descriptor) }
    }

    /// Whether it has ended on its own.
    public var hasEnded: Bool {
        if !hasBeenWaitedFor, waitpid(process, &status, WNOHANG) == process { hasBeenWaitedFor = true }
        return hasBeenWaitedFor
    }

    private func waitForEnd() {
        while !hasBeenWaitedFor {
            if waitpid(process, &status, 0) == process || errno != EINTR { hasBeenWaitedFor = true }
        }
    }

    /// Ends it at once, and waits for nothing: `hasEnded` tells when it is over.
    public func kill() { if !hasEnded { Glibc.kill(process, SIGKILL) } }

    /// Asks it to end, waits for 3 s, and ends it.
    public func stop() {
        if hasEnded { return }
        Glibc.kill(process, SIGTERM)
        for _ in 0..<300 where !hasEnded { usleep(10_000) }
        if !hasEnded {
            Glibc.kill(process, SIGKILL)
            waitForEnd()
        }
    }

    /// What it prints next.
    /// - Parameters:
    ///   - milliseconds: the longest time to wait.
    /// - Returns: how many bytes came; 0 at its end; nil: it said nothing for so long.
    /// - Throws: `FileError`: what it says cannot be read.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, within milliseconds: Int32
    ) throws(FileError) -> Int? {
        var hasErrors = true
        while true {
            var states = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: hasErrors ? errors : -1, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&states, 2, milliseconds)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            if states[1].revents != 0 { hasErrors = hear() }
            guard states[0].revents != 0 else { continue }
            let read = Glibc.read(output, buffer.baseAddress, buffer.count)
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw FileError("read", "the output of a program") }
            return read
        }
    }

    /// Takes what it complains of.
    /// - Returns: whether more may come.
    private func hear() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(errors, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return count < 0 && errno == EAGAIN }
            complaints += bytes[..<count].prefix(max(0, Self.maximumComplaints - complaints.count))
        }
    }

    /// Waits for its end, once `read` has come to the end of what it prints.
    public func finish() -> Ending {
        // It may still complain, and would wait for somebody to hear it.
        while errors >= 0, hear(), !hasEnded { usleep(2000) }
        waitForEnd()
        if errors >= 0 { _ = hear() }
        // As a shell counts: a signal lies above 128 (wait(2)).
        let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
        return Ending(status: code, complaints: String(decoding: complaints, as: UTF8.self))
    }

    /// All that a program prints.
    /// - Throws: `FileError`: it cannot be started, prints more than `maximum` bytes, takes longer than
    ///   `milliseconds`, or fails, in its own words.
    public static func output(
        _ words: [String], limits: Limits, maximum: Int = 16 << 20, within milliseconds: Int32 = 60_000
    ) throws(FileError) -> String {
        let child = try ChildProcess(words, limits: limits, isRead: true)
        func failure(_ reason: String) -> FileError {
            FileError(path: words[0], action: "run", reason: reason)
        }
        let text = try child.readAll(maximum: maximum, within: milliseconds, failure)
        if let problem = child.finish().problem { throw failure(problem) }
        return String(decoding: text, as: UTF8.self)
    }

    private func readAll(
        maximum: Int, within milliseconds: Int32, _ failure: (String) -> FileError
    ) throws(FileError) -> [UInt8] {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)
        defer { bytes.deallocate() }
        var text: [UInt8] = []
        while true {
            guard let count = try read(into: bytes, within: milliseconds) else {
                throw failure("it said nothing for \(milliseconds / 1000) s")
            }
            if count == 0 { return text }
            text += bytes[..<count]
            guard text.count <= maximum else { throw failure("it says more than \(maximum) bytes") }
        }
    }

    /// Where a program is found, as a shell looks for it; nil: nowhere.
    public static func path(of program: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { Path.join(String($0), program) }.first {
            access($0, X_OK) == 0 && !Path.isFolder($0)
        }
    }

    private static func spawn(_ words: [String], output: Int32, errors: Int32) throws(FileError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
        redirect(&actions, output: output, errors: errors)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own: Ctrl-C is for this program, which ends the other when it has done its own. And
        // none of the signals blocked here.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let status = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
        guard status == 0 else {
            throw FileError(
                path: words.joined(separator: " "), action: "start", reason: String(cString: strerror(status))
            )
        }
        return process
    }

    private static func redirect(
        _ actions: inout posix_spawn_file_actions_t, output: Int32, errors: Int32
    ) {
        for (descriptor, target) in [(output, Int32(1)), (errors, 2)] {
            if descriptor >= 0 {
                posix_spawn_file_actions_adddup2(&actions, descriptor, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
            }
        }
    }
}
