/// Numbers that something remembers, on their way to a page or back from it. One function of each processor
/// does both: what is read is what was written. Wait-free.
struct MemoryPage {
    private let numbers: UnsafeMutablePointer<Double>
    private let use: Use
    /// How many have passed; more than there is room for where the page is too short.
    private(set) var count = 0

    enum Use: Equatable {
        /// What is remembered is written down.
        case writes
        /// What stands there is remembered from now on.
        case reads
        /// Neither: it is asked how many they are.
        case counts
    }

    /// Room for what a limiter of twelve channels remembers at 384 kHz, which is the most.
    @_noLocks
    static func capacity() -> Int { 16384 }

    /// - Parameter numbers: as many as `capacity`.
    @_noLocks
    init(_ numbers: UnsafeMutablePointer<Double>, _ use: Use) { (self.numbers, self.use) = (numbers, use) }

    @_noLocks
    private func isRead() -> Bool { if case .reads = use { true } else { false } }

    @_noLocks
    mutating func pass(_ number: inout Double) {
        if count < Self.capacity() {
            switch use {
            case .writes: numbers[count] = number
            case .reads: number = numbers[count]
            case .counts: break
            }
        }
        count += 1
    }

    /// The same of a number that is never less or more than that, whatever the page says.
    @_noLocks
    mutating func pass(_ number: inout Double, atLeast lowest: Double, atMost highest: Double) {
        pass(&number)
        if isRead() { number = min(max(number, lowest), highest) }
    }

    /// - Parameter number: below 2^53, as all counts of frames are.
    @_noLocks
    mutating func pass(_ number: inout Int64) {
        var value = Double(number)
        pass(&value)
        if isRead() { number = abs(value) < 0x1p53 ? Int64(value) : 0 }
    }

    @_noLocks
    mutating func pass(_ number: inout Int) {
        var value = Int64(number)
        pass(&value)
        if isRead() { number = Int(value) }
    }

    /// A sample.
    @_noLocks
    mutating func pass(_ number: inout Float) {
        var value = Double(number)
        pass(&value, atLeast: -1e9, atMost: 1e9)
        if isRead() { number = Float(value) }
    }

    /// A count, or none.
    @_noLocks
    mutating func pass(_ number: inout Int64?) {
        var value: Int64 = -1
        if let number { value = number }
        pass(&value)
        if isRead() { if value < 0 { number = nil } else { number = value } }
    }

    @_noLocks
    mutating func pass(_ floats: UnsafeMutablePointer<Float>, _ count: Int) {
        for i in 0..<count { pass(&floats[i]) }
    }

    /// Gains.
    @_noLocks
    mutating func pass(_ gains: UnsafeMutablePointer<Double>, _ count: Int) {
        for i in 0..<count { pass(&gains[i], atLeast: 0, atMost: 1) }
    }

    @_noLocks
    mutating func pass(_ integers: UnsafeMutablePointer<Int64>, _ count: Int) {
        for i in 0..<count { pass(&integers[i]) }
    }
}
