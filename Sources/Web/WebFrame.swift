/// What goes out on a WebSocket.
enum WebFrame: Sendable {
    case packet([UInt8])
    case text(String)
    case close

    var count: Int {
        switch self {
        case .packet(let bytes): bytes.count
        case .text(let text): text.utf8.count
        case .close: 0
        }
    }
}
