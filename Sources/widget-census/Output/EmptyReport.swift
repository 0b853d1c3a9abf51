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
        if let nothingWrong { return isBackwards ?? nothingWrong }
        guard facts.hasDevices || facts.hasPending else { return neverHeard }
        guard facts.hasDevices else {
            return "nothing is reconciled yet: `serve` does that within seconds, or run `widget-census nightly`"
        }
        if let kind = filter.kind, !facts.kinds.contains(kind) { return unknownKind(kind) }
        return isDaily ? days : nil
    }

    /// For reports by day of receipt, including today, that are empty if nothing was wrong.
    private var nothingWrong: String? {
        let isHeard = facts.hasDevices || facts.hasPending || facts.hasNames
        let days = filter.since == nil && filter.until == nil ? "" : " on these days"
        switch name {
        case "refused": return isHeard || facts.refused > 0 ? "no event was rejected\(days)" : neverHeard
        case "warned":
            return isHeard
                ? "no accepted event had a warning\(days); warnings of /v1/validate are not stored" : neverHeard
        default: return nil
        }
    }

    private var isBackwards: String? {
        guard let since = filter.since, let until = filter.until, since > until else { return nil }
        return "--since \(since) is after --until \(until)"
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
        if let isBackwards { return isBackwards }
        let isOutside = filter.since.map { $0 > last } ?? false || filter.until.map { $0 < first } ?? false
        return isOutside ? "the closed days run from \(first) to \(last)" : nil
    }
}
