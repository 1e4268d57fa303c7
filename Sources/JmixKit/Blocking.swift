import Dispatch

/// Runs what waits for the disk on a thread that may wait, so that no task's thread does.
func offThread<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () -> Result<Value, Failure>
) async throws(Failure) -> Value {
    let result = await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
    return try result.get()
}
