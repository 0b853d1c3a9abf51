#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A few threads for long computations. On Swift's own threads, one for each processor, these would hold up every request, even
/// `/livez`.
final class HeavyThreads: TaskExecutor {
    /// Half of the processors. Event loops, PostgreSQL's sessions and all other requests need the rest.
    static let places = min(max(ProcessInfo.processInfo.activeProcessorCount / 2, 1), 4)

    /// The threads' nice value (nice(2)).
    private static let niceness: Int32 = 5

    private let jobs = Jobs()

    init(count: Int) {
        let executor = asUnownedTaskExecutor()
        for number in 0..<count {
            // The thread retains the jobs, not this object, or it would never end.
            let thread = Thread { [jobs] in jobs.run(on: executor) }
            thread.name = "heavy-\(number)"
            thread.stackSize = 1 << 20
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job)) }

    deinit { jobs.end() }

    /// A queue of jobs, first in, first out.
    private final class Jobs: Sendable {
        private let waiting = Mutex<(jobs: [UnownedJob], hasEnded: Bool)>(([], false))
        private let added = DispatchSemaphore(value: 0)

        func add(_ job: UnownedJob) {
            waiting.withLock { $0.jobs.append(job) }
            added.signal()
        }

        func end() {
            waiting.withLock { $0.hasEnded = true }
            added.signal()
        }

        func run(on executor: UnownedTaskExecutor) {
            #if canImport(Glibc)
                // On Linux this changes only the calling thread. Failure is harmless.
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, HeavyThreads.niceness)
            #endif
            while true {
                added.wait()
                let job = waiting.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
                if let job {
                    job.runSynchronously(on: executor)
                } else if waiting.withLock({ $0.hasEnded }) {
                    // Wake the next thread, so that it ends, too.
                    added.signal()
                    return
                }
            }
        }
    }
}
