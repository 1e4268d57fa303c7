import JSON
import AudioFile
import Engine
import Files
import Timeline

/// A picture of a session: a row for each track with its clips and their waveforms, the automation, and the
/// volume that automation, fades and ducks come to together, over the time axis; below them the buses and
/// DCAs, and the sends that the timeline moves.
public struct SessionPlot {
    public enum Theme: String, CaseIterable, Sendable { case light, dark }

    private let session: Session
    private let library: MediaLibrary
    private let ruler: ClipRuler
    private let theme: Theme
    private let showsFaders: Bool
    private let width: Double
    private let axis: TimeAxis
    private let rowHeight: Double
    private let colours: Palette
    private let rows: [Row]
    /// What ducks by signal come to at `places`; none are drawn unless it is given.
    public var ducks = SignalDuckGains()

    /// A line of the picture: a strip, or a send that the timeline moves.
    private struct Row {
        let title: String
        let id: StripID
        let clips: [Clip]
        let automation: Automation
        let fader: Double
        /// Why it is not heard; nil: it is.
        let silence: String?
    }

    private static func rows(_ session: Session) -> [Row] {
        let audible = session.audible
        func row(_ strip: Strip, _ title: String, clips: [Clip] = []) -> Row {
            Row(
                title: title, id: strip.id, clips: clips, automation: strip.automation, fader: strip.fader,
                silence: audible.contains(strip.id) ? nil : strip.mute ? "mute" : "not on solo")
        }
        var rows = session.tracks.enumerated().map { row($1.strip, "\($0 + 1)  \($1.name)", clips: $1.clips) }
        rows +=
            session.buses.map { row($0, "bus  \($0.name)") }
            + session.dcas.map { row($0.strip, "DCA  \($0.name)") }
        for strip in session.strips {
            for send in strip.sends where !send.automation.events.isEmpty {
                rows.append(
                    Row(
                        title: "\(strip.name) to \(session.name(of: send.bus) ?? "")", id: send.id, clips: [],
                        automation: send.automation, fader: send.volume, silence: send.mute ? "mute" : nil))
            }
        }
        return rows + (session.master.automation.events.isEmpty ? [] : [row(session.master, "master")])
    }

    // The page's measures.
    private static let top = 46.0
    private static let bottom = 34.0
    private static let names = 180.0
    private static let right = 52.0
    /// From what width on a clip has a border all around, and its name.
    private static let framedWidth = 8.0
    private static let namedWidth = 36.0

    /// - Parameters:
    ///   - range: of the timeline; nil is all of it.
    ///   - width: in pixels, 400 and up.
    ///   - showsFaders: the volume is multiplied by where the fader stands.
    public init(
        _ session: Session, library: MediaLibrary, range: TimeRange? = nil, theme: Theme = .light,
        width: Int = 1600, showsFaders: Bool = false
    ) {
        self.showsFaders = showsFaders
        self.session = session
        rows = Self.rows(session)
        self.library = library
        self.theme = theme
        self.width = Double(max(400, width))
        colours = Palette(theme)
        ruler = library.ruler(atRate: session.sampleRate)
        let end = session.tracks.map { [ruler] in $0.end(ruler: ruler) }.max() ?? .zero
        let shown = range ?? TimeRange(start: .zero, end: max(end, MediaTime(seconds: 1)))
        axis = TimeAxis(shown, from: Self.names, to: self.width - Self.right)
        rowHeight = Self.height(ofRows: Double(max(1, rows.count)))
    }

    /// Tall enough to be read with 40 tracks, tall enough to look at with few, and no taller in all than a
    /// PNG can be.
    private static func height(ofRows count: Double) -> Double {
        min(max(44, min(120, 900 / count)), 32000 / count)
    }

    /// Draws it to `path`, in the format of its extension.
    /// - Throws: `FileError` if it cannot be written.
    public func write(to path: String, _ format: PictureFormat) throws(FileError) {
        let height = Self.top + rowHeight * Double(max(1, rows.count)) + Self.bottom
        let canvas = Canvas(path, format, width: width, height: height)
        canvas.fill(0, 0, width, height, colours.page)
        drawAxis(canvas, height)
        let played = Arrangement(session, library: library, sampleRate: session.sampleRate)
        let plain = plain()
        let automated = Arrangement(plain, library: library, sampleRate: session.sampleRate)
        for (index, row) in rows.enumerated() {
            draw(canvas, row, top: Self.top + Double(index) * rowHeight, played, automated)
        }
        drawMarkers(canvas, height)
        drawLegend(canvas, height)
        try canvas.finish()
    }

    /// The session without what is not automation: ducks, and fades of tracks.
    private func plain() -> Session {
        var plain = session
        plain.ducks = []
        for index in plain.tracks.indices {
            (plain.tracks[index].fadeIn, plain.tracks[index].fadeOut) = (.zero, .zero)
        }
        return plain
    }

    // MARK: - Frame

