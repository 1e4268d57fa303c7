import Glibc
import NIOCore
import NIOPosix

/// A file on its way in: what comes is written by a thread that may wait for the disk, and no more is read
/// than that keeps up with. The web's thread.
final class Upload {
    private let channel: any Channel
    private let files: NIOThreadPool
    private var descriptor: Int32 = -1
    private var path: String?
    private var waiting: [ByteBuffer] = []
    private var waitingBytes = 0
    private var isWriting = false
    private var isComplete = false
    private var isOver = false
    private var then: ((_ failure: String?) -> Void)?
    private var watch: RepeatedTask?
    private var heardAt = NIODeadline.now()

    private static let maximumWaiting = 1 << 20
    /// Somebody who sends nothing for so long, once it has been begun, sends nothing more.
    private static let patience = TimeAmount.seconds(30)

    init(_ channel: any Channel, _ files: NIOThreadPool) {
        (self.channel, self.files) = (channel, files)
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        watch = channel.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(5), delay: .seconds(5)) { _ in
            let upload = this.value
            if upload.path != nil, upload.waiting.isEmpty, !upload.isWriting, !upload.isComplete,
                NIODeadline.now() - upload.heardAt > Self.patience
            {
                upload.channel.close(promise: nil)
            }
        }
    }

    /// Writes to `path`, which is made anew.
    /// - Parameter then: called once all is written, or with what went wrong.
    func begin(_ path: String, then: @escaping (_ failure: String?) -> Void) {
        if isOver { return }
        (self.path, self.then, heardAt) = (path, then, .now())
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { return fail(String(cString: strerror(errno))) }
        write()
    }

    func receive(_ bytes: ByteBuffer) {
        if isOver { return }
        heardAt = .now()
        waiting.append(bytes)
        waitingBytes += bytes.readableBytes
        if waitingBytes > Self.maximumWaiting {
            channel.setOption(.autoRead, value: false).whenFailure { _ in }
        }
        write()
    }

    /// All has come.
    func finish() {
        isComplete = true
        write()
    }

    /// What has come of it is removed.
    func cancel() {
        if isOver { return }
        close()
        if let path { unlink(path) }
    }

    private func close() {
        isOver = true
        watch?.cancel()
        waiting = []
        if descriptor >= 0, !isWriting { Glibc.close(descriptor) }
        then = nil
    }

    private func fail(_ reason: String) {
        let then = then
        cancel()
        then?("The file cannot be written: \(reason).")
    }

    private func write() {
        guard descriptor >= 0, !isWriting, !isOver else { return }
        if waiting.isEmpty {
            guard isComplete else { return }
            let then = then
            close()
            then?(nil)
            return
        }
        let (bytes, descriptor) = (waiting, descriptor)
        waiting = []
        isWriting = true
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        files.runIfActive(eventLoop: channel.eventLoop) { () -> Int32 in
            for part in bytes {
                let failure = part.withUnsafeReadableBytes { Self.write($0, to: descriptor) }
                if failure != 0 { return failure }
            }
            return 0
        }.whenComplete { result in this.value.wrote(result) }
    }

    /// - Returns: why it could not, as `errno` says it; 0: all is written.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
            if count < 0, errno != EINTR { return errno }
            done += max(0, count)
        }
        return 0
    }

    private func wrote(_ result: Result<Int32, any Error>) {
        isWriting = false
        if isOver {
            Glibc.close(descriptor)
            return
        }
        waitingBytes = waiting.reduce(0) { $0 + $1.readableBytes }
        switch result {
        case .success(0):
            let channel = channel
            if waitingBytes <= Self.maximumWaiting {
                channel.setOption(.autoRead, value: true).whenSuccess { channel.read() }
            }
            write()
        case .success(let code): fail(String(cString: strerror(code)))
        case .failure(let error): fail("\(error)")
        }
    }
}
