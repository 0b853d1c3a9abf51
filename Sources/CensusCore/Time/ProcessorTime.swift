internal import Foundation

/// Measures this thread's processor time since the value was created. It must not be kept across a suspension.
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
