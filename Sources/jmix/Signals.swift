import Glibc

/// SIGINT, SIGTERM and SIGHUP as something to poll. Made before the first thread starts, so that none is ever interrupted.
final class Signals {
    private var set = sigset_t()

    init() {
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A reader that goes away is an error of the write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
    }

    /// The next signal that has come, if any.
    func next() -> Int32? {
        var none = timespec()
        let number = sigtimedwait(&set, nil, &none)
        return number > 0 ? number : nil
    }
}
