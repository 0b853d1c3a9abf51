internal import CensusCore

/// Limits that no phone comes near. A device's cost in time and memory grows with what it holds, with what it sent since its
/// base, and with all its changes. The limits keep a malicious sender from causing that cost.
struct Plausibility: Hashable, Sendable {
    /// Placements held at once; indistinguishable ones count once. A report lists at most 1,000.
    var held = 2_000
    /// Widgets held at once, each counted. A report can have 1,000 of each placement, so one device could add a million.
    var widgets = 10_000
    /// Spans and phases, past ones included.
    var changes = 50_000
    /// Observations folded again because one arrived late or a setting changed; each day allows `refoldedADay` more.
    var refolded = 50_000
    var refoldedADay = 500

    /// Kinds and families held at once, times the days heard from and the versions run since the checkpoint, because each adds
    /// to the ledger for each of them. Not placements: a person who collects widgets has hundreds, and whether such a device is
    /// counted must not depend on how much of its past is folded at once.
    var modelDays = 20_000
    /// Kinds and ways in which they were used since the checkpoint, times the months.
    var uses = 20_000

    /// - Returns: the exceeded limit in words; nil if there is none.
    func excess(of history: DeviceHistory) -> String? {
        if history.state.heldCount > held { return "more than \(held) different widgets at once" }
        if history.state.widgetCount > widgets { return "more than \(widgets) widgets at once" }
        if Int(history.before?.lastOrdinal ?? 0) + history.state.changeCount > changes {
            return "more than \(changes) changes"
        }
        if history.isRefolded, history.before?.counted != nil,
            history.folded > refolded + refoldedADay * history.daysFolded
        {
            return "more than \(refolded) events, and \(refoldedADay) a day"
        }
        let times = history.usesSince.daysHeard + history.state.phases.count
        // There are at most as many kinds and families as placements, and they take longer to count.
        if history.state.heldCount * times > modelDays, history.state.heldModelCount * times > modelDays {
            return "more than \(modelDays) kinds and families times days and versions"
        }
        if history.usesSince.events.count * (history.daysFolded / 30 + 1) > uses {
            return "uses of more than \(uses) kinds times months"
        }
        return nil
    }
}
