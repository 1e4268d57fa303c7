/// Owns a page that is read.
final class ReadPage {
    let numbers = UnsafeMutablePointer<Double>.allocate(capacity: MemoryPage.capacity())

    deinit { numbers.deallocate() }

    /// - Returns: false if they are no numbers, or more than there is room for.
    func lay(_ words: [UInt32]) -> Bool {
        let count = words.count / 2
        if count > MemoryPage.capacity() { return false }
        numbers.initialize(repeating: 0, count: MemoryPage.capacity())
        for i in 0..<count {
            numbers[i] = Double(bitPattern: UInt64(words[2 * i]) | UInt64(words[2 * i + 1]) << 32)
            if !numbers[i].isFinite { return false }
        }
        return true
    }
}
