internal import Dispatch

/// Runs an actor on its own thread, which can wait for a disk, because Swift's few threads are needed for other tasks.
final class DiskQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "spool")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    func sync<T>(_ body: () throws -> T) rethrows -> T { try queue.sync(execute: body) }
}
