import CAvahi
import Realtime

/// Tells the network by mDNS where the mixer is (RFC 6763), through the Avahi daemon, for as long as it
/// lives. Without that daemon it waits for it, silently.
public final class Announcer: @unchecked Sendable {
    // Safe to share: Avahi's thread alone touches what changes; to others it belongs only while they hold
    // that thread's lock.
    /// A service, as `_osc._udp`, and its port.
    public struct Service: Sendable {
        public let type: String
        public let port: UInt16

        public init(_ type: String, port: UInt16) { (self.type, self.port) = (type, port) }
    }

    private let avahi: AvahiLibrary
    private let poll: OpaquePointer
    private let services: [Service]
    /// With a number behind it where another has it already.
    private var name: String
    private var client: OpaquePointer?
    private var group: OpaquePointer?
    private var retry: Worker?
    private let isThere = Guarded(false)

    private static let retryMilliseconds = 5000

    /// - Parameter name: what the mixer is called; others in the network that have it already get the mixer a
    ///   number.
    public init?(_ name: String, _ services: [Service]) {
        guard let avahi = AvahiLibrary.shared, let poll = avahi.pollNew() else { return nil }
        (self.avahi, self.poll, self.name, self.services) = (avahi, poll, name, services)
        _ = avahi.pollStart(poll)
        connect()
        // Without D-Bus there is nobody who would say when it comes.
        retry = Worker("jmix-announce", every: Self.retryMilliseconds) { [weak self] in self?.connect() }
    }

    /// Whether there is a daemon to tell.
    public var hasDaemon: Bool { isThere.withLock { $0 } }

    /// Withdraws what was said.
    public func close() {
        retry?.stop()
        _ = avahi.pollStop(poll)
        if let client { avahi.clientFree(client) }
        avahi.pollFree(poll)
    }

    private func connect() {
        avahi.pollLock(poll)
        defer { avahi.pollUnlock(poll) }
        if let client, avahi.clientState(client) != AVAHI_CLIENT_FAILURE { return }
        if let client { avahi.clientFree(client) }
        (client, group) = (nil, nil)
        let context = Unmanaged.passUnretained(self).toOpaque()
        var error: Int32 = 0
        client = avahi.clientNew(
            avahi.pollGet(poll), AVAHI_CLIENT_NO_FAIL,
            { client, state, context in
                Unmanaged<Announcer>.fromOpaque(context!).takeUnretainedValue().follow(client!, state)
            }, context, &error)
    }

    /// Avahi's thread.
    private func follow(_ client: OpaquePointer, _ state: AvahiClientState) {
        isThere.withLock {
            $0 =
                state == AVAHI_CLIENT_S_RUNNING || state == AVAHI_CLIENT_S_REGISTERING
                || state == AVAHI_CLIENT_S_COLLISION
        }
        if state == AVAHI_CLIENT_S_RUNNING {
            announce(client)
        } else if let group, state != AVAHI_CLIENT_FAILURE {
            _ = avahi.groupReset(group)
        }
    }

    private func announce(_ client: OpaquePointer) {
        if group == nil {
            group = avahi.groupNew(
                client,
                { group, state, context in
                    if state == AVAHI_ENTRY_GROUP_COLLISION {
                        Unmanaged<Announcer>.fromOpaque(context!).takeUnretainedValue().renameAndAnnounce(
                            group!)
                    }
                }, Unmanaged.passUnretained(self).toOpaque())
        }
        guard let group else { return }
        _ = avahi.groupReset(group)
        for service in services {
            if avahi.groupAdd(
                group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC),
                AvahiPublishFlags(rawValue: 0), name, service.type, nil, nil, service.port, nil)
                == AVAHI_ERR_COLLISION
            {
                return rename(client)
            }
        }
        _ = avahi.groupCommit(group)
    }

    private func renameAndAnnounce(_ group: OpaquePointer) {
        if let client = avahi.groupClient(group) { rename(client) }
    }

    private func rename(_ client: OpaquePointer) {
        guard let next = avahi.alternativeName(name) else { return }
        name = String(cString: next)
        avahi.free(next)
        announce(client)
    }
}
