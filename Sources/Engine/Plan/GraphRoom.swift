import CVector
import Realtime

/// Room for each kind of element of a graph, in the memory of the audio thread. Control thread.
struct GraphRoom {
    /// How many there are of what not every line has.
    struct Sizes {
        var (
            befores, controls, edges, outputs, sends, sendBefores, levels, ducks, levelWaits, waits, shares
        ) = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }

    /// Room for so many elements, given out one after another.
    final class Places<Element> {
        private let first: UnsafeMutablePointer<Element>
        private let count: Int
        private var used = 0

        init(_ count: Int) { (first, self.count) = (LockedMemory.allocate(Element.self, count), count) }

        deinit { LockedMemory.free(first, count) }

        /// The places of the next `count` elements.
        func allocate(_ count: Int = 1) -> UnsafeMutablePointer<Element> {
            defer { used += count }
            precondition(used + count <= self.count, "there is room for what was counted")
            return first + used
        }

        /// Puts an element in the next place.
        func put(_ element: Element) -> UnsafeMutablePointer<Element> {
            let place = allocate()
            place.initialize(to: element)
            return place
        }

        /// Puts elements in the next places.
        func put(_ elements: some Collection<Element>) -> UnsafeMutablePointer<Element> {
            let places = allocate(elements.count)
            for (index, element) in elements.enumerated() { (places + index).initialize(to: element) }
            return places
        }
    }

    let sums: Places<Channels>
    let lines: Places<Line>
    let befores: Places<LineSound>
    let controls: Places<LineControls>
    let edges: Places<LineEdges>
    let outputs: Places<OutputEdge>
    let sends: Places<SendEdge>
    let sendBefores: Places<SendSound>
    let steady: Places<steady_send>
    let levels: Places<LineLevels>
    let ducks: Places<DuckEdge>
    let levelWaits: Places<LevelWait>
    let waits: Places<LineWaits>
    let shares: Places<ShareEdge>
    let members: Places<UnsafeMutablePointer<Line>>
    let takers: Places<UnsafeMutablePointer<ShareEdge>>
    let mixes: Places<ShareMix>

    init(_ sizes: Sizes, lines: Int, sums: Int) {
        (self.sums, self.lines) = (Places(sums), Places(lines))
        (befores, controls, waits) = (Places(sizes.befores), Places(sizes.controls), Places(sizes.waits))
        (edges, outputs) = (Places(sizes.edges), Places(sizes.outputs))
        (sends, sendBefores) = (Places(sizes.sends), Places(sizes.sendBefores))
        steady = Places(sizes.sends)
        levels = Places(sizes.levels)
        (ducks, levelWaits) = (Places(sizes.ducks), Places(sizes.levelWaits))
        (shares, members) = (Places(sizes.shares), Places(sizes.shares))
        // Each takes part in one automix of each plan at the most.
        (takers, mixes) = (Places(2 * sizes.shares), Places(2 * sizes.shares))
    }
}
