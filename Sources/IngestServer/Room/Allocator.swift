#if canImport(Glibc)
    internal import CMalloc
#endif

/// The C library's allocator.
package enum Allocator {
    private static let large: Int32 = 128 << 10

    /// Gives large pieces of memory back to the kernel as soon as they are freed.
    ///
    /// Unasked, glibc takes the largest piece that was ever freed, up to 32 MiB, for the size from which on it does so
    /// (mallopt(3), M_MMAP_THRESHOLD): after one large body what the next ones took stays with the process, in holes.
    package static func returnLargePieces() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, large)
            _ = mallopt(M_TRIM_THRESHOLD, large)
        #endif
    }
}
