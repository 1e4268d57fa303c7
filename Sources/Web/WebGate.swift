import Realtime

/// Who gets in, by the names that this machine has at present. Any thread.
final class WebGate: Sendable {
    private let make: @Sendable (UInt16) -> WebAccess
    private let state = Guarded<(access: WebAccess?, madeAt: UInt64)>((nil, 0))

    /// - Parameter make: looks up the names that this machine has, for a port.
    init(_ make: @escaping @Sendable (UInt16) -> WebAccess) { self.make = make }

    /// This machine may get another address while it runs: a name that is not known is looked for once more,
    /// once a second at most.
    func judge(_ request: WebAccess.Request, atPort port: UInt16) -> WebAccess.Verdict {
        state.withLock { state in
            if let verdict = state.access?.judge(request),
                !verdict.isOfUnknownName || monotonicNanoseconds() - state.madeAt < 1_000_000_000
            {
                return verdict
            }
            state = (make(port), monotonicNanoseconds())
            return state.access!.judge(request)
        }
    }
}
