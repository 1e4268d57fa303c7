import Glibc

/// Runs `body` to its end whatever happens to the thread: a library that cancels threads of its own wherever
/// they are, as libjack does, would leave locks taken and memory half changed for good.
public func withoutCancellation<Result>(_ body: () -> Result) -> Result {
    var state: Int32 = 0
    pthread_setcancelstate(Int32(PTHREAD_CANCEL_DISABLE), &state)
    let result = body()
    pthread_setcancelstate(state, nil)
    return result
}
