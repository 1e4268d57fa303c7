import CCairo
import Files
import Glibc

/// A page to draw on, written as SVG, PNG or PDF. Lengths are in pixels of a PNG, points of a PDF.
final class Canvas {
    struct Colour {
        let red: Double
        let green: Double
        let blue: Double
        var alpha = 1.0

        init(_ hex: UInt32, alpha: Double = 1) {
            (red, green, blue) = (
                Double(hex >> 16 & 255) / 255, Double(hex >> 8 & 255) / 255, Double(hex & 255) / 255
            )
            self.alpha = alpha
        }
    }

    enum Alignment { case left, centre, right }

    let width: Double
    let height: Double
    private let path: String
    private let temporary: String
    private let kind: PictureFormat
    private let surface: OpaquePointer
    private let cairo: OpaquePointer

    init(_ path: String, _ kind: PictureFormat, width: Double, height: Double) {
        (self.path, self.kind, self.width, self.height) = (path, kind, width, height)
        temporary = AtomicFile.temporaryPath(for: path)
        surface =
            switch kind {
            case .svg: cairo_svg_surface_create(temporary, width, height)
            case .pdf: cairo_pdf_surface_create(temporary, width, height)
            case .png: cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
            }
        cairo = cairo_create(surface)
        cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
    }

    deinit {
        cairo_destroy(cairo)
        cairo_surface_destroy(surface)
        unlink(temporary)
    }

    /// Writes the page, in place of whatever has its name.
    func finish() throws(FileError) {
        let status =
            switch kind {
            case .png: cairo_surface_write_to_png(surface, temporary)
            case .svg, .pdf: finished()
            }
        guard status == CAIRO_STATUS_SUCCESS else {
            throw FileError(
                path: path, action: "write", reason: String(cString: cairo_status_to_string(status)))
        }
        try AtomicFile.publish(temporary, as: path)
    }

    private func finished() -> cairo_status_t {
        cairo_surface_finish(surface)
        return cairo_surface_status(surface)
    }

    // MARK: - Drawing

    func fill(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ colour: Colour) {
        paint(colour)
        cairo_rectangle(cairo, x, y, width, height)
        cairo_fill(cairo)
    }

    func frame(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ colour: Colour) {
        paint(colour)
        cairo_set_line_width(cairo, 1)
        cairo_rectangle(cairo, x + 0.5, y + 0.5, max(0, width - 1), max(0, height - 1))
        cairo_stroke(cairo)
    }

    func line(_ points: [(x: Double, y: Double)], _ colour: Colour, width: Double = 1, dash: [Double] = []) {
        guard let first = points.first else { return }
        paint(colour)
        cairo_set_line_width(cairo, width)
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        cairo_set_dash(cairo, dash, Int32(dash.count), 0)
        cairo_move_to(cairo, first.x, first.y)
        for point in points.dropFirst() { cairo_line_to(cairo, point.x, point.y) }
        cairo_stroke(cairo)
        cairo_set_dash(cairo, nil, 0, 0)
    }

    func area(_ points: [(x: Double, y: Double)], _ colour: Colour) {
        guard let first = points.first else { return }
        paint(colour)
        cairo_move_to(cairo, first.x, first.y)
        for point in points.dropFirst() { cairo_line_to(cairo, point.x, point.y) }
        cairo_close_path(cairo)
        cairo_fill(cairo)
    }

    /// One line of text with its baseline at `place`, cut with … at `limit`.
    func text(
        _ text: String, at place: (x: Double, y: Double), _ colour: Colour, size: Double,
        align: Alignment = .left, limit: Double = .infinity
    ) {
        cairo_set_font_size(cairo, size)
        var shown = text
        while width(of: shown) > limit, shown.count > 1 {
            shown = String(shown.dropLast(shown.hasSuffix("…") ? 2 : 1)) + "…"
        }
        let offset: Double =
            switch align {
            case .left: 0
            case .centre: width(of: shown) / 2
            case .right: width(of: shown)
            }
        paint(colour)
        cairo_move_to(cairo, place.x - offset, place.y)
        cairo_show_text(cairo, shown)
    }

    func within(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ body: () -> Void) {
        cairo_save(cairo)
        cairo_rectangle(cairo, x, y, width, height)
        cairo_clip(cairo)
        body()
        cairo_restore(cairo)
    }

    private func width(of text: String) -> Double {
        var extents = cairo_text_extents_t()
        cairo_text_extents(cairo, text, &extents)
        return extents.x_advance
    }

    private func paint(_ colour: Colour) {
        cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, colour.alpha)
    }
}

/// What a picture is written as.
public enum PictureFormat: String, CaseIterable, Sendable {
    case svg, png, pdf

    /// By the extension of a file's name; nil for others.
    public init?(path: String) { self.init(rawValue: Path.fileExtension(of: path)) }
}
