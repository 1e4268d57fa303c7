import NIOCore
import NIOEmbedded
import NIOPosix
import OSC
import Web

/// The server's connections without a network: bytes in, what they mean out. For libFuzzer.
final class WebBench {
    private let inbox = WebInbox()
    private let files = NIOThreadPool(numberOfThreads: 1)
    private let access = WebAccess(port: 80, token: "right", guestToken: "guest", hosts: ["mixer"])
    private let handle: (OSCPacket) -> Void

    /// - Parameter handle: called with each packet that came over a WebSocket.
    init(_ handle: @escaping (OSCPacket) -> Void) { self.handle = handle }

    private func connection() -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        _ = WebServer.furnish(
            channel, { [access] in access.judge($0) }, inbox, ConnectionBook(), WebOptions(), files)
        channel.pipeline.fireChannelActive()
        return channel
    }

    /// Bytes of a connection that has just been opened, in pieces as long as the first byte says.
    func take(requests bytes: ArraySlice<UInt8>) {
        let channel = connection()
        feed(bytes, to: channel)
        end(channel)
    }

    /// Bytes of a connection that has become a WebSocket.
    func take(frames bytes: ArraySlice<UInt8>) {
        let channel = connection()
        let head =
            """
            GET / HTTP/1.1\r\nHost: mixer\r\nAuthorization: Bearer right\r\nConnection: Upgrade\r\nUpgrade: \
            websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n
            """
        feed([255] + Array(head.utf8), to: channel)
        precondition(!inbox.connections.isEmpty, "a WebSocket that is asked for rightly is opened")
        feed(bytes, to: channel)
        end(channel)
    }

    private func feed(_ bytes: some Collection<UInt8>, to channel: EmbeddedChannel) {
        guard let size = bytes.first.map({ Int($0) + 1 }) else { return }
        var rest = Array(bytes.dropFirst())[...]
        while !rest.isEmpty, channel.isActive || channel.localAddress == nil {
            guard (try? channel.writeInbound(ByteBuffer(bytes: rest.prefix(size)))) != nil else { break }
            rest = rest.dropFirst(size)
            channel.embeddedEventLoop.run()
        }
    }

    private func end(_ channel: EmbeddedChannel) {
        while let (bytes, _) = inbox.nextPacket({ _ in true }) {
            if let packet = try? OSCPacket(bytes) { handle(packet) }
        }
        _ = inbox.takeTexts()
        for question in inbox.takeQuestions() { question.answer(.nothing) }
        channel.embeddedEventLoop.run()
        _ = try? channel.finish(acceptAlreadyClosed: true)
        while (try? channel.readOutbound(as: IOData.self)) != nil {}
        precondition(inbox.connections.isEmpty, "a connection that has ended is forgotten")
    }
}
