import Glibc

/// A program beside this one, in a group of its own and with none of this one's signals blocked. It ends when the thread that started it does, however that ends.
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
    }

    private let process: pid_t
    private let output: Int32
    private let errors: Int32
    private var hasBeenWaitedFor = false

    /// What a program may complain of at most; the rest is not looked at.
    private static let maximumComplaints = 16_384

    /// Starts a program.
    /// - Parameters:
    ///   - words: its name, which is looked up as a shell does, and its arguments.
    ///   - limits: nil: as much as this program.
    ///   - isRead: what it prints and complains of is kept for `read` and `end`; else it is let go.
    /// - Throws: `FileError`: it cannot be started.
    public init(_ words: [String], limits: Limits? = nil, isRead: Bool = false) throws(FileError) {
        // setpriv (util-linux) asks the kernel to end the program when its parent dies, even by SIGKILL.
        var all = ["setpriv", "--pdeathsig", "TERM"]
        if let limits {
            all += ["nice", "-n", "10", "prlimit", "--cpu=\(limits.processorSeconds)", "--as=\(limits.memory)", "--fsize=\(limits.file)", "--core=0"]
        }
        all += words
        var pipes: [Int32] = [-1, -1]
        var complaints: Int32 = -1
        if isRead {
            guard pipe(&pipes) == 0 else { throw FileError("start", words[0]) }
            for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            // A file without a name: however much it says, nobody waits.
            var name = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/jmix-XXXXXX".utf8CString)
            complaints = mkstemp(&name)
            if complaints >= 0 {
                unlink(name)
                _ = fcntl(complaints, F_SETFD, FD_CLOEXEC)
            }
        }
        (output, errors) = (pipes[0], complaints)
        do throws(FileError) {
            process = try Self.spawn(all, output: pipes[1], errors: complaints)
        } catch {
            for descriptor in pipes + [complaints] where descriptor >= 0 { close(descriptor) }
            throw error
        }
        if pipes[1] >= 0 { close(pipes[1]) }
    }

    deinit {
        if !hasEnded {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        for descriptor in [output, errors] where descriptor >= 0 { close(descriptor) }
    }

    /// Whether it has ended on its own.
    public var hasEnded: Bool {
        if !hasBeenWaitedFor, waitpid(process, nil, WNOHANG) == process { hasBeenWaitedFor = true }
        return hasBeenWaitedFor
    }

    /// Asks it to end, waits for 3 s, and ends it.
    public func stop() {
        if hasEnded { return }
        kill(process, SIGTERM)
        for _ in 0..<300 where !hasEnded { usleep(10_000) }
        if !hasEnded {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            hasBeenWaitedFor = true
        }
    }

    /// What it prints next.
    /// - Parameters:
    ///   - milliseconds: the longest time to wait.
    /// - Returns: how many bytes came; 0 at its end; nil: it said nothing for so long.
    public func read(into buffer: UnsafeMutableRawBufferPointer, within milliseconds: Int32) -> Int? {
        var state = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, milliseconds) > 0 else { return nil }
        return max(0, Glibc.read(output, buffer.baseAddress, buffer.count))
    }

    /// Waits for its end, once `read` has come to the end of what it prints.
    public func end() -> Ending {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        hasBeenWaitedFor = true
        var bytes = [UInt8](repeating: 0, count: Self.maximumComplaints)
        let count = errors < 0 ? 0 : max(0, pread(errors, &bytes, bytes.count, 0))
        // As a shell counts: a signal lies above 128 (wait(2)).
        let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
        return Ending(status: code, complaints: String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// All that a program prints.
    /// - Throws: `FileError`: it cannot be started, prints more than `maximum` bytes, takes longer than `milliseconds`, or fails, in its own words.
    public static func output(_ words: [String], limits: Limits, maximum: Int = 16 << 20, within milliseconds: Int32 = 60_000) throws(FileError) -> String {
        let child = try ChildProcess(words, limits: limits, isRead: true)
        var (text, bytes): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65536))
        func failure(_ reason: String) -> FileError { FileError(path: words[0], action: "run", reason: reason) }
        while true {
            guard let count = bytes.withUnsafeMutableBytes({ child.read(into: $0, within: milliseconds) }) else { throw failure("it said nothing for \(milliseconds / 1000) s") }
            if count == 0 { break }
            text += bytes[..<count]
            guard text.count <= maximum else { throw failure("it says more than \(maximum) bytes") }
        }
        let ending = child.end()
        guard ending.status == 0 else { throw failure(ending.complaints.split(separator: "\n").last.map(String.init) ?? "it ended with \(ending.status)") }
        return String(decoding: text, as: UTF8.self)
    }

    /// Where a program is found, as a shell looks for it; nil: nowhere.
    public static func path(of program: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { Path.join(String($0), program) }.first { access($0, X_OK) == 0 && !Path.isFolder($0) }
    }

    private static func spawn(_ words: [String], output: Int32, errors: Int32) throws(FileError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
        for (descriptor, target) in [(output, Int32(1)), (errors, 2)] {
            if descriptor >= 0 { posix_spawn_file_actions_adddup2(&actions, descriptor, target) } else { posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0) }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own: Ctrl-C is for this program, which ends the other when it has done its own. And none of the signals blocked here.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let status = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
        guard status == 0 else { throw FileError(path: words.joined(separator: " "), action: "start", reason: String(cString: strerror(status))) }
        return process
    }
}
