/// The spans of one device while they are being built.
///
/// Time never runs backwards: each call is at or after the time of the previous one. Nothing before the last observation is
/// rewritten, except the outcome of suspects since suspicion began. The store reads only that part of the past again, and
/// enters its changes in the ledger (docs/decisions/0016-ledger.md).
struct SpanHistory: Hashable, Sendable {
    struct Key: Hashable, Comparable, Sendable {
        var surface: Surface
        var placement: Placement

        static func < (left: Key, right: Key) -> Bool {
            (left.surface, left.placement) < (right.surface, right.placement)
        }
    }

    private(set) var closed: [Span] = []
    private(set) var open: [Key: Span] = [:]

    init(closed: [Span] = [], open: [Key: Span] = [:]) {
        self.closed = closed
        self.open = open
    }

    var all: [Span] {
        (closed + open.values).sorted {
            ($0.from, $0.surface, $0.placement, $0.to ?? .max) < ($1.from, $1.surface, $1.placement, $1.to ?? .max)
        }
    }

    var count: Int { closed.count + open.count }

    /// The placements whose open span differs from that in an earlier state, or that have an open span in only one of the
    /// states.
    func changed(since before: SpanHistory) -> [Key] {
        // Most observations change nothing and leave the storage shared, so this comparison is fast.
        guard open != before.open else { return [] }
        return Set(open.keys).union(before.open.keys).filter { key in
            open[key]?.from != before.open[key]?.from || level(of: key) != before.level(of: key)
        }
    }

    func level(of key: Key) -> Level { open[key]?.level ?? .none }

    /// Records that the device holds `level` of a placement from `time` on. The history changes only if the level does.
    ///
    /// - Parameter returned: how many of the newly certain ones were held before R8 doubted them.
    mutating func set(
        _ key: Key, to level: Level, at time: Timestamp, change: Change, returned: Int, claim: Claim?
    ) {
        guard self.level(of: key) != level else { return }
        var (change, returned) = (change, returned)
        let current = open[key]
        if current == nil || current?.from == time { undo(key, at: time) }
        if let current, current.from == time,
            SpanHistory.isNamed(by: current.level, before: self.level(of: key), after: level)
        {
            (change, returned) = (current.began, min(current.returned, level.certain))
        }
        guard self.level(of: key) != level else { return }
        close(key, at: time, change: change)
        guard level != .none else { return }
        open[key] = Span(
            surface: key.surface, placement: key.placement, from: time, level: level,
            claim: level.suspect > 0 ? claim : nil, began: change, returned: returned)
    }

    mutating func dropClosed(where isFixed: (Span) -> Bool) { closed.removeAll(where: isFixed) }

    /// The change that began the open span, if it began at this very instant; nil if it began before.
    func beginning(of key: Key, at time: Timestamp) -> Change? {
        open[key].flatMap { $0.from == time ? $0.began : nil }
    }

    mutating func closeAll(at time: Timestamp, change: Change) {
        // Sorted, because a dictionary has no stable order, and equal histories must be equal values.
        for key in open.keys.sorted() {
            if open[key]?.from == time { undo(key, at: time) }
            close(key, at: time, change: change)
        }
    }

    /// Records how many of the current suspects proved to be real (R6).
    mutating func settleOpen(_ surface: Surface, stillThere: [Placement: Int], at time: Timestamp) {
        for (key, span) in open where key.surface == surface {
            guard let proved = stillThere[key.placement] else { continue }
            open[key]?.stillThere = min(span.level.suspect, proved)
            // The device returned with this very report, which began the span. The last span of the suspicion is the one before
            // the silence.
            guard span.from == time,
                let last = closed.lastIndex(where: { SpanHistory.Key($0) == key }),
                closed[last].ended?.cause == .silent
            else { continue }
            closed[last].settled = closed[last].level.suspect
        }
    }

    /// Records that one of the current suspects has reached its outcome.
    mutating func settleOne(of key: Key) {
        guard let span = open[key], span.settled < span.level.suspect else { return }
        open[key]?.settled += 1
        open[key]?.stillThere = span.stillThere ?? 0
    }

    /// Credits suspects in spans that ended since suspicion began: so many more of their model were real.
    ///
    /// It goes by model, because the spans of several placements can describe one suspect whose intent or configuration
    /// changed. At no instant are more credited than `stillThere`.
    ///
    /// - Parameter preferring: the placements that were real, if known.
    mutating func creditEnded(
        _ surface: Surface, _ model: Placement.Model, since: Timestamp, stillThere: Int, preferring: Set<Placement>
    ) {
        let candidates = closed.indices.filter { index in
            let span = closed[index]
            return span.surface == surface && span.from >= since && span.level.suspect > 0
                && span.placement.model == model
        }
        let ranked = candidates.sorted { one, other in
            let (mine, theirs) = (
                preferring.contains(closed[one].placement), preferring.contains(closed[other].placement)
            )
            return mine == theirs ? one < other : mine
        }
        var credited: [(span: Span, count: Int)] = []
        for index in ranked {
            let span = closed[index]
            let beside = credited.reduce(0) { $0 + ($1.span.overlaps(span) ? $1.count : 0) }
            let known = span.stillThere ?? 0
            let count = max(0, min(span.level.suspect - known, stillThere - beside))
            closed[index].stillThere = known + count
            credited.append((span, count))
        }
    }

    /// Whether a change keeps its cause and rule although another follows at the same instant, as when a report follows an
    /// event or a return. It does if it made something certain, or if the later one changes no number.
    private static func isNamed(by current: Level, before: Level, after: Level) -> Bool {
        before == .none
            ? current.certain > 0 || after.certain == 0
            : (current.certain, current.possible) == (after.certain, after.possible)
    }

    private mutating func close(_ key: Key, at time: Timestamp, change: Change) {
        guard var span = open.removeValue(forKey: key) else { return }
        span.to = time
        span.ended = change
        closed.append(span)
    }

    /// Reverts what was set at this very instant, because a span without length never existed.
    private mutating func undo(_ key: Key, at time: Timestamp) {
        open[key] = nil
        // Spans that ended at this instant are the last ones. A new installation never continues a span, even if it claims the
        // same.
        var before = closed.endIndex - 1
        while before >= 0, closed[before].to == time {
            let span = closed[before]
            if span.surface == key.surface, span.placement == key.placement { break }
            before -= 1
        }
        guard before >= 0, closed[before].to == time, closed[before].ended?.rule != .reinstall else { return }
        var span = closed.remove(at: before)
        // Its suspects stay settled, no matter what ends the span now.
        if span.ended?.rule == .reboot, span.stillThere != nil { span.settled = span.level.suspect }
        span.to = nil
        span.ended = nil
        open[key] = span
    }
}

extension Span {
    fileprivate func overlaps(_ other: Span) -> Bool {
        from < other.to ?? .max && other.from < to ?? .max
    }
}
