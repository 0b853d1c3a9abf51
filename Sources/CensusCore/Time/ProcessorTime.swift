internal import Foundation

/// What this thread has used of a processor since the value was made. It must not be carried over a suspension.
package struct ProcessorTime {
    private let begun = ProcessorTime.now

    package init() {}

    package var used: Duration { ProcessorTime.now - begun }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
