import NIOCore
import NIOHTTP1

/// Stands before everything else that hears HTTP: lets in whom `WebAccess` lets in, and gives nobody more
/// time than a request needs.
final class Doorman: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let judge: @Sendable (WebAccess.Request) -> WebAccess.Verdict
    private let book: ConnectionBook
    /// What comes in is not passed on: the request was answered.
    private var isRefused = false
    private var deadline: Scheduled<Void>?
    /// The connection has become a WebSocket, which may be as silent as it likes.
    private var hasLeft = false

    /// From the opening of the connection, or the last answer, until a whole request is there.
    private static let patience = TimeAmount.seconds(15)

    /// - Parameter judge: who gets in.
    init(_ judge: @escaping @Sendable (WebAccess.Request) -> WebAccess.Verdict, _ book: ConnectionBook) {
        (self.judge, self.book) = (judge, book)
    }

    func handlerAdded(context: ChannelHandlerContext) { wait(context) }
    func handlerRemoved(context: ChannelHandlerContext) {
        hasLeft = true
        deadline?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    private func wait(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        if hasLeft { return }
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            begin(context, &head)
        case .body where isRefused: break
        case .end where isRefused: break
        case .body: context.fireChannelRead(data)
        case .end:
            deadline?.cancel()
            context.fireChannelRead(data)
        }
    }

    private func begin(_ context: ChannelHandlerContext, _ head: inout HTTPRequestHead) {
        // What is uploaded takes its time, and is watched by who takes it.
        if head.method == .PUT { deadline?.cancel() }
        head.headers.remove(name: HTTPRequestHead.roleHeader)
        switch judge(request(head, context.channel)) {
        case .granted(let role):
            book.raise(context.channel, to: head.method == .PUT ? .uploading : .granted)
            if head.isUpgrade, !book.hasRoom {
                return refuse(context, head, 503, "There are too many connections.")
            }
            head.headers.add(name: HTTPRequestHead.roleHeader, value: role == .desk ? "desk" : "guest")
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .redirect(let place, let cookie): redirect(context, head, to: place, cookie)
        case .refused(let status, let reason): refuse(context, head, status, reason)
        }
    }

    private func redirect(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, to place: String, _ cookie: String
    ) {
        answer(
            context, head, .seeOther,
            [
                ("Location", place), ("Set-Cookie", cookie), ("Cache-Control", "no-store"),
                ("Referrer-Policy", "no-referrer"),
            ], "")
    }

    /// An answer may take as long as it does; behind it the next request is waited for only so long.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let gone = promise ?? context.eventLoop.makePromise()
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        gone.futureResult.whenSuccess { if this.value.1.channel.isActive { this.value.0.wait(this.value.1) } }
        context.write(data, promise: gone)
    }

    private func refuse(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: Int, _ reason: String
    ) {
        answer(context, head, HTTPResponseStatus(statusCode: status), [], reason + "\n")
    }

    /// Answers, and ends the connection: what it has said is not read.
    private func answer(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: HTTPResponseStatus,
        _ more: [(String, String)], _ text: String
    ) {
        isRefused = true
        var headers = HTTPHeaders([
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", "\(text.utf8.count)"),
            ("X-Content-Type-Options", "nosniff"), ("Connection", "close"),
        ])
        for (name, value) in more { headers.add(name: name, value: value) }
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
            promise: nil)
        if head.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.linger() }
    }

    private func request(_ head: HTTPRequestHead, _ channel: any Channel) -> WebAccess.Request {
        var headers: [String: [String]] = [:]
        for (name, value) in head.headers { headers[name.lowercased(), default: []].append(value) }
        return WebAccess.Request(
            method: head.method.rawValue, target: head.uri, headers: headers,
            isFromLoopback: channel.remoteAddress.map(\.isLoopback) ?? false, isUpgrade: head.isUpgrade)
    }
}

extension HTTPRequestHead {
    /// By which the doorman tells those behind it who asks; what comes in under that name is taken away.
    fileprivate static let roleHeader = "jmix-role"

    var role: WebAccess.Role { headers.first(name: Self.roleHeader) == "desk" ? .desk : .guest }

    var isUpgrade: Bool { headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" } }
}

extension Channel {
    /// Says nothing more, and closes a moment later: closed at once, a client that is still sending would be
    /// cut off, and never read why.
    func linger() {
        close(mode: .output).whenFailure { _ in }
        eventLoop.scheduleTask(in: .seconds(1)) { self.close(promise: nil) }
    }
}

extension NIOCore.SocketAddress {
    var isLoopback: Bool {
        guard let text = ipAddress else { return false }
        return text.hasPrefix("127.") || text == "::1" || text.hasPrefix("::ffff:127.")
    }
}
