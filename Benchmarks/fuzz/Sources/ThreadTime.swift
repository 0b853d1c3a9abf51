#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Processor time of this thread: what others run meanwhile does not count.
enum ThreadTime {
    static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
