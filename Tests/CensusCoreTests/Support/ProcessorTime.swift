import Foundation

/// This thread's CPU time. Unlike wall-clock time, it doesn't fail a test because the machine is busy.
func processorTime(_ work: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
    let start = now()
    try work()
    return now() - start
}
