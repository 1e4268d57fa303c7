import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Answers requests: the page's files at once, questions when the control thread has answered, uploads as
/// they come.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let inbox: WebInbox
    private let options: WebOptions
    private let files: NIOThreadPool
    private var head: HTTPRequestHead?
    private var upload: Upload?

    /// What is asked of the mixer is answered within this, or not at all: a disk may hang.
    private static let patience = TimeAmount.seconds(30)

    init(_ inbox: WebInbox, _ options: WebOptions, _ files: NIOThreadPool) {
        (self.inbox, self.options, self.files) = (inbox, options, files)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            begin(context, head)
        case .body(let bytes): upload?.receive(bytes)
        case .end:
            if let upload { return upload.finish() }
            guard let head else { return }
            self.head = nil
            route(context, head)
        }
    }

    /// Whoever wants to know first whether what it sends is wanted is told at once.
    private func begin(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        switch head.method {
        case .GET, .HEAD: self.head = head
        case .PUT: beginUpload(context, head)
        default: refuseMethod(context, head)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        upload?.cancel()
        upload = nil
        context.fireChannelInactive()
    }

    private func route(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        let (path, query) = WebAccess.split(head.uri)
        guard let path = WebAccess.unescaped(path) else {
            return answer(context, head, 400, text: "The address is no text.\n")
        }
        if let question = Self.question(path, query) { return ask(context, head, question) }
        switch path {
        case "/" where WebAccess.Request.wantsPage(accept: head.headers["accept"]):
            serve(context, head, PageFile.named("index.html"))
        case "/favicon.ico": serve(context, head, PageFile.named("icon.svg"))
        case _ where path.hasPrefix("/page/"): serve(context, head, PageFile.named(String(path.dropFirst(6))))
        default:
            ask(context, head, .oscQuery(path: path, attribute: query.first { $0.name != "token" }?.name))
        }
    }

    private func refuseMethod(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        answer(
            context, head, 405, [("Allow", "GET, HEAD, PUT"), ("Connection", "close")],
            text: "Here one reads; what changes something is said as OSC over the WebSocket.\n")
    }

    /// What the page asks for; nil: it is no address of its data.
    private static func question(
        _ path: String, _ query: [(name: String, value: String?)]
    ) -> WebQuestion.Kind? {
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        func number(_ name: String) -> Double { value(name).flatMap(Double.init) ?? 0 }
        let rows = WebQuestion.rows(value("rows"))
        switch path {
        case "/page/data/session.json": return .session(rows: rows)
        case "/page/data/peaks":
            return .peaks(file: value("file") ?? "", stream: value("stream").flatMap { Int($0) } ?? 1)
        case "/page/data/played":
            return .played(
                from: number("from"), to: number("to"), columns: value("columns").flatMap(Int.init) ?? 0,
                rows: rows)
        default: return nil
        }
    }

    // MARK: - Files of the page

    private func serve(_ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ file: PageFile?) {
        guard let file else { return answer(context, head, 404, text: "There is no such file.\n") }
        let headers = [("Content-Type", file.type), ("ETag", file.tag), ("Cache-Control", "no-cache")]
        if head.headers["if-none-match"].contains(file.tag) {
            return answer(context, head, 304, headers, nil)
        }
        answer(context, head, 200, headers, ByteBuffer(bytes: file.bytes))
    }

    // MARK: - Questions

    /// - Parameter orElse: done where it is refused.
    private func ask(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ kind: WebQuestion.Kind,
        orElse: @escaping () -> Void = {}
    ) {
        ask(context, head, kind) { this, context, outcome in
            switch outcome {
            case .json(let text):
                this.answer(
                    context, head, 200,
                    [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
                    ByteBuffer(string: text))
            case .bytes(let bytes):
                this.answer(
                    context, head, 200,
                    [("Content-Type", "application/octet-stream"), ("Cache-Control", "no-store")],
                    ByteBuffer(bytes: bytes))
            case .nothing, .place: this.answer(context, head, 204, [], nil)
            case .refused(let status, let reason):
                orElse()
                this.answer(context, head, status, text: reason + "\n")
            }
        }
    }

    private func ask(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ kind: WebQuestion.Kind,
        then body: @escaping (HTTPHandler, ChannelHandlerContext, WebAnswer) -> Void
    ) {
        let loop = context.eventLoop
        let once = Once(loop.makePromise(of: WebAnswer.self))
        let late = loop.scheduleTask(in: Self.patience) {
            once.succeed(.refused(status: 504, reason: "The mixer took too long."))
        }
        let this = NIOLoopBound((self, context, body), eventLoop: loop)
        once.promise.futureResult.whenSuccess { answer in
            late.cancel()
            let (handler, context, body) = this.value
            if context.channel.isActive { body(handler, context, answer) }
        }
        if !inbox.ask(WebQuestion(kind: kind, role: head.role, answer: { once.succeed($0) })) {
            once.succeed(.refused(status: 503, reason: "Too much is being asked: try again."))
        }
    }

    // MARK: - Uploads

    /// The connection ends with it: what else the client sends is the file.
    private func refuseUpload(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: Int, _ reason: String
    ) {
        answer(context, head, status, [("Connection", "close")], ByteBuffer(string: reason + "\n"))
    }

    /// Why an upload is not taken, whatever it is called; nil: it is.
    private func refusalOfUpload(_ head: HTTPRequestHead) -> (status: Int, reason: String)? {
        guard head.role == .desk else { return (403, "A guest may look and listen, and change nothing.") }
        guard options.maximumUpload > 0 else { return (403, "This mixer takes no uploads (--web-upload).") }
        guard let bytes = head.headers.first(name: "content-length").flatMap(Int.init), bytes >= 0 else {
            return (411, "An upload says how long it is.")
        }
        if bytes == 0 { return (415, "The file is empty.") }
        return bytes <= options.maximumUpload
            ? nil : (413, "A file of at most \(options.maximumUpload >> 20) MiB is taken (--web-upload).")
    }

    private func beginUpload(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        let path = WebAccess.split(head.uri).path
        guard path.hasPrefix("/page/upload/"), let name = WebAccess.unescaped(path.dropFirst(13)) else {
            return refuseUpload(context, head, 404, "Files are put to /page/upload/NAME.")
        }
        if let (status, reason) = refusalOfUpload(head) { return refuseUpload(context, head, status, reason) }
        let upload = Upload(context.channel, files)
        self.upload = upload
        ask(context, head, .upload(name: name)) { this, context, outcome in
            guard case .place(let place) = outcome else {
                upload.cancel()
                if case .refused(let status, let reason) = outcome {
                    this.refuseUpload(context, head, status, reason)
                }
                return
            }
            this.askToGoOn(context, head)
            upload.begin(place) { failure in
                this.upload = nil
                if let failure { return this.refuseUpload(context, head, 507, failure) }
                this.ask(context, head, .uploaded(path: place, name: name), orElse: { unlink(place) })
            }
        }
    }

    /// Who asks before it sends what may be long waits for this (RFC 9110, 10.1.1).
    private func askToGoOn(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        guard head.version == .http1_1,
            head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" })
        else { return }
        let goOn = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
    }

    // MARK: - Answering

    private func answer(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: Int,
        _ headers: [(String, String)] = [], text: String
    ) {
        answer(
            context, head, status, headers + [("Content-Type", "text/plain; charset=utf-8")],
            ByteBuffer(string: text))
    }

    private func answer(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: Int, _ more: [(String, String)],
        _ body: ByteBuffer?
    ) {
        var headers = HTTPHeaders(more + Self.guards)
        if status != 304, status != 204 {
            headers.add(name: "Content-Length", value: "\(body?.readableBytes ?? 0)")
        }
        let closes = !head.isKeepAlive || headers["Connection"].contains("close")
        if closes { headers.replaceOrAdd(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: status)
        let answer = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        let channel = context.channel
        write(context, answer, head.method == .HEAD ? nil : body).whenComplete { _ in
            if closes { channel.linger() }
        }
    }

    private func write(
        _ context: ChannelHandlerContext, _ answer: HTTPResponseHead, _ body: ByteBuffer?
    ) -> EventLoopFuture<Void> {
        context.write(wrapOutboundOut(.head(answer)), promise: nil)
        if let body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        return context.writeAndFlush(wrapOutboundOut(.end(nil)))
    }

    /// What keeps other sites' pages out of this one, and this one out of theirs.
    private static let guards = [
        (
            "Content-Security-Policy",
            """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
            connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
            frame-ancestors 'none'
            """
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
}

/// A promise that several may want to keep: the first does. Any thread.
private final class Once: @unchecked Sendable {
    // Safe to share: all of it happens on the promise's own loop.
    let promise: EventLoopPromise<WebAnswer>
    private var isDone = false

    init(_ promise: EventLoopPromise<WebAnswer>) { self.promise = promise }

    func succeed(_ answer: WebAnswer) {
        promise.futureResult.eventLoop.execute { [self] in
            if isDone { return }
            isDone = true
            promise.succeed(answer)
        }
    }
}
