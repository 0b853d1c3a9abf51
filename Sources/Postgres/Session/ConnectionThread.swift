/// The executor of one connection, with its own thread, so that waiting for the server blocks nobody else.
///
/// The thread starts with the first job and runs until ``retire()``. Later jobs, such as asking a closed connection whether it
/// is usable, run on a new thread that ends after the last of them.
final class ConnectionThread: SerialExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        var isRunning = false
        var isRetired = false
    }

    private let queue = Guarded(Queue())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isIdle = queue.withLock { state in
            state.jobs.append(job)
            // Signal under the lock, because afterwards we can't touch our own state: the job might end at once and drop the
            // last reference to the connection and to this executor. The task that switches here holds none.
            if state.isRunning { queue.signal() }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isIdle else { return }
        // If no thread can start, the caller runs the job: blocking the caller is better than never running the job.
        if !DetachedThread.start({ self.run(waiting: true) }) { run(waiting: false) }
    }

    /// - Returns: false if the system can't start another thread.
    func start() -> Bool {
        let isIdle = queue.withLock { queue in
            defer { queue.isRunning = true }
            return !queue.isRunning
        }
        guard isIdle, !DetachedThread.start({ self.run(waiting: true) }) else { return true }
        queue.withLock { $0.isRunning = false }
        return false
    }

    /// Ends the thread as soon as its queue is empty.
    func retire() {
        queue.withLock { state in
            state.isRetired = true
            queue.signal()
        }
    }

    private func run(waiting: Bool) {
        var jobs: [UnownedJob] = []
        while true {
            // Swapping the two arrays avoids allocating one for each job.
            let isDone = queue.wait { queue -> Bool? in
                swap(&jobs, &queue.jobs)
                if !jobs.isEmpty { return false }
                guard queue.isRetired || !waiting else { return nil }
                queue.isRunning = false
                return true
            }
            if isDone { return }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
            jobs.removeAll(keepingCapacity: true)
        }
    }
}
