import JSON
import AudioFile
import Engine
import Files
import Timeline

struct Palette {
    let page, row, clip, edge, wave, grid, ink, faint, volume, under, automation, fault: Canvas.Colour

    init(_ theme: SessionPlot.Theme) {
        switch theme {
        case .light:
            (page, row, clip, edge) = (.init(0xffffff), .init(0xf3f4f6), .init(0xdfe7f1), .init(0xa9b9cd))
            (wave, grid, ink, faint) = (.init(0x7f9cc0), .init(0xd5d9df), .init(0x1d2530), .init(0x667080))
            (volume, under, automation, fault) = (
                .init(0xd1480a), .init(0xd1480a, alpha: 0.10), .init(0x5b2a86), .init(0xb00020)
            )
        case .dark:
            (page, row, clip, edge) = (.init(0x14171c), .init(0x1d2128), .init(0x26384c), .init(0x46607d))
            (wave, grid, ink, faint) = (.init(0x5b86b3), .init(0x363c46), .init(0xe8ebf0), .init(0x98a2b0))
            (volume, under, automation, fault) = (
                .init(0xff9a4d), .init(0xff9a4d, alpha: 0.12), .init(0xc79bf2), .init(0xff6b7d)
            )
        }
    }
}
