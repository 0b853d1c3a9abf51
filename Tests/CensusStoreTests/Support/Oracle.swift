import CensusCore
import CensusStore
import Fleet

/// The ledger counted straightforwardly from the folded states of all phones.
struct Oracle {
    struct Cell: Hashable {
        var day: Day
        var surface: Surface
        /// Bytes, because Swift equates the two normal forms of é and PostgreSQL doesn't.
        var kind: [UInt8]
    }

    struct Numbers: Hashable {
        var devicesCertain = 0
        var devicesPossible = 0
        var widgetsCertain = 0
        var widgetsPossible = 0
        var widgetsReported = 0
        var devicesExpected = 0.0
    }

    private(set) var cells: [Cell: Numbers] = [:]
    private let window: ActivityWindow

    /// - Parameter days: the closed days.
    init(_ phones: [Phone], _ test: TestStore, days: ClosedRange<Day>) {
        window = test.app.window
        let fold = test.app.fold
        let states = phones.map { fold.fold($0.observations(test.secret)) }
        let shares = Oracle.shares(states)
        for state in states {
            guard let silentAt = fold.silentAt(of: state) else { continue }
            let spans = fold.spans(of: state)
            for number in days.lowerBound.daysSince1970...days.upperBound.daysSince1970 {
                let day = Day(daysSince1970: number)
                let end = window.zone.start(of: day + 1)
                count(spans.filter { $0.from < end && ($0.to ?? silentAt) >= end }, on: day, shares)
            }
        }
    }

    private mutating func count(_ spans: [Span], on day: Day, _ shares: [Claim: Double]) {
        for (cell, spans) in Dictionary(grouping: spans, by: { cell($0, day) }) {
            var numbers = cells[cell] ?? Numbers()
            let certain = spans.reduce(0) { $0 + $1.level.certain }
            let possible = spans.reduce(0) { $0 + $1.level.possible }
            if certain > 0 { numbers.devicesCertain += 1 }
            if possible > 0 { numbers.devicesPossible += 1 }
            numbers.widgetsCertain += certain
            numbers.widgetsPossible += possible
            numbers.widgetsReported += spans.reduce(0) { $0 + $1.level.reported }
            numbers.devicesExpected += Oracle.expectation(certain, spans, shares)
            cells[cell] = numbers
        }
    }

    private func cell(_ span: Span, _ day: Day) -> Cell {
        Cell(day: day, surface: span.surface, kind: Array(span.placement.kind.utf8))
    }

    /// docs/why/reconciliation.md, "What is expected": a certain widget counts 1, a settled suspect by its outcome, and
    /// others by the share of their OS.
    private static func expectation(_ certain: Int, _ spans: [Span], _ shares: [Claim: Double]) -> Double {
        let suspects = spans.filter { $0.level.suspect > 0 }
        if certain > 0 || spans.contains(where: { $0.level.presumed > 0 }) { return 1 }
        if suspects.contains(where: { ($0.stillThere ?? 0) > 0 }) { return 1 }
        guard let claim = suspects.first(where: { $0.stillThere == nil })?.claim else { return 0 }
        return shares[claim] ?? 0.5
    }

    /// The share of settled suspects that were still there, by claim, smoothed by one of each.
    private static func shares(_ states: [DeviceState]) -> [Claim: Double] {
        var settled: [Claim: (suspects: Int, stillThere: Int)] = [:]
        for span in states.flatMap(\.spans) {
            guard let stillThere = span.stillThere, let claim = span.claim else { continue }
            switch span.ended?.rule {
            case .reboot:
                settled[claim, default: (0, 0)].suspects += span.level.suspect
                settled[claim, default: (0, 0)].stillThere += stillThere
            case .signOfLife where span.level.certain > 0:
                settled[claim, default: (0, 0)].suspects += 1
                settled[claim, default: (0, 0)].stillThere += 1
            default:
                settled[claim, default: (0, 0)].suspects += span.settled
                settled[claim, default: (0, 0)].stillThere += max(0, stillThere - (span.level.suspect - span.settled))
            }
        }
        return settled.mapValues { Double($0.stillThere + 1) / Double($0.suspects + 2) }
    }
}

extension TestStore {
    /// The rows of `report.live_kinds`, without cells that are all zero.
    func liveKinds() async throws -> [Oracle.Cell: Oracle.Numbers] {
        var cells: [Oracle.Cell: Oracle.Numbers] = [:]
        let table = try await store.reports.read("live_kinds", ReportFilter())
        for row in table.rows {
            let text = Dictionary(uniqueKeysWithValues: zip(table.columns.map(\.name), row.map { $0 ?? "" }))
            func number(_ name: String) -> Int { Int(text[name] ?? "") ?? -1 }
            let numbers = Oracle.Numbers(
                devicesCertain: number("devices_certain"), devicesPossible: number("devices_possible"),
                widgetsCertain: number("widgets_certain"), widgetsPossible: number("widgets_possible"),
                widgetsReported: number("widgets_reported"),
                devicesExpected: Double(text["devices_expected"] ?? "") ?? -1)
            guard let day = Day(text["day"] ?? ""), let surface = Surface(rawValue: text["surface"] ?? ""),
                numbers != Oracle.Numbers()
            else { continue }
            cells[Oracle.Cell(day: day, surface: surface, kind: Array((text["kind"] ?? "").utf8))] = numbers
        }
        return cells
    }
}
