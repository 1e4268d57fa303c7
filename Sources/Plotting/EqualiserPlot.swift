import Engine
import Files
import Glibc
import Timeline

/// A picture of what an equaliser does: its gain from -24 to 24 dB over frequencies from 20 Hz to 20 kHz, as
/// it stands without the timeline.
public struct EqualiserPlot {
    private let equaliser: Equaliser
    private let name: String
    private let sampleRate: Int32
    private let width: Double
    private let colours: Palette

    private static let (lowest, highest) = (20.0, 20_000.0)
    private static let reach = 24.0
    private static let (left, top, right, bottom) = (52.0, 40.0, 20.0, 34.0)

    /// - Parameters:
    ///   - sampleRate: that it plays at.
    ///   - width: in pixels, 400 and up; it is half as high.
    public init(
        _ equaliser: Equaliser, of name: String, sampleRate: Int32, theme: SessionPlot.Theme = .light,
        width: Int = 1600
    ) {
        (self.equaliser, self.name, self.sampleRate) = (equaliser, name, sampleRate)
        (self.width, colours) = (Double(max(400, width)), Palette(theme))
    }

    private var height: Double { width / 2 }

    /// Draws it to `path`, in the format of its extension.
    /// - Throws: `FileError` if it cannot be written.
    public func write(to path: String, _ format: PictureFormat) throws(FileError) {
        let canvas = Canvas(path, format, width: width, height: height)
        canvas.fill(0, 0, width, height, colours.page)
        canvas.text(
            "equaliser of \(name)\(equaliser.isOn ? "" : ": off")", at: (Self.left, 24), colours.ink, size: 14
        )
        drawScales(canvas)
        canvas.within(Self.left, Self.top, width - Self.left - Self.right, height - Self.top - Self.bottom) {
            drawCurve(canvas)
        }
        for band in equaliser.bands where equaliser.isOn && band.gain != 0 { draw(canvas, band) }
        try canvas.finish()
    }

    private func drawCurve(_ canvas: Canvas) {
        let curve = points
        canvas.area([(curve[0].x, y(0))] + curve + [(curve[curve.count - 1].x, y(0))], colours.under)
        canvas.line(curve, colours.volume, width: 2)
    }

    /// A point for each pixel, up to half the rate.
    private var points: [(x: Double, y: Double)] {
        let end = min(width - Self.right, x(Double(sampleRate) / 2))
        return stride(from: Self.left, through: end, by: 1).map { x in
            (x, y(equaliser.response(at: frequency(x), sampleRate: sampleRate)))
        }
    }

    private func drawScales(_ canvas: Canvas) {
        drawFrequencies(canvas)
        for gain in stride(from: -Self.reach, through: Self.reach, by: 6) {
            canvas.line(
                [(Self.left, y(gain)), (width - Self.right, y(gain))],
                gain == 0 ? colours.faint : colours.grid)
            canvas.text(
                "\(gain > 0 ? "+" : "")\(Int(gain)) dB", at: (Self.left - 6, y(gain) + 4), colours.faint,
                size: 12, align: .right)
        }
    }

    private func drawFrequencies(_ canvas: Canvas) {
        for (frequency, label) in [
            (20.0, "20"), (50, "50"), (100, "100"), (200, "200"), (500, "500"), (1000, "1k"), (2000, "2k"),
            (5000, "5k"), (10_000, "10k"), (20_000, "20k Hz"),
        ] {
            canvas.line([(x(frequency), Self.top), (x(frequency), height - Self.bottom)], colours.grid)
            canvas.text(
                label, at: (x(frequency), height - 14), colours.faint, size: 12,
                align: frequency == Self.highest ? .right : .centre)
        }
    }

    private func draw(_ canvas: Canvas, _ band: Equaliser.Band) {
        let (x, y) = (x(band.frequency), y(band.gain))
        canvas.line([(x, self.y(0)), (x, y)], colours.automation, width: 1.2, dash: [4, 3])
        canvas.text("\(Int(band.frequency.rounded())) Hz", at: (x + 5, y - 4), colours.ink, size: 11)
    }

    private func x(_ frequency: Double) -> Double {
        Self.left + log(frequency / Self.lowest) / log(Self.highest / Self.lowest)
            * (width - Self.left - Self.right)
    }

    private func frequency(_ x: Double) -> Double {
        Self.lowest * pow(Self.highest / Self.lowest, (x - Self.left) / (width - Self.left - Self.right))
    }

    private func y(_ gain: Double) -> Double {
        (height - Self.bottom + Self.top) / 2 - gain / Self.reach * (height - Self.bottom - Self.top) / 2
    }
}
