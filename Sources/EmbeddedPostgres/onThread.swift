import Dispatch

private let queue = DispatchQueue(label: "widget-census.embedded-postgres", attributes: .concurrent)

/// Runs work that blocks (flock, waitpid) on a thread of its own: Swift's cooperative pool has one thread a core, and a
/// blocked one is lost to every other task.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Swift.Result(catching: work)) }
    }
}

/// Runs work that blocks and cannot fail on a thread of its own.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: work()) }
    }
}
