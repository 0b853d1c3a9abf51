internal import CensusCore
internal import CensusStore

/// Why a report has no rows, and what to do about it.
struct EmptyReport {
    var name: String
    /// Whether it covers closed days only.
    var isDaily: Bool
    var filter: ReportFilter
    var facts: ReportFacts

    /// Nil if the reason isn't a general one.
    var reason: String? {
        guard facts.apps > 0 else { return "there is no app yet: add one with `widget-census apps add APP_ID`" }
        // These go by day of receipt, including today: no rows means that nothing was refused or warned about.
        guard !["refused", "warned"].contains(name) else { return nil }
        guard facts.hasDevices || facts.hasPending else { return neverHeard }
        guard facts.hasDevices else {
            return "nothing is reconciled yet: `serve` does that within seconds, or run `widget-census nightly`"
        }
        if let kind = filter.kind, !facts.kinds.contains(kind) { return unknownKind(kind) }
        return isDaily ? days : nil
    }

    private var neverHeard: String {
        guard !facts.hasNames else {
            return "no events count, because their `channel` is not production or their devices were forgotten; "
                + "`widget-census tail` shows what arrives"
        }
        let said = filter.app.map { "\($0) has never sent anything" } ?? "no app has ever sent anything"
        guard facts.refused > 0 else { return said + "; see docs/reference/contract.md for how" }
        return said
            + " valid: \(facts.refused.counted("event", "was", "were")) refused; see `widget-census report refused` for why"
    }

    private func unknownKind(_ kind: String) -> String {
        guard !facts.kinds.isEmpty else { return "no event has named a kind yet" }
        let meant = kind.nearest(among: facts.kinds).map { "; did you mean \($0)?" } ?? "."
        let others = facts.kinds.prefix(5).joined(separator: ", ") + (facts.kinds.count > 5 ? ", …" : "")
        return "no event has named the kind \(kind.brief)\(meant) Known kinds: \(others)"
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
