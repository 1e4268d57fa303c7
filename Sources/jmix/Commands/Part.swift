import ArgumentParser
import AudioFile
import Engine
import Timeline

/// One of several parts of a render, as 3/8: parts may be rendered on several machines, and join to what one
/// of them would have made.
struct Part: ExpressibleByArgument, CustomStringConvertible {
    let number: Int
    let count: Int

    /// From 1/1 to 100000/100000.
    init?(argument: String) {
        let numbers = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
            (1...100_000).contains(count), (1...count).contains(number)
        else { return nil }
        (self.number, self.count) = (number, count)
    }

    var description: String { "\(number)/\(count)" }

    /// Its frames of all of them.
    func frames(of all: Range<Int64>) -> Range<Int64> {
        func place(_ number: Int) -> Int64 {
            all.lowerBound + Int64(Int128(all.count) * Int128(number) / Int128(count))
        }
        return place(number - 1)..<place(number)
    }
}
