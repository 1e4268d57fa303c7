/// What one unit shows, as it was told; nil where nobody knows.
struct ShownUnit: Equatable {
    var faders = [Int?](repeating: nil, count: MackieSurface.stripsOfUnit)
    var master: Int?
    /// By their notes: 0, 1 (it blinks) or 127.
    var lights: [Int: Int] = [:]
    var rings = [Int?](repeating: nil, count: MackieSurface.stripsOfUnit)
    var lines: [[UInt8]?] = [nil, nil]
    var digits = [Int?](repeating: nil, count: 10)
    var colours: [UInt8]?
    /// When the meters were told last.
    var metersAt: UInt64 = 0
    /// The strips whose overload is lit, and until when.
    var overloads: [Int: UInt64] = [:]
}