    private func drawAxis(_ canvas: Canvas, _ height: Double) {
        for tick in axis.ticks {
            canvas.line([(tick.x, Self.top - 6), (tick.x, height - Self.bottom)], colours.grid)
            canvas.text(tick.label, at: (tick.x, Self.top - 12), colours.faint, size: 12, align: .centre)
        }
    }

    private func drawMarkers(_ canvas: Canvas, _ height: Double) {
        for marker in session.markers {
            let x = axis.x(marker.at)
            guard (axis.left...axis.right).contains(x) else { continue }
            canvas.line(
                [(x, Self.top - 4), (x, height - Self.bottom)], colours.ink, width: 0.8, dash: [2, 3])
            canvas.text(marker.name, at: (x + 3, Self.top + 2), colours.ink, size: 10, limit: 120)
        }
    }

    private func drawLegend(_ canvas: Canvas, _ height: Double) {
        let y = height - 13
        canvas.line([(Self.names, y - 4), (Self.names + 28, y - 4)], colours.volume, width: 2)
        canvas.text(
            "volume as played: automation × fades × ducks\(showsFaders ? " × fader" : "")",
            at: (Self.names + 36, y), colours.faint, size: 12)
        let next = Self.names + (showsFaders ? 390 : 340)
        canvas.line([(next, y - 4), (next + 28, y - 4)], colours.automation, width: 1.2, dash: [4, 3])
        canvas.text("automation alone", at: (next + 36, y), colours.faint, size: 12)
    }

    // MARK: - Rows

    private func draw(
        _ canvas: Canvas, _ strip: Row, top: Double, _ played: Arrangement, _ automated: Arrangement
    ) {
        let (left, right) = (axis.left, axis.right)
        let row = (y: top + 3, height: rowHeight - 6)
        canvas.fill(left, row.y, right - left, row.height, colours.row)
        drawTitle(canvas, strip, row)
        let volumes = Volumes(
            played: self.volumes(strip, played, ducks: ducks.gains(of: strip.id)),
            automated: strip.automation.events.isEmpty ? [] : self.volumes(strip, automated))
        canvas.within(left, row.y, right - left, row.height) {
            drawClips(canvas, strip.clips, row)
            drawVolume(canvas, volumes, strip.clips, row)
        }
        canvas.text("\(Int(volumes.scale))", at: (right + 6, row.y + 9), colours.faint, size: 10)
        canvas.text("0", at: (right + 6, row.y + row.height), colours.faint, size: 10)
    }

    private func drawClips(_ canvas: Canvas, _ clips: [Clip], _ row: (y: Double, height: Double)) {
        // Where two cross over both waves are seen.
        for clip in clips { drawFrame(canvas, clip, row) }
        for (index, clip) in clips.enumerated() {
            drawWave(canvas, clip, before: index + 1 < clips.count ? clips[index + 1] : nil, row)
        }
    }

    private func drawTitle(_ canvas: Canvas, _ strip: Row, _ row: (y: Double, height: Double)) {
        canvas.text(
            strip.title, at: (12, row.y + row.height / 2 + 5),
            strip.silence == nil ? colours.ink : colours.faint, size: 13, limit: Self.names - 20)
        if let silence = strip.silence {
            canvas.text(silence, at: (12, row.y + row.height / 2 + 19), colours.faint, size: 10)
        }
    }

    private func drawFrame(_ canvas: Canvas, _ clip: Clip, _ row: (y: Double, height: Double)) {
        guard let range = ruler.range(of: clip) else {
            return canvas.text(
                "\(clip.file) is missing", at: (axis.x(clip.at) + 4, row.y + 14), colours.fault, size: 11)
        }
        guard let (start, end) = place(range) else { return }
        canvas.fill(start, row.y, end - start, row.height, colours.clip)
        drawBorder(canvas, from: start, to: end, row)
        drawName(canvas, clip, from: start, to: end, row)
    }

    private func drawBorder(
        _ canvas: Canvas, from start: Double, to end: Double, _ row: (y: Double, height: Double)
    ) {
        // Of many clips beside each other the borders alone would be seen, and no name could be read.
        if end - start >= Self.framedWidth {
            canvas.frame(start, row.y, end - start, row.height, colours.edge)
        } else {
            canvas.line([(start, row.y), (start, row.y + row.height)], colours.edge, width: 0.5)
        }
    }

    private func drawName(
        _ canvas: Canvas, _ clip: Clip, from start: Double, to end: Double, _ row: (y: Double, height: Double)
    ) {
        if end - start >= Self.namedWidth {
            canvas.text(
                Path.name(of: clip.file.text), at: (start + 5, row.y + 13), colours.faint, size: 10,
                limit: end - start - 10)
        }
    }

    /// From where to where on the page a range lies; nil where nothing of it is shown.
    private func place(_ range: TimeRange) -> (start: Double, end: Double)? {
        let (start, end) = (max(axis.left, axis.x(range.start)), min(axis.right, axis.x(range.end)))
        return end > start ? (start, end) : nil
    }

