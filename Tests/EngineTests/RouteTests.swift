import Engine
import TestSupport
import Testing

/// Routes against the frames, one after another.
@Suite struct RouteTests {
    @Test func aRouteIsTheFramesThatArePlayedOneAfterAnother() {
        var random = Seeded(state: 1)
        for _ in 0..<2000 {
            let start = Int64.random(in: 0...40, using: &random)
            let low = Int64.random(in: 0...40, using: &random)
            let loop =
                Bool.random(using: &random) ? low..<(low + Int64.random(in: 0...20, using: &random)) : nil
            let route = Route(number: 1, start: start, loop: loop)
            // A loop counts if its end lies ahead.
            let counts = loop.map { !$0.isEmpty && start < $0.upperBound } ?? false
            #expect(route.loops() == counts)
            var frame = start
            for index in Int64(0)..<100 {
                #expect(route.frame(at: index) == frame)
                let run = route.framesUntilTurn(from: index)
                if counts { #expect(run == loop!.upperBound - frame) } else { #expect(run == .max) }
                frame += 1
                if counts, frame == loop!.upperBound { frame = loop!.lowerBound }
            }
        }
    }
}
