import JSON
import OSC
import Timeline

/// What remotes ask.
extension DeskRemote {
    /// Carries out a message; what nobody knows is passed over in silence, as desks do.
    /// - Parameters:
    ///   - host: the address by which the asker reached this computer.
    ///   - now: in nanoseconds of the monotonic clock.
    /// - Returns: what is answered to whoever asks.
    public func receive(
        _ message: OSCMessage, from peer: OSCPeer, host: () -> String, now: UInt64
    ) -> [OSCMessage] {
        let (address, arguments) = (message.address, message.arguments)
        switch address {
        case "/xinfo", "/info", "/status": return identity(address, host)
        case "/xremote": leases.hold(peer, wantsOwn: true, now: now)
        case "/xremotenfb": leases.hold(peer, wantsOwn: false, now: now)
        case "/subscribe", "/formatsubscribe", "/batchsubscribe", "/meters":
            subscribe(address, arguments, peer, now)
        case "/renew": leases.renew(peer, arguments.first?.text, now: now)
        case "/unsubscribe": leases.end(peer, arguments.first?.text)
        case "/node": return arguments.first?.text.flatMap(node).map { [$0] } ?? []
        case "/": return setNode(message, peer)
        case "/showdump" where model == .x32: return showDump()
        case "/load" where model == .x32, "/save" where model == .x32:
            return library(message).map { [$0] } ?? []
        default: return parameter(address, arguments, peer)
        }
        return []
    }

    private func identity(_ address: String, _ host: () -> String) -> [OSCMessage] {
        let name = value("/-prefs/name").map { $0.written } ?? ""
        func message(_ words: String...) -> [OSCMessage] {
            [OSCMessage(address, words.map { .string($0) })]
        }
        switch address {
        case "/xinfo": return message(host(), name, model.model, model.firmware)
        case "/status": return message("active", host(), name)
        default:
            let server = model == .x32 ? "osc-server" : name
            return message(model.protocolVersion, server, model.model, model.firmware)
        }
    }

    // MARK: - Parameters

    private func parameter(_ address: String, _ arguments: [OSCArgument], _ peer: OSCPeer) -> [OSCMessage] {
        if let leaf = leaf(address) {
            if let argument = arguments.first {
                set(address, argument, from: peer)
                return []
            }
            return [OSCMessage(address, value(address, leaf).argument)]
        }
        guard let node = tree[address] else { return [] }
        if arguments.isEmpty {
            return [OSCMessage(address, leaves(node).map { value($0.address, $0.leaf).argument })]
        }
        for ((address, _), argument) in zip(leaves(node), arguments) { set(address, argument, from: peer) }
        return []
    }

    // MARK: - Subscriptions

    /// In one message: as many as the tree has of anything.
    private static let mostValues = 256
    /// In bytes.
    private static let longestAlias = 64
    private static let longestPath = 128

    private func subscribe(
        _ address: String, _ arguments: [OSCArgument], _ peer: OSCPeer, _ now: UInt64
    ) {
        let texts = arguments.compactMap(\.text)
        let numbers = arguments.compactMap(\.wholeNumber)
        guard let first = texts.first, first.utf8.count <= Self.longestAlias else { return }
        switch address {
        case "/subscribe":
            subscribe(to: first, numbers, peer, now)
        // Only the last of three numbers says how often.
        case "/formatsubscribe":
            guard let addresses = addresses(Array(texts.dropFirst()), numbers) else { return }
            leases.subscribe(
                peer, first, .values(addresses), factor: numbers.count > 2 ? numbers[2] : 1, now: now)
        default:
            subscribeMeters(address, first, texts, numbers, peer, now)
        }
    }

    private func subscribeMeters(
        _ address: String, _ first: String, _ texts: [String], _ numbers: [Int], _ peer: OSCPeer,
        _ now: UInt64
    ) {
        // The name of the meters is behind an alias, or is one itself.
        let name = address == "/batchsubscribe" ? texts.dropFirst().first ?? first : first
        guard let number = Int(name.drop { !$0.isNumber }), DeskMeters.counts(model)[number] != nil else {
            return
        }
        let (channel, group) = (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 0)
        leases.subscribe(
            peer, address == "/batchsubscribe" ? first : "/meters/\(number)",
            .meters(number, channel: channel, group: group),
            factor: numbers.count > 2 ? numbers[2] : 1, now: now)
    }

    private func subscribe(to first: String, _ numbers: [Int], _ peer: OSCPeer, _ now: UInt64) {
        // Some write the factor behind the address.
        let words = first.split(separator: " ").map(String.init)
        guard let path = words.first, tree.leaf(path) != nil else { return }
        let factor = numbers.first ?? (words.count > 1 ? Int(words[1]) : nil) ?? 1
        leases.subscribe(peer, path, .value(path), factor: factor, now: now)
    }

    /// The addresses that patterns of numbers mean; nil: none, or too many.
    private func addresses(_ paths: [String], _ numbers: [Int]) -> [String]? {
        guard numbers.count > 1, numbers[0] <= numbers[1],
            paths.count * (numbers[1] - numbers[0] + 1) <= Self.mostValues,
            paths.allSatisfy({ $0.utf8.count <= Self.longestPath })
        else { return nil }
        let addresses = (numbers[0]...numbers[1]).flatMap { number in
            paths.map { Self.filled($0, number) }.filter { leaf($0) != nil }
        }
        return addresses.isEmpty ? nil : addresses
    }

    /// What is to be sent now: changes, subscriptions and meters.
    public func takeMessages(now: UInt64) -> [(message: OSCMessage, peer: OSCPeer)] {
        leases.expire(now: now)
        let due = leases.takeDue(now: now)
        var messages = leases.takeWaiting()
        var meters = DeskMeters(model, desk)
        for subscription in due {
            switch subscription.what {
            case .meters(let number, let channel, let group):
                let blob = meters.blob(number, channel: channel, group: group)
                messages.append((OSCMessage(subscription.alias, .blob(blob)), subscription.peer))
            case .value(let path):
                if let value = value(path) {
                    messages.append((OSCMessage(path, value.argument), subscription.peer))
                }
            case .values(let addresses):
                messages.append((OSCMessage(subscription.alias, .blob(values(addresses))), subscription.peer))
            }
        }
        return messages
    }

    /// When something is to be sent, in nanoseconds of the monotonic clock; nil: not before somebody asks.
    public var dueAt: UInt64? { leases.waiting.isEmpty ? leases.dueAt : 0 }

    /// The values of addresses behind their length.
    private func values(_ addresses: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in addresses.compactMap(value) {
            switch value {
            case .int(let number): bytes += WireValue.int32(number).littleEndianBytes
            case .float(let number): bytes += number.bitPattern.littleEndianBytes
            case .text(let text):
                let letters = Array(text.utf8.prefix(32))
                bytes += letters + [UInt8](repeating: 0, count: 32 - letters.count)
            }
        }
        return Int32(clamping: bytes.count + 4).littleEndianBytes + bytes
    }

    /// A number in the places of the first run of `*`, with zeros before it.
    private static func filled(_ path: String, _ number: Int) -> String {
        guard let first = path.firstIndex(of: "*") else { return path }
        let stars = path[first...].prefix { $0 == "*" }
        return path[..<first] + zeroPadded(number, stars.count) + path[stars.endIndex...]
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

extension OSCArgument {
    var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension WireValue {
    /// A text as it is, a number as people write it.
    var written: String {
        switch self {
        case .int(let number): "\(number)"
        case .float(let number): "\(number)"
        case .text(let text): text
        }
    }
}
