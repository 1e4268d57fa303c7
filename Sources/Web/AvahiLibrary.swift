import CAvahi
import Glibc

/// Avahi's functions, looked up when they are wanted first: the library brings ten others along, which would
/// make every start of the program slower, and where it is missing nothing else is.
struct AvahiLibrary: @unchecked Sendable {
    // Safe to share: addresses of functions, which never change.
    let pollNew: @convention(c) () -> OpaquePointer?
    let pollGet: @convention(c) (OpaquePointer) -> UnsafePointer<AvahiPoll>?
    let pollStart: @convention(c) (OpaquePointer) -> Int32
    let pollStop: @convention(c) (OpaquePointer) -> Int32
    let pollFree: @convention(c) (OpaquePointer) -> Void
    let pollLock: @convention(c) (OpaquePointer) -> Void
    let pollUnlock: @convention(c) (OpaquePointer) -> Void
    let clientNew:
        @convention(c) (
            UnsafePointer<AvahiPoll>?, AvahiClientFlags, AvahiClientCallback?, UnsafeMutableRawPointer?,
            UnsafeMutablePointer<Int32>?
        ) -> OpaquePointer?
    let clientState: @convention(c) (OpaquePointer) -> AvahiClientState
    let clientFree: @convention(c) (OpaquePointer) -> Void
    let groupNew:
        @convention(c) (OpaquePointer, AvahiEntryGroupCallback?, UnsafeMutableRawPointer?) -> OpaquePointer?
    let groupClient: @convention(c) (OpaquePointer) -> OpaquePointer?
    let groupReset: @convention(c) (OpaquePointer) -> Int32
    let groupCommit: @convention(c) (OpaquePointer) -> Int32
    let groupAdd:
        @convention(c) (
            OpaquePointer, AvahiIfIndex, AvahiProtocol, AvahiPublishFlags, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt16, OpaquePointer?
        ) -> Int32
    let alternativeName: @convention(c) (UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>?
    let free: @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// nil where the library is not installed.
    static let shared = AvahiLibrary()

    private init?() {
        guard let client = dlopen("libavahi-client.so.3", RTLD_NOW | RTLD_LOCAL),
            let common = dlopen("libavahi-common.so.3", RTLD_NOW | RTLD_LOCAL)
        else { return nil }
        var isWhole = true
        func find<Function>(_ name: String, _ library: UnsafeMutableRawPointer) -> Function {
            // What is missing is called by nobody: then there is no library.
            if let found = dlsym(library, name) { return unsafeBitCast(found, to: Function.self) }
            isWhole = false
            return unsafeBitCast(library, to: Function.self)
        }
        pollNew = find("avahi_threaded_poll_new", common)
        pollGet = find("avahi_threaded_poll_get", common)
        pollStart = find("avahi_threaded_poll_start", common)
        pollStop = find("avahi_threaded_poll_stop", common)
        pollFree = find("avahi_threaded_poll_free", common)
        pollLock = find("avahi_threaded_poll_lock", common)
        pollUnlock = find("avahi_threaded_poll_unlock", common)
        clientNew = find("avahi_client_new", client)
        clientState = find("avahi_client_get_state", client)
        clientFree = find("avahi_client_free", client)
        groupNew = find("avahi_entry_group_new", client)
        groupClient = find("avahi_entry_group_get_client", client)
        groupReset = find("avahi_entry_group_reset", client)
        groupCommit = find("avahi_entry_group_commit", client)
        groupAdd = find("avahi_entry_group_add_service_strlst", client)
        alternativeName = find("avahi_alternative_service_name", common)
        free = find("avahi_free", common)
        if !isWhole { return nil }
    }
}
