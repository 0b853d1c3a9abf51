/// The executor of one connection: a thread of its own, so that waiting for the server blocks nobody else.
///
/// The thread starts with the first job and lives until ``retire()``. Later jobs, like asking a closed
/// connection whether it is usable, get a thread that ends with the last of them.
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
            // Under the lock, after which nothing of ours may be touched: the job may end at once, and with it the last
            // reference to the connection and to this executor, to which the task that switches here holds none.
            if state.isRunning { queue.signal() }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isIdle else { return }
        // Without a thread the caller runs it: blocking the caller is bad, never running it is worse.
        if !DetachedThread.start({ self.run(waiting: true) }) { run(waiting: false) }
    }

    /// - Returns: false when the system has no thread left.
    func start() -> Bool {
        let isIdle = queue.withLock { queue in
            defer { queue.isRunning = true }
            return !queue.isRunning
        }
        guard isIdle, !DetachedThread.start({ self.run(waiting: true) }) else { return true }
        queue.withLock { $0.isRunning = false }
        return false
    }

    /// Lets the thread end as soon as it has nothing to do.
    func retire() {
        queue.withLock { state in
            state.isRetired = true
            queue.signal()
        }
    }

    private func run(waiting: Bool) {
        var jobs: [UnownedJob] = []
        while true {
            // The two arrays swap places, so that neither is allocated again for each job.
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
