#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// CPU time of this thread, without other threads.
enum ThreadTime {
    static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
