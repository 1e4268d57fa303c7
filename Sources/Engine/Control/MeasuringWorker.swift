import Realtime

/// Has what strips measure taken out of their rings, every few milliseconds.
final class MeasuringWorker: Sendable {
    private let strips: Guarded<[LiveMeasurement]>
    private let worker: Worker

    init() {
        let strips = Guarded<[LiveMeasurement]>([])
        self.strips = strips
        worker = Worker("jmix-measure", every: 10) { for strip in strips.withLock({ $0 }) { strip.follow() } }
    }

    /// From now on these are followed.
    func follow(_ measurements: [LiveMeasurement]) { strips.withLock { $0 = measurements } }
}
