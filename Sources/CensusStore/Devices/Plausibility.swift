internal import CensusCore

/// Limits that no phone comes near. A device's cost grows with what it holds, with what it sent since its base, and with what
/// it ever changed; a stranger must not make others pay for that in time or memory.
struct Plausibility: Hashable, Sendable {
    /// Placements held at once; those that can't be told apart count once. A report lists 1,000 at most.
    var held = 2_000
    /// Widgets held at once, each for itself. A report may tell of 1,000 of each placement: one device could add a million.
    var widgets = 10_000
    /// Spans and phases, past ones included.
    var changes = 50_000
    /// Observations folded again because one arrived late or a setting changed; each day allows `refoldedADay` more.
    var refolded = 50_000
    var refoldedADay = 500

    /// Kinds and families held at once, times the days heard from and the versions run since the checkpoint: each adds to
    /// the ledger for each of them. Not placements, because a widget collector holds hundreds: whether such a
    /// device is counted must not depend on how much of its past is folded at once.
    var modelDays = 20_000
    /// Kinds and ways in which they were used since the checkpoint, times the months.
    var uses = 20_000

    /// - Returns: what is too much, in words; nil when nothing is.
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
        // Kinds and families are no more than placements, and take longer to count.
        if history.state.heldCount * times > modelDays, history.state.heldModelCount * times > modelDays {
            return "more than \(modelDays) kinds and families times days and versions"
        }
        if history.usesSince.events.count * (history.daysFolded / 30 + 1) > uses {
            return "uses of more than \(uses) kinds times months"
        }
        return nil
    }
}
