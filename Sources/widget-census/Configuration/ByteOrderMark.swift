/// What editors of Windows begin a text with.
extension Collection<UInt8> {
    /// Without the mark that says that it is UTF-8.
    var withoutByteOrderMark: SubSequence { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }

    /// Whether a mark says that it is UTF-16, which is not read.
    var isUTF16: Bool { starts(with: [0xFF, 0xFE]) || starts(with: [0xFE, 0xFF]) }
}
