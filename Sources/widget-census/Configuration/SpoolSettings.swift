/// Where events are kept while PostgreSQL is away, and how many.
struct SpoolSettings: Hashable, Sendable {
    var folder: String
    var limit = 1 << 30

    private static let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)]

    /// - Throws: ``UsageError`` for a limit that is not one, or that limits nothing.
    static func bytes(_ text: String) throws -> Int {
        let unit = units.first { text.hasSuffix($0.0) }
        let digits = text.dropLast(unit?.0.count ?? 0)
        let number = digits.allSatisfy(\.isWholeNumber) ? Int(digits) : nil
        let (bytes, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: unit?.1 ?? 1)
        // A batch may be 8 MiB, inflated: a limit too small for one is a mistake.
        guard number != nil, !isTooLarge, bytes >= 16 << 20 else {
            throw UsageError(
                "CENSUS_SPOOL_BYTES is \(text.brief); it is a number of bytes, or such as 512MiB, and at least 16MiB")
        }
        return bytes
    }
}