    private func drawWave(
        _ canvas: Canvas, _ clip: Clip, before next: Clip?, _ row: (y: Double, height: Double)
    ) {
        guard let range = ruler.range(of: clip), let (start, end) = place(range) else { return }
        if let peaks = peaks(clip, range, from: start, to: end) {
            let shape = ClipShape(clip, range, next: next, sampleRate: session.sampleRate)
            let points = peaks.enumerated().map { column, peak in
                let x = start + Double(column) + 0.5
                let frame = Int64((axis.seconds(x) * Double(session.sampleRate)).rounded())
                return (x: x, level: min(1, Double(peak) * (shape?.value(at: frame) ?? 1)))
            }
            drawWave(canvas, points, row)
        } else {
            canvas.line([(start, row.y), (end, row.y + row.height)], colours.fault)
            canvas.line([(start, row.y + row.height), (end, row.y)], colours.fault)
        }
    }

    private func drawWave(
        _ canvas: Canvas, _ points: [(x: Double, level: Double)], _ row: (y: Double, height: Double)
    ) {
        let (middle, half) = (row.y + row.height / 2, row.height / 2 - 2)
        canvas.area(
            points.map { ($0.x, middle - max(0.4, $0.level * half)) }
                + points.reversed().map { ($0.x, middle + max(0.4, $0.level * half)) }, colours.wave)
    }

    private static func start(of clip: Clip, in file: any SampleSource) -> MediaTime {
        clip.soundStart(ofSoundLasting: MediaTime(frame: file.frames, rate: file.sampleRate)) ?? .zero
    }

    /// nil: the file cannot be read.
    private func peaks(_ clip: Clip, _ range: TimeRange, from start: Double, to end: Double) -> [Float]? {
        do throws(AudioFileError) {
            let file = try AudioSource.open(library.place(of: clip))
            let offset = (Self.start(of: clip, in: file) - range.start).seconds
            let places = (0...max(1, Int(end - start))).map {
                Int64(max(0, (axis.seconds(start + Double($0)) + offset) * Double(file.sampleRate)))
            }
            let columns = zip(places, places.dropFirst()).map { $0..<max($0 + 1, $1) }
            return try Waveform(file, channels: clip.channels, columns: columns).peaks
        } catch {
            return nil
        }
    }

    /// A row's lines, and how high it goes.
    private struct Volumes {
        let played: [(x: Double, volume: Double)]
        let automated: [(x: Double, volume: Double)]

        /// Unity is the top of the row, or half of it, or a quarter.
        let scale: Double

        init(played: [(x: Double, volume: Double)], automated: [(x: Double, volume: Double)]) {
            (self.played, self.automated) = (played, automated)
            let highest = (played + automated).map(\.volume).max() ?? 1
            scale = highest > 2 ? 4 : (highest > 1 ? 2 : 1)
        }
    }

    private func drawVolume(
        _ canvas: Canvas, _ volumes: Volumes, _ clips: [Clip], _ row: (y: Double, height: Double)
    ) {
        func points(_ line: [(x: Double, volume: Double)]) -> [(x: Double, y: Double)] {
            line.map { ($0.x, row.y + row.height - 1.5 - $0.volume / volumes.scale * (row.height - 3)) }
        }
        if volumes.scale > 1 { canvas.line(points([(axis.left, 1), (axis.right, 1)]), colours.grid) }
        canvas.line(points(volumes.automated), colours.automation, width: 1.2, dash: [4, 3])
        let line = points(volumes.played)
        for stretch in stretches(clips) {
            let under = line.filter { stretch.contains($0.x) }
            guard let first = under.first, let last = under.last else { continue }
            canvas.area(
                [(first.x, row.y + row.height)] + under + [(last.x, row.y + row.height)], colours.under)
        }
        canvas.line(line, colours.volume, width: 2)
    }

    /// Where on the page clips lie, those that touch as one.
    private func stretches(_ clips: [Clip]) -> [ClosedRange<Double>] {
        var stretches: [ClosedRange<Double>] = []
        for (start, end) in clips.compactMap(ruler.range).compactMap(place) {
            if let last = stretches.last, start - last.upperBound < 0.5 {
                stretches[stretches.count - 1] = last.lowerBound...max(last.upperBound, end)
            } else {
                stretches.append(start...end)
            }
        }
        return stretches
    }

    /// The frames, in ascending order, at which a volume is looked up: four times a pixel.
    public var places: [Int64] {
        (0...Int((axis.right - axis.left) * 4)).map { step in
            Int64((axis.seconds(axis.left + Double(step) / 4) * Double(session.sampleRate)).rounded())
        }
    }

    /// The volume four times a pixel, as it is played there.
    /// - Parameter ducks: gains of the same places that are multiplied with it.
    private func volumes(
        _ row: Row, _ arrangement: Arrangement, ducks: [Float]? = nil
    ) -> [(x: Double, volume: Double)] {
        let (curve, fader) = (arrangement.curve(of: row.id), showsFaders ? row.fader : 1)
        return places.enumerated().map { step, frame in
            (axis.left + Double(step) / 4, fader * curve(frame) * (ducks.map { Double($0[step]) } ?? 1))
        }
    }
}
