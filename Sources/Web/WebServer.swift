import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import OSC
import Realtime

/// The mixer on the web: the page, its WebSocket, OSCQuery and uploads, on one port and a thread of its own.
///
/// That thread knows HTTP and nothing of the mixer: packets and questions wait in an inbox for the control
/// thread, which answers when it has its turn.
public final class WebServer: OSCLine {
    public let port: UInt16
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let inbox = WebInbox()
    /// The address to open, with the token that lets in.
    public let address: String
    /// The same without the token.
    public let bareAddress: String
    /// The same for those who may only look; nil: there are none.
    public let guestAddress: String?

    /// Listens until it is ended.
    /// - Throws: `OSCNetworkError`: no such address, port taken.
    public init(_ options: WebOptions) throws(OSCNetworkError) {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (token, guestToken) = (
            options.token ?? WebAccess.newToken(),
            options.hasGuests ? options.guestToken ?? WebAccess.newToken() : nil
        )
        let inbox = inbox
        let book = ConnectionBook()
        let gate = WebGate { port in
            WebAccess(
                port: port, token: token, guestToken: guestToken,
                hosts: OwnNames.all(boundTo: options.address), proxied: options.hosts)
        }
        let files = NIOThreadPool(numberOfThreads: 1)
        files.start()
        self.files = files
        do throws(OSCNetworkError) {
            channel = try Self.bound(group, options) { channel in
                guard let port = channel.localAddress?.port, book.admit(channel, options.allowed) else {
                    return channel.close()
                }
                return Self.furnish(
                    channel, { gate.judge($0, atPort: UInt16(port)) }, inbox, book, options, files)
            }
        } catch {
            try? group.syncShutdownGracefully()
            try? files.syncShutdownGracefully()
            throw error
        }
        port = UInt16(channel.localAddress?.port ?? Int(options.port))
        bareAddress = "http://\(Self.shown(options.address)):\(port)/"
        address = "\(bareAddress)?token=\(token)"
        guestAddress = guestToken.map { [bareAddress] in "\(bareAddress)?token=\($0)" }
    }

    /// The name or the address by which others reach what listens at an address.
    private static func shown(_ address: String) -> String {
        if address == "0.0.0.0" || address == "::" { return OwnNames.shown }
        return address.contains(":") ? "[\(address)]" : address
    }

    /// A channel that listens, and furnishes each connection.
    private static func bound(
        _ group: MultiThreadedEventLoopGroup, _ options: WebOptions,
        _ furnish: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) throws(OSCNetworkError) -> any Channel {
        do {
            return try ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 128)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                // The kernel would take minutes of meters for one that does not read.
                .childChannelOption(.socketOption(.so_sndbuf), value: 32768)
                .childChannelOption(.maxMessagesPerRead, value: 4)
                .childChannelInitializer(furnish)
                .bind(host: options.address, port: Int(options.port)).wait()
        } catch {
            throw OSCNetworkError(
                "listen for the web on \(options.address) port \(options.port)",
                reason: (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)",
                isTaken: (error as? IOError)?.errnoCode == EADDRINUSE)
        }
    }

    private let files: NIOThreadPool

    /// Whether it listens to this computer alone.
    public var isLocal: Bool { channel.localAddress?.isLoopback ?? true }

    /// Closes all connections and ends the thread.
    public func close() {
        for number in inbox.connections { inbox.send(.close, to: number) }
        try? channel.close().wait()
        try? group.syncShutdownGracefully()
        try? files.syncShutdownGracefully()
    }

    /// What stands between a connection and the inbox.
    package static func furnish(
        _ channel: any Channel, _ judge: @escaping @Sendable (WebAccess.Request) -> WebAccess.Verdict,
        _ inbox: WebInbox, _ book: ConnectionBook, _ options: WebOptions, _ files: NIOThreadPool
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let (encoder, decoder) = (
                HTTPResponseEncoder(),
                ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
            )
            let (order, errors, doorman) = (
                HTTPServerPipelineHandler(), HTTPServerProtocolErrorHandler(), Doorman(judge, book)
            )
            let pages = HTTPHandler(inbox, options, files)
            let upgrader = upgrader(inbox, book)
            let upgrades = HTTPServerUpgradeHandler(
                upgraders: [upgrader], httpEncoder: encoder,
                extraHTTPHandlers: [decoder, order, errors, doorman, pages],
                upgradeCompletionHandler: { _ in })
            try channel.pipeline.syncOperations.addHandlers([
                encoder, decoder, order, errors, doorman, upgrades, pages,
            ])
        }
    }

    private static func upgrader(_ inbox: WebInbox, _ book: ConnectionBook) -> NIOWebSocketServerUpgrader {
        NIOWebSocketServerUpgrader(
            maxFrameSize: SocketHandler.maximumFrame, automaticErrorHandling: false,
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    book.raise(channel, to: .webSocket)
                    try channel.pipeline.syncOperations.addHandler(SocketHandler(inbox, head.role))
                }
            })
    }

    // MARK: - The control thread

    public var descriptors: [pollfd] { [inbox.doorbell.pollDescriptor] }

    public func hasWaiting(from isHeard: (OSCPeer) -> Bool) -> Bool { inbox.hasPackets(isHeard) }

    public func receive(from isHeard: (OSCPeer) -> Bool, _ handle: (OSCPacket, OSCPeer) -> Void) {
        inbox.doorbell.answer()
        let end = monotonicNanoseconds() + OSCServer.turnNanoseconds
        repeat {
            guard let (bytes, peer) = inbox.nextPacket(isHeard) else { break }
            _ = handOn(bytes, from: peer, handle)
        } while monotonicNanoseconds() < end
        inbox.forgetEnded()
    }

    public func owns(_ peer: OSCPeer) -> Bool { if case .web = peer { true } else { false } }

    @discardableResult
    public func send(packet: [UInt8], to peer: OSCPeer) -> Bool {
        if case .web(let number) = peer { inbox.send(.packet(packet), to: number) }
        return true
    }

    /// Sends text, as OSCQuery has it.
    public func send(text: String, to number: Int) { inbox.send(.text(text), to: number) }

    public func isReady(_ peer: OSCPeer) -> Bool {
        if case .web(let number) = peer { inbox.isReady(number) } else { false }
    }

    public func isThere(_ peer: OSCPeer) -> Bool {
        if case .web(let number) = peer { inbox.connections.contains(number) } else { true }
    }

    public func mayChange(_ peer: OSCPeer) -> Bool {
        if case .web(let number) = peer { inbox.role(of: number) == .desk } else { false }
    }

    /// What has come as text, by whom.
    public func takeTexts() -> [(peer: Int, text: String)] { inbox.takeTexts() }

    /// What has been asked.
    public func takeQuestions(_ count: Int) -> [WebQuestion] { inbox.takeQuestions(count) }

    /// More has been asked than was taken.
    public var hasQuestions: Bool { inbox.hasQuestions }

    /// The WebSockets that are open.
    public var connections: [Int] { inbox.connections }
}
