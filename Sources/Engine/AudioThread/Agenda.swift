import Realtime

/// Orders whose frame has not come yet: by frame, those of one frame in the order in which they were given. Audio thread only; wait-free.
struct Agenda {
    // The next one lies last, so that taking it moves nothing.
    private let orders: UnsafeMutablePointer<RealtimeMessage>
    private(set) var count = 0
    /// The frame of the last plan on it; `Int64.min` without one.
    private(set) var lastPlan = Int64.min

    /// What a script may have on its way within a period and a few milliseconds; more waits in the queue.
    private let capacity = 1024

    init() {
        orders = .allocate(capacity: capacity)
        orders.initialize(repeating: RealtimeMessage(code: 0), count: capacity)
        LockedMemory.hold(orders, capacity * MemoryLayout<RealtimeMessage>.stride)
    }

    func deallocate() { orders.deallocate() }

    @_noLocks
    func isFull() -> Bool { count == capacity }

    @_noLocks
    func first() -> RealtimeMessage? { count > 0 ? orders[count - 1] : nil }

    /// Does nothing if it is full.
    @_noLocks
    mutating func insert(_ message: RealtimeMessage, at frame: Int64) {
        if isFull() { return }
        var place = count
        while place > 0, orders[place - 1].at <= frame {
            orders[place] = orders[place - 1]
            place -= 1
        }
        orders[place] = message
        orders[place].at = frame
        count += 1
        noteLastPlan()
    }

    @_noLocks
    mutating func dropFirst() {
        count -= 1
        noteLastPlan()
    }

    /// Drops the orders that `message` overrules: for the same gain, or for the transport. Plans stay: each builds on the one before.
    @_noLocks
    mutating func forgetOlder(than message: RealtimeMessage) {
        var kept = 0
        var i = 0
        while i < count {
            if !overrules(message, orders[i]) {
                orders[kept] = orders[i]
                kept += 1
            }
            i += 1
        }
        count = kept
    }

    @_noLocks
    private func overrules(_ newer: RealtimeMessage, _ older: RealtimeMessage) -> Bool {
        switch MixerOrder(code: newer.code) {
        case nil, .plan: false
        case .play, .stop: switch MixerOrder(code: older.code) {
            case .play, .stop: true
            default: false
            }
        default: newer.code == older.code && newer.object == older.object
        }
    }

    @_noLocks
    private mutating func noteLastPlan() {
        lastPlan = .min
        var i = 0
        while i < count {
            if case .plan? = MixerOrder(code: orders[i].code) {
                lastPlan = orders[i].at
                return
            }
            i += 1
        }
    }
}
