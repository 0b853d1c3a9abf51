internal import CensusCore

/// What no phone comes near, and a stranger must not make everybody wait for or find memory for: what a device costs grows with
/// what it holds, with what it told since its base, and with what it ever changed.
struct Plausibility: Hashable, Sendable {
    /// Placements held at once, those that can't be told apart counted once. A report lists 1,000 at most.
    var held = 2_000
    /// Spans and phases, with all that there ever were.
    var changes = 50_000
    /// Observations folded anew, because one of them came late or a setting changed; and so many more for each day of them.
    var refolded = 50_000
    var refoldedADay = 500

    /// - Returns: in words, what is too much; nil: nothing is.
    func excess(of history: DeviceHistory) -> String? {
        if history.state.heldCount > held { return "more than \(held) widgets at once" }
        if Int(history.before?.lastOrdinal ?? 0) + history.state.changeCount > changes {
            return "more than \(changes) changes"
        }
        if history.isRefolded, history.before?.counted != nil,
            history.folded > refolded + refoldedADay * history.daysFolded
        {
            return "more than \(refolded) events, and \(refoldedADay) a day"
        }
        return nil
    }
}
