import JSON
import Timeline

/// Columns as wide as their widest entry.
package func table(_ head: [String], _ rows: [[String]]) -> [String] {
    let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
    return ([head] + rows).map { row in
        let line = zip(row, widths).map { $0.padded($1) }.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}

extension String {
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

/// A share of the whole, 0 to 1.
func percent(_ share: Double) -> String { "\(Int(max(0, min(share, 1)) * 100)) %" }

extension Bool {
    /// As the shell writes a switch.
    var word: String { self ? "on" : "off" }
}

extension Double {
    /// In the fewest digits, whole numbers without a fraction.
    var short: String { JSONValue.number(self).compactText }

    /// To three decimals.
    var rounded3: String { "\((self * 1000).rounded() / 1000)" }
}

/// The first columns of a strip in a list.
func faderColumns(_ number: Int, _ name: String, _ fader: Double) -> [String] {
    ["\(number)", name, fader.rounded3, Readable.level(gain: fader)]
}
