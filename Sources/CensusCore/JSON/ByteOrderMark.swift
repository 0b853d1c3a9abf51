/// What the first bytes of a file tell: the byte order mark that Windows editors put there, or that it is compressed.
extension Collection<UInt8> {
    /// The bytes after the mark for UTF-8, if any.
    package var withoutByteOrderMark: SubSequence { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }

    /// Whether there is a mark for UTF-16, which we don't read.
    package var isUTF16: Bool { starts(with: [0xFF, 0xFE]) || starts(with: [0xFE, 0xFF]) }

    /// Whether it is gzip (RFC 1952, 2.3.1).
    package var isGzip: Bool { starts(with: [0x1F, 0x8B]) }
}
