/// Where to store events while PostgreSQL is away, and how many bytes of them.
struct SpoolSettings: Hashable, Sendable {
    var folder: String
    var limit = 1 << 30

    private static let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)]

    /// - Throws: ``UsageError`` for an invalid limit, or one that is too small.
    static func bytes(_ text: String) throws -> Int {
        let unit = units.first { text.hasSuffix($0.0) }
        let digits = text.dropLast(unit?.0.count ?? 0)
        let number = digits.allSatisfy(\.isWholeNumber) ? Int(digits) : nil
        let (bytes, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: unit?.1 ?? 1)
        // A batch can have 8 MiB when uncompressed, so a limit that fits only one is a mistake.
        guard number != nil, !isTooLarge, bytes >= 16 << 20 else {
            throw UsageError(
                "CENSUS_SPOOL_BYTES is \(text.brief); it must be bytes or a size such as 512MiB, and at least 16MiB")
        }
        return bytes
    }
}
