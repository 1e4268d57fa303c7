import Realtime

/// Orders whose frame has not come yet: by frame, those of one frame in the order in which they were given. Audio thread only; wait-free.
struct Agenda {
    // A ring, the next one first: orders come nearly always in the order of their frames, so that none has to be moved.
    private let orders: UnsafeMutablePointer<RealtimeMessage>
    private var head = 0
    private(set) var count = 0
    private var plans = 0
    /// The frame of the last plan on it; `Int64.min` without one.
    private(set) var lastPlan = Int64.min

    /// What a script may have on its way within a period and a few milliseconds; more waits in the queue. A power of two.
    private let capacity = 1024

    init() {
        orders = LockedMemory.allocate(RealtimeMessage.self, capacity)
        orders.initialize(repeating: RealtimeMessage(code: 0), count: capacity)
    }

    func deallocate() { LockedMemory.free(orders, capacity) }

    @_noLocks
    func isFull() -> Bool { count == capacity }

    @_noLocks
    func first() -> RealtimeMessage? { count > 0 ? orders[slot(0)] : nil }

    /// Where the `number`th order lies.
    @_noLocks
    private func slot(_ number: Int) -> Int { (head + number) & (capacity - 1) }

    /// Does nothing if it is full. A plan goes behind the plans that are on it.
    @_noLocks
    mutating func insert(_ message: RealtimeMessage, at frame: Int64) {
        if isFull() { return }
        var place = count
        while place > 0, orders[slot(place - 1)].at > frame {
            orders[slot(place)] = orders[slot(place - 1)]
            place -= 1
        }
        orders[slot(place)] = message
        orders[slot(place)].at = frame
        count += 1
        if isPlan(message) {
            plans += 1
            lastPlan = frame
        }
    }

    @_noLocks
    mutating func dropFirst() {
        if isPlan(orders[head]) {
            plans -= 1
            if plans == 0 { lastPlan = .min }
        }
        head = slot(1)
        count -= 1
    }

    @_noLocks
    private func isPlan(_ message: RealtimeMessage) -> Bool {
        if case .plan? = MixerOrder(code: message.code) { true } else { false }
    }

    /// Drops the orders that `message` overrules: for the same gain, or for the transport. Plans stay: each builds on the one before.
    @_noLocks
    mutating func forgetOlder(than message: RealtimeMessage) {
        var kept = 0
        var i = 0
        while i < count {
            if !overrules(message, orders[slot(i)]) {
                orders[slot(kept)] = orders[slot(i)]
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
}
