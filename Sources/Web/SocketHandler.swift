import NIOCore
import NIOWebSocket

/// One WebSocket: whole messages go to the inbox, what comes from there goes out. Whoever breaks the protocol
/// (RFC 6455) or says nothing at all for long is closed.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let inbox: WebInbox
    private let role: WebAccess.Role
    private var number = 0
    private var message: (isText: Bool, bytes: ByteBuffer, frames: Int)?
    private var isClosing = false
    private var heardAt = NIODeadline.now()
    /// The first ping that was sent since it was heard last; nil: none.
    private var askedAt: NIODeadline?
    private var answersPings = false
    /// What it says is left in the socket for now.
    private var isHeld = false
    private var wroteAt = NIODeadline.now()
    private var unwritten = 0
    private var watch: RepeatedTask?

    static let maximumFrame = 1 << 20
    private static let maximumMessage = 1 << 20
    private static let maximumFragments = 1024
    private static let pingInterval = TimeAmount.seconds(1)
    /// A peer that has said nothing at all, or has taken nothing of what lies ready for it, for so long is
    /// gone.
    private static let patience = TimeAmount.seconds(35)
    /// One that answers pings, and has not for so long, is gone too: what comes of it later was meant for
    /// another moment.
    private static let patienceWithPings = TimeAmount.seconds(3)

    init(_ inbox: WebInbox, _ role: WebAccess.Role) { (self.inbox, self.role) = (inbox, role) }

    func handlerAdded(context: ChannelHandlerContext) {
        let (channel, loop) = (context.channel, context.eventLoop)
        let this = NIOLoopBound((self, context), eventLoop: loop)
        number = inbox.open(
            role, send: { frame in loop.execute { this.value.0.write(frame, this.value.1) } },
            readOn: {
                loop.execute { this.value.0.goOn() }
                channel.setOption(.autoRead, value: true).whenSuccess { channel.read() }
            })
        watch = loop.scheduleRepeatedTask(initialDelay: Self.pingInterval, delay: Self.pingInterval) { _ in
            this.value.0.checkPeer(this.value.1)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        watch?.cancel()
        watch = nil
        if number != 0 { inbox.close(number) }
        number = 0
    }

    private func checkPeer(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        if isAway(now) || !isHeld && now - heardAt > Self.patience
            || unwritten > 0 && now - wroteAt > Self.patience
        {
            return context.close(promise: nil)
        }
        askedAt = askedAt ?? now
        send(context, .ping, ByteBuffer())
    }

    private func send(_ context: ChannelHandlerContext, _ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    }

    private func isAway(_ now: NIODeadline) -> Bool {
        guard answersPings, !isHeld, let askedAt else { return false }
        return now - askedAt > Self.patienceWithPings
    }

    private func goOn() { (isHeld, heardAt, askedAt) = (false, .now(), nil) }

    // MARK: - In

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if isClosing { return }
        if isAway(.now()) {
            isClosing = true
            return context.close(promise: nil)
        }
        (heardAt, askedAt) = (.now(), nil)
        if Self.isWrong(frame) { return close(context, .protocolError) }
        switch frame.opcode {
        case .ping: send(context, .pong, frame.unmaskedData)
        case .pong: answersPings = true
        case .connectionClose: close(context, .normalClosure)
        case .text, .binary:
            if message != nil { return close(context, .protocolError) }
            message = (frame.opcode == .text, frame.unmaskedData, 1)
            if frame.fin { finish(context) }
        case .continuation: goOn(context, frame)
        default: close(context, .protocolError)
        }
    }

    /// RFC 6455, section 5.1: a client masks; 5.2: reserved bits are 0 without an extension; 5.5: control
    /// frames are short and whole.
    private static func isWrong(_ frame: WebSocketFrame) -> Bool {
        if frame.maskKey == nil || frame.rsv1 || frame.rsv2 || frame.rsv3 { return true }
        return frame.opcode.isControlOpcode && (!frame.fin || frame.length > 125)
    }

    /// Takes the next piece of a message.
    private func goOn(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
        guard message != nil else { return close(context, .protocolError) }
        var bytes = frame.unmaskedData
        message!.bytes.writeBuffer(&bytes)
        message!.frames += 1
        guard message!.bytes.readableBytes <= Self.maximumMessage, message!.frames <= Self.maximumFragments
        else { return close(context, .messageTooLarge) }
        if frame.fin { finish(context) }
    }

    private func finish(_ context: ChannelHandlerContext) {
        guard let message else { return }
        self.message = nil
        let bytes = Array(message.bytes.readableBytesView)
        if message.isText {
            guard String(validating: bytes, as: UTF8.self) != nil else {
                return close(context, .dataInconsistentWithMessage)
            }
        }
        // The rest stays in the socket until the control thread has caught up.
        if !(message.isText ? inbox.receive(text: bytes, from: number) : inbox.receive(bytes, from: number)) {
            isHeld = true
            context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? NIOWebSocketError, !isClosing else { return context.close(promise: nil) }
        close(context, error == .invalidFrameLength ? .messageTooLarge : .protocolError)
    }

    // MARK: - Out

    private func write(_ frame: WebFrame, _ context: ChannelHandlerContext) {
        guard number != 0, !isClosing else { return }
        let data: ByteBuffer
        switch frame {
        case .packet(let bytes): data = ByteBuffer(bytes: bytes)
        case .text(let text): data = ByteBuffer(string: text)
        case .close: return close(context, .goingAway)
        }
        var isText = false
        if case .text = frame { isText = true }
        if unwritten == 0 { wroteAt = .now() }
        unwritten += data.readableBytes
        let (count, number, inbox) = (data.readableBytes, number, inbox)
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: isText ? .text : .binary, data: data))
        ).assumeIsolated().whenComplete { [weak self] _ in
            inbox.sent(count, to: number)
            self?.unwritten -= count
            self?.wroteAt = .now()
        }
    }

    private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
        if isClosing { return }
        isClosing = true
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        let channel = context.channel
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
        ).whenComplete { _ in channel.close(promise: nil) }
        // One that does not read does not hold the place either.
        context.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    }
}
