internal import CensusCore

/// What reconciling one device changes.
enum DeviceChange: Sendable {
    case setAside(SetAside)
    /// Anything may have changed.
    case news(DeviceRow, Rows, Recount)
    /// Only times, and the days on which it was heard from, have changed.
    case heartbeat(DeviceRow, Recount)
    /// Its stored rows are recounted by the days of the app's zone, because there are no observations or states left to fold
    /// it from.
    case recount(Recount)
    case nothing

    /// What it counted for (nil if unknown or not counted), and what it counts for now.
    struct Recount: Sendable {
        var before: DeviceReading?
        var after: DeviceReading
    }

    /// Its spans and phases.
    struct Rows: Sendable {
        var goneSpans: [StoredSpan]
        var addedSpans: [StoredSpan]
        var gonePhases: [Phase]
        var addedPhases: [Phase]
    }
}

extension DeviceHistory {
    /// - Parameter now: time-based changes after this wait until they are due.
    func change(now: Timestamp) -> DeviceChange {
        if let failure { return .setAside(SetAside(self, failure)) }
        guard let row = DeviceRow(self) else { return storedRecount.map(DeviceChange.recount) ?? .nothing }
        if isHeartbeat, let counted = before?.counted { return heartbeat(row, counted, now) }
        return news(row, now)
    }

    private func news(_ row: DeviceRow, _ now: Timestamp) -> DeviceChange {
        let zone = fold.window.zone
        let fixed = stored.spans.filter { start.isFixed($0.value) }
        let fixedPhases = stored.phases.filter(start.isFixed)
        let (spans, phases) = (fold.spans(of: state), state.phases)
        let difference = SpanDifference(
            stored: stored.spans.filter { fixed[$0.key] == nil }, spans: spans,
            lastOrdinal: max(before?.lastOrdinal ?? 0, stored.spans.keys.max() ?? 0))
        let storedPhases = stored.phases.dropFirst(fixedPhases.count)
        let rows = DeviceChange.Rows(
            goneSpans: difference.gone.compactMap { ordinal in
                stored.spans[ordinal].map { StoredSpan(ordinal: ordinal, span: $0) }
            },
            addedSpans: difference.added.map { StoredSpan(ordinal: $0.ordinal, span: $0.span) },
            gonePhases: storedPhases.filter { !phases.contains($0) },
            addedPhases: phases.filter { !storedPhases.contains($0) })

        let reportingUntil = fold.reportingUntil(of: state)
        var after = DeviceReading(
            spans: Array(fixed.values) + spans, phases: fixedPhases + phases, silentAt: row.silentAt,
            reportingUntil: reportingUntil,
            dueAt: DeviceReading.due(silentAt: row.silentAt, reportingUntil: reportingUntil, zone: zone, after: now),
            zone: zone)
        after.uses = uses
        after.cohorts = cohorts(of: after)
        after.firstHeard = DeviceReading.FirstHeard(at: row.firstHeardAt, platform: row.circumstances.platform)
        var counted = before?.counted.map { DeviceReading(stored, $0) }
        if let changedFrom {
            after.changedFrom = changedFrom
            counted?.changedFrom = changedFrom
        }
        var row = row
        row.dueAt = after.dueAt
        row.lastOrdinal = difference.lastOrdinal
        return .news(row, rows, DeviceChange.Recount(before: counted, after: after))
    }

    private func heartbeat(_ row: DeviceRow, _ counted: StoredDevice.Counted, _ now: Timestamp) -> DeviceChange {
        var before = DeviceReading(stored, counted)
        // As they are stored, except for those that are past.
        before.spans = fold.spans(of: state)
        before.phases = state.phases
        if let changedFrom { before.changedFrom = changedFrom }
        var after = before
        after.silentAt = row.silentAt
        after.reportingUntil = fold.reportingUntil(of: state)
        after.dueAt = DeviceReading.due(
            silentAt: row.silentAt, reportingUntil: after.reportingUntil, zone: after.zone, after: now,
            orAt: counted.dueAt)
        after.uses = uses
        var row = row
        row.dueAt = after.dueAt
        return .heartbeat(row, DeviceChange.Recount(before: before, after: after))
    }

    private var storedRecount: DeviceChange.Recount? {
        guard let counted = before?.counted, counted.zone != fold.window.zone else { return nil }
        let before = DeviceReading(stored, counted)
        var after = before
        after.zone = fold.window.zone
        return DeviceChange.Recount(before: before, after: after)
    }

    /// See ``DeviceReading/changedFrom``.
    private var changedFrom: Day? { needsEndingFrom.map(fold.window.zone.day(of:)) }
}

extension DeviceReading {
    init(_ stored: StoredRows, _ counted: StoredDevice.Counted) {
        self.init(
            spans: Array(stored.spans.values), phases: stored.phases, silentAt: counted.silentAt,
            reportingUntil: counted.reportingUntil, dueAt: counted.dueAt, zone: counted.zone)
        uses = stored.uses
        cohorts = stored.cohorts
        firstHeard = counted.firstHeard
    }
}
