internal import CensusCore
internal import CensusStore

/// What became of the records with one event name of another tool.
struct EventTally: Sendable {
    /// Empty for records without a name.
    var event: String
    var records = 0
    /// How many are events of widgets now.
    var counted = 0
    /// How many the mapping leaves out.
    var ignored = 0
    /// How many can't be counted.
    var failed = 0
    /// Whether the mapping names the event.
    var isMapped = true
    private(set) var firstFailure: (line: Int, reason: String)?

    init(event: String) { self.event = event }

    mutating func fail(line: Int, _ reason: String) {
        failed += 1
        if firstFailure == nil { firstFailure = (line, reason) }
    }

    private var remark: String? {
        if let firstFailure { return "line \(firstFailure.line): \(firstFailure.reason)" }
        return isMapped ? nil : "not in the mapping"
    }

    /// By their number of records, largest first.
    static func table(_ tallies: some Sequence<EventTally>) -> ReportTable {
        ReportTable(
            tallies.sorted { ($1.records, $0.event) < ($0.records, $1.event) },
            [
                .text("event") { $0.event.isEmpty ? "(no name)" : $0.event },
                .number("records", \.records), .number("counted", \.counted), .number("ignored", \.ignored),
                .number("failed", \.failed), .text("remark", \.remark),
            ])
    }
}
