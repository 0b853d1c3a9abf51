internal import CensusCore
internal import CensusStore

/// Why a report has no rows, and what to do about it.
struct EmptyReport {
    var name: String
    /// Whether it goes by closed days.
    var isDaily: Bool
    var filter: ReportFilter
    var facts: ReportFacts

    /// Nil when the reason is not one that any report may have.
    var reason: String? {
        guard facts.apps > 0 else { return "there is no app yet: add one with `widget-census apps add APP_ID`" }
        // By days of receipt, today's included: "nothing was refused" is itself the answer.
        guard !["refused", "warned"].contains(name) else { return nil }
        guard facts.hasDevices || facts.hasPending else { return neverHeard }
        guard facts.hasDevices else {
            return "nothing is reconciled yet: `serve` does it within seconds, and so does `widget-census nightly`"
        }
        if let kind = filter.kind, !facts.kinds.contains(kind) { return unknownKind(kind) }
        return isDaily ? days : nil
    }

    private var neverHeard: String {
        guard !facts.hasNames else {
            return "nothing that was sent counts: its `channel` is not production, or it was forgotten; "
                + "`widget-census tail` shows what arrives"
        }
        let said = filter.app.map { "\($0) has never sent anything" } ?? "no app has ever sent anything"
        guard facts.refused > 0 else { return said + ": docs/reference/contract.md says how" }
        return said
            + " that could be taken: \(facts.refused.counted("event", "was", "were")) refused, and census.refused says why"
    }

    private func unknownKind(_ kind: String) -> String {
        guard !facts.kinds.isEmpty else { return "no event named a kind yet" }
        let meant = kind.nearest(among: facts.kinds).map { "; did you mean \($0)?" } ?? "."
        let others = facts.kinds.prefix(5).joined(separator: ", ") + (facts.kinds.count > 5 ? ", …" : "")
        return "no event named the kind \(kind.brief)\(meant) There are \(others)"
    }

    private var days: String? {
        guard let first = facts.firstDay, let last = facts.lastDay else {
            return "no day is closed yet: `widget-census nightly` closes them"
        }
        if let since = filter.since, let until = filter.until, since > until {
            return "--since \(since) is after --until \(until)"
        }
        let isOutside = filter.since.map { $0 > last } ?? false || filter.until.map { $0 < first } ?? false
        return isOutside ? "the closed days run from \(first) to \(last)" : nil
    }
}
