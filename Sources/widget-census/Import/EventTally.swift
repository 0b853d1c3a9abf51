internal import CensusCore
internal import CensusStore
internal import History

/// What became of the records with one event name of another tool.
struct EventTally: Sendable {
    /// Empty for records without a name.
    var event: String
    var records = 0
    /// How many are events of widgets now.
    var counted = 0
    /// How many the server would refuse.
    var refused = 0
    /// How many can't be counted.
    var failed = 0
    /// What one of the first counted records says, with a widget if one has any.
    private var example: String?
    private var ignored: [HistoryTranslator.Omission: Int] = [:]
    private var firstFailure: (place: String, reason: String)?
    private var installations = InstallationSample()

    init(event: String) { self.event = event }

    mutating func ignore(_ omission: HistoryTranslator.Omission) { ignored[omission, default: 0] += 1 }

    mutating func count(_ event: BatchEvent, of batch: Batch) {
        counted += 1
        if event.addsWidget(on: batch.circumstances.platform), let kind = event.event.models.first?.kind {
            installations.count(kind, on: batch.deviceID)
        }
        if example == nil || counted <= 100 && example?.hasSuffix(EventTally.none) == true { example = event.summary }
    }

    /// How the summary of an empty list ends.
    fileprivate static let none = ": none"

    mutating func fail(at place: String, _ reason: String) {
        if firstFailure == nil { firstFailure = (place, reason) }
    }

    private var remark: String? {
        var remarks = firstFailure.map { ["\($0.place): \($0.reason)"] } ?? []
        remarks += ignored.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }
            .map { omission, count in ignored.count == 1 ? omission.text : "\(count.grouped) \(omission.text)" }
        if records == 0 { remarks.append("in the mapping, but not in the export") }
        return remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }

    /// More installations than a device's owner can make. Nil if there are no more than that.
    var excess: String? {
        guard installations.mean > InstallationSample.plausible else { return nil }
        let (name, mean) = (event.brief, (installations.mean * 10).rounded() / 10)
        return
            "\(name): \(mean) installations of a kind per device on average. If the app sends `\(name)` at each launch, "
            + "map it as widget_opened, which proves a widget without adding one"
    }

    /// By their number of records, largest first.
    static func table(_ tallies: some Sequence<EventTally>) -> ReportTable {
        ReportTable(
            tallies.sorted { ($1.records, $0.event) < ($0.records, $1.event) },
            [
                .text("event") { $0.event.isEmpty ? "(no name)" : $0.event.brief },
                .number("records", \.records), .number("counted", \.counted), .number("refused", \.refused),
                .number("ignored") { $0.ignored.values.reduce(0, +) }, .number("failed", \.failed),
                .text("example", \.example), .text("remark", \.remark),
            ])
    }
}

extension HistoryTranslator.Omission {
    fileprivate var text: String {
        switch self {
        case .notInMapping: "not in the mapping"
        case .listed: "ignored by the mapping"
        case .noCondition: "no `where` of the mapping applies"
        case .platform(let name): "platform \(name)"
        case .test: "sent in test mode"
        }
    }
}

/// How often a kind is installed on a device, from a sample of the pairs of both, so that memory is bounded.
private struct InstallationSample: Sendable {
    /// People add few widgets of one kind to a phone, even in a year.
    static let plausible = 3.0
    private static let mostPairs = 10_000

    /// By the pair's hash.
    private var counts: [Int: Int] = [:]
    /// A pair belongs to the sample if its hash has none of these bits.
    private var left = 0

    mutating func count(_ kind: String, on device: String) {
        var hasher = Hasher()
        hasher.combine(Text(device))
        hasher.combine(Text(kind))
        let pair = hasher.finalize()
        guard pair & left == 0 else { return }
        counts[pair, default: 0] += 1
        guard counts.count > Self.mostPairs else { return }
        left = left << 1 | 1
        counts = counts.filter { $0.key & left == 0 }
    }

    var mean: Double { counts.isEmpty ? 0 : Double(counts.values.reduce(0, +)) / Double(counts.count) }
}

/// How many events of another tool name a widget.
struct WidgetTally: Sendable {
    var widget: Placement
    var events = 0

    /// By their number, largest first.
    static func table(_ tallies: some Sequence<WidgetTally>) -> ReportTable {
        ReportTable(
            tallies.sorted { ($1.events, $0.widget.name) < ($0.events, $1.widget.name) },
            [
                .text("kind", \.widget.kind), .text("family", \.widget.family), .number("events", \.events),
            ])
    }
}

extension Placement {
    /// Its kind and family.
    fileprivate var name: String { family.map { "\(kind) \($0)" } ?? kind }
}

extension BatchEvent {
    /// Whether each such event adds a widget. Android tells one of its widgets from another.
    fileprivate func addsWidget(on platform: Platform) -> Bool {
        guard event.type == .widget(.installed) else { return false }
        return platform != .android || (try? event.decoded())?.placements.first?.instance == nil
    }

    /// Its type and first widgets, for a person: `widgets_reported: 2 weather systemSmall, search`.
    var summary: String {
        guard let event = try? event.decoded() else { return "" }
        switch event {
        case .reported(let widgets):
            let names = widgets.map { "\($0.value == 1 ? "" : "\($0.value) ")\($0.key.name)" }.sorted()
            let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
            return event.type.rawValue + (names.isEmpty ? EventTally.none : ": \(shown)")
        case .readFailed(let domain, _): return "failed read: \(domain)"
        case .happened(_, to: let widget): return "\(event.type.rawValue): \(widget.name)"
        case .restored, .appOpened: return event.type.rawValue
        }
    }
}
