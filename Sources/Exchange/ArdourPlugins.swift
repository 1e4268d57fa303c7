import Glibc
import Timeline
import XML

/// A strip's equaliser and compressor as Ardour's own a-eq and a-comp, and what these cannot say.
///
/// a-comp has the formula of `Compressor`: its knee counts in 6 dB. a-eq's bells are the Cookbook's by their
/// bandwidth, and its shelves by the frequency at their foot; a band is within 0.13 dB.
struct ArdourPlugins {
    /// One of Ardour's plug-ins, as it stands.
    struct Plugin {
        let name: String
        let uri: String
        let isOn: Bool
        /// One is run for each channel.
        let isOfOneChannel: Bool
        /// What its ports are set to, by their symbols.
        let values: [(symbol: String, value: Double)]
    }

    /// In the order in which a strip's sound passes them.
    private(set) var plugins: [Plugin] = []
    /// What of the strip they do not say, a sentence's end each.
    private(set) var lost: [String] = []
    /// How loud the sound comes to them makes a difference.
    var goByLevel: Bool { plugins.contains { $0.uri == Self.compressor && $0.isOn } }

    private static let equaliser = "urn:ardour:a-eq"
    private static let compressor = "urn:ardour:a-comp#stereo"

    /// - Parameter rate: that of the session: Ardour's filters bend at high frequencies as they do here.
    init(_ strip: Strip, rate: Int32) {
        if let equaliser = strip.equaliser { add(equaliser, rate: Double(rate)) }
        if let compressor = strip.compressor, compressor.isOn || compressor.key == nil { add(compressor) }
    }

    // MARK: - The equaliser

    private mutating func add(_ equaliser: Equaliser, rate: Double) {
        if equaliser.highPass != nil { lost.append("Ardour's a-eq has no high pass: it is left out") }
        if equaliser.lowPass != nil { lost.append("Ardour's a-eq has no low pass: it is left out") }
        var values: [(String, Double)] = []
        for (number, band) in equaliser.bands.enumerated() where band.gain != 0 {
            if let said = Self.values(of: band, number, rate: rate) {
                values += said
            } else {
                lost.append("Ardour's a-eq cannot say band \(number + 1) of its equaliser: it is left out")
            }
        }
        if !values.isEmpty {
            plugins.append(
                Plugin(
                    name: "ACE EQ", uri: Self.equaliser, isOn: equaliser.isOn, isOfOneChannel: true,
                    values: values))
        }
    }

    /// What its ports are set to for a band, counted from 0; nil: they do not go there.
    private static func values(of band: Equaliser.Band, _ number: Int, rate: Double) -> [(String, Double)]? {
        guard abs(band.gain) <= 20 else { return nil }
        switch band.type {
        case .bell: return bell(band, "\(number + 1)", rate: rate)
        case .lowshelf: return shelf(band, "l", bent: pow(10, -band.gain / 80), rate: rate)
        case .highshelf: return shelf(band, "h", bent: pow(10, band.gain / 80), rate: rate)
        }
    }

    private static func bell(_ band: Equaliser.Band, _ section: String, rate: Double) -> [(String, Double)]? {
        // The bandwidth in octaves whose quality is sqrt(2^b) / (2^b - 1).
        let width = 2 / log(2) * asinh(1 / (2 * band.q))
        let frequency = min(band.frequency, 0.49 * rate)
        guard (0.1...4).contains(width), (20...20_000).contains(frequency) else { return nil }
        return [("freq\(section)", frequency), ("g\(section)", band.gain), ("bw\(section)", width)]
    }

    /// - Parameter bent: by how much its foot lies beside its middle, where analogue filters count.
    private static func shelf(
        _ band: Equaliser.Band, _ section: String, bent: Double, rate: Double
    ) -> [(String, Double)]? {
        let frequency = rate / .pi * atan(tan(.pi * min(band.frequency, 0.49 * rate) / rate) * bent)
        guard abs(band.q - 0.5.squareRoot()) < 0.005, (20...20_000).contains(frequency) else { return nil }
        return [("freq\(section)", frequency), ("g\(section)", band.gain)]
    }

    // MARK: - The compressor

    private mutating func add(_ compressor: Compressor) {
        guard compressor.key == nil else {
            return lost.append("Ardour is not told of a compressor's key: its compressor is left out")
        }
        let (values, changed) = Self.values(of: compressor)
        if compressor.isOn { lost += changed }
        plugins.append(
            Plugin(
                name: "ACE Compressor (stereo)", uri: Self.compressor, isOn: compressor.isOn,
                isOfOneChannel: false, values: values))
    }

    /// What a-comp is set to, and a sentence for each value that it has not.
    private static func values(of compressor: Compressor) -> (values: [(String, Double)], lost: [String]) {
        var (values, lost): ([(String, Double)], [String]) = ([], [])
        func put(
            _ symbol: String, _ value: Double, in range: ClosedRange<Double>, _ name: String, _ unit: String
        ) {
            let met = min(max(value, range.lowerBound), range.upperBound)
            values.append((symbol, met))
            if met == value { return }
            lost.append("Ardour's a-comp has no \(name) of \(value)\(unit): it is \(met)\(unit) there")
        }
        put("thr", compressor.threshold, in: -60...0, "threshold", " dB")
        put("rat", compressor.ratio, in: 1...20, "ratio", "")
        put("kn", compressor.knee / 6, in: 0...8, "knee", "")
        put("att", compressor.attack.seconds * 1000, in: 0.1...100, "attack", " ms")
        put("rel", compressor.release.seconds * 1000, in: 1...2000, "release", " ms")
        put("mak", compressor.makeup, in: 0...30, "make-up", " dB")
        return (values, lost)
    }
}

extension ArdourPlugins.Plugin {
    /// As Ardour keeps it.
    func element(id: String) -> XMLElement {
        XMLElement(
            "Processor",
            [
                "id": id, "name": name, "active": isOn ? "1" : "0", "user-latency": "0",
                "use-user-latency": "0", "type": "lv2", "unique-id": uri, "count": isOfOneChannel ? "2" : "1",
                "custom": "0",
            ],
            [
                XMLElement(
                    "lv2",
                    [
                        "last-preset-uri": "", "last-preset-label": "",
                        "parameter-changed-since-last-preset": "0",
                    ], values.map { XMLElement("Port", ["symbol": $0.symbol, "value": "\($0.value)"]) })
            ])
    }
}
