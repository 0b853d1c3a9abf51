/// The byte order mark that Windows editors put at the start of a text.
extension Collection<UInt8> {
    /// The bytes after the mark for UTF-8, if any.
    var withoutByteOrderMark: SubSequence { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }

    /// Whether there is a mark for UTF-16, which we don't read.
    var isUTF16: Bool { starts(with: [0xFF, 0xFE]) || starts(with: [0xFE, 0xFF]) }
}
