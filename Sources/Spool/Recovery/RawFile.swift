#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A file that is read piece by piece, as far as possible: a piece that the disk does not return is empty.
final class RawFile {
    let size: Int
    private let descriptor: Int32

    /// - Returns: nil when there is no such file, or it holds nothing.
    init?(_ path: String) {
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { return nil }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            close(opened)
            return nil
        }
        descriptor = opened
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// - Returns: fewer bytes at the file's end, and none where the disk fails.
    func read(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            while length < count {
                let got = pread(
                    descriptor, buffer.baseAddress.map { $0 + length }, count - length, off_t(offset + length))
                guard got > 0 else { break }
                length += got
            }
        }
    }
}

extension [UInt8] {
    /// Four bytes as a number, the highest first; 0 where there are none.
    func number(at offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
