#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A few threads besides Swift's own, of which there are as many as processors: a long computation on those would hold up
/// every request, `/livez` too.
final class HeavyThreads: TaskExecutor {
    /// Half of the processors: event loops, PostgreSQL's sessions and all other requests need the rest.
    static let places = min(max(ProcessInfo.processInfo.activeProcessorCount / 2, 1), 4)

    /// How far they yield to other threads (nice(2)).
    private static let niceness: Int32 = 5

    private let jobs = Jobs()

    init(count: Int) {
        let executor = asUnownedTaskExecutor()
        for number in 0..<count {
            // The thread holds the jobs, not this object, or it would never end.
            let thread = Thread { [jobs] in jobs.run(on: executor) }
            thread.name = "heavy-\(number)"
            thread.stackSize = 1 << 20
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job)) }

    deinit { jobs.end() }

    /// What is left to do, first come, first served.
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
                // For this thread alone, as on Linux; if it is refused, nothing is lost.
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, HeavyThreads.niceness)
            #endif
            while true {
                added.wait()
                let job = waiting.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
                if let job {
                    job.runSynchronously(on: executor)
                } else if waiting.withLock({ $0.hasEnded }) {
                    // For the next thread.
                    added.signal()
                    return
                }
            }
        }
    }
}
