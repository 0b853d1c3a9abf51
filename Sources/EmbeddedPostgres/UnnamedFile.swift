#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file without a name for a program's output. It is gone once it is closed.
struct UnnamedFile: ~Copyable {
    let descriptor: Int32

    /// Nil if no file can be created in the system's temporary folder; errno says why.
    init?() {
        var template = Array("/tmp/widget-census.XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Returns everything written so far, with invalid UTF-8 repaired.
    borrowing func contents() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count))
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
