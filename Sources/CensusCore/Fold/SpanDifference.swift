/// The changes that turn a device's stored spans into those of a new reading.
public struct SpanDifference: Sendable {
    /// Ordinals of stored spans that the new reading lacks.
    public var gone: [Int32] = []
    public var added: [(ordinal: Int32, span: Span)] = []
    /// The highest ordinal in use.
    public private(set) var lastOrdinal: Int32
    /// The first instant at which the two readings differ; nil if they are equal.
    public var changedFrom: Timestamp?

    /// - Parameters:
    ///   - stored: the stored spans by ordinal. Ordinals identify spans and imply no order.
    ///   - spans: the spans of the new reading.
    ///   - lastOrdinal: the highest ordinal in use, including spans that are not in `stored`.
    public init(stored: [Int32: Span], spans: [Span], lastOrdinal: Int32 = 0) {
        var ordinals: [Span: [Int32]] = [:]
        for (ordinal, span) in stored { ordinals[span, default: []].append(ordinal) }
        var fresh: [Span] = []
        for span in spans where ordinals[span]?.popLast() == nil { fresh.append(span) }
        gone = ordinals.values.flatMap { $0 }.sorted()
        self.lastOrdinal = max(stored.keys.max() ?? 0, lastOrdinal)
        for span in fresh {
            self.lastOrdinal += 1
            added.append((self.lastOrdinal, span))
        }
        changedFrom = SpanDifference.firstChange(gone: gone.compactMap { stored[$0] }, added: fresh)
    }

    /// If only the end of a span differs, the readings differ from the earlier of its two ends on, not from its start.
    private static func firstChange(gone: [Span], added: [Span]) -> Timestamp? {
        func withoutEnd(_ span: Span) -> Span {
            var span = span
            span.to = nil
            span.ended = nil
            return span
        }
        var first: Timestamp?
        func notice(_ time: Timestamp) { first = min(first ?? time, time) }
        var ends: [Span: [Timestamp]] = [:]
        for span in gone { ends[withoutEnd(span), default: []].append(span.to ?? .max) }
        for span in added {
            if let end = ends[withoutEnd(span)]?.popLast() {
                notice(min(end, span.to ?? .max))
            } else {
                notice(span.from)
            }
        }
        for (span, unmatched) in ends where !unmatched.isEmpty { notice(span.from) }
        return first
    }
}
