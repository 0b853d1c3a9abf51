/// Observations of one surface at one instant whose order is unknown and makes a difference.
///
/// The bounds cover every order. For the lower bound installations come first and removals last; for the upper bound it is the
/// other way round. The list comes before what moves the bound, and after the rest. So three orders are folded, however many
/// there are.
struct Tie {
    private let lists: [Observation]
    private let added: [Observation]
    private let used: [Observation]
    private let gone: [Observation]
    private let isDoubted: Bool

    let surface: Surface
    let at: Timestamp

    /// - Parameter observations: of one surface at one instant.
    /// - Returns: nil if the order makes no difference.
    init?(_ observations: ArraySlice<Observation>, isDoubted: (Observation) -> Bool) {
        let telling = observations.filter {
            !$0.event.saysNothing && !$0.isOnlyDrawn && $0.event.type != .widgetsRestored
        }
        guard let first = telling.first else { return nil }
        let signs = Set(telling.map(\.event.sign))
        let isWidgetKit = first.circumstances.platform.isWidgetKit
        // All are equal, or all are installations where nothing identifies a placement.
        if signs.count == 1, telling.allSatisfy({ $0.event == first.event }) || isWidgetKit && signs == [.added] {
            return nil
        }
        lists = telling.filter { $0.event.sign == nil }
        added = observations.filter { $0.event.sign == .added }
        // An event that names more comes first, because one that names less can then mean the same.
        used = observations.filter { $0.event.sign == .used || $0.event.sign == .rendered }
            .sorted { $0.namedParts > $1.namedParts }
        gone = observations.filter { $0.event.sign == .gone }
        surface = first.surface
        at = first.at
        self.isDoubted = observations.contains(where: isDoubted)
    }

    fileprivate func likely(_ state: inout DeviceState) {
        for observation in added + used + gone + lists { state.notice(observation, isDoubted: isDoubted) }
    }

    fileprivate func least(_ state: inout DeviceState) {
        for observation in added + used + list(min) + gone { state.notice(observation, isDoubted: isDoubted) }
    }

    fileprivate func most(_ state: inout DeviceState) {
        for observation in gone + list(max) + used.reversed() + added {
            state.notice(observation, isDoubted: isDoubted)
        }
    }

    /// Merges all lists into one, which has the fewest or the most of each placement.
    private func list(_ choose: (Int, Int) -> Int) -> [Observation] {
        guard var list = lists.last else { return [] }
        let claims = lists.map { $0.event.list ?? [:] }
        var chosen: [Placement: Int] = [:]
        var seen: [Placement: Int] = [:]
        for (placement, count) in claims.joined() {
            chosen[placement] = chosen[placement].map { choose($0, count) } ?? count
            seen[placement, default: 0] += 1
        }
        // If a list lacks a placement, the fewest are none.
        list.event = .reported(
            chosen.filter { choose(0, 1) == 1 || seen[$0.key] == claims.count })
        return [list]
    }
}

extension DeviceState {
    mutating func notice(_ tie: Tie) {
        let before = self
        var (least, most) = (scratch(tie.surface), scratch(tie.surface))
        tie.least(&least)
        tie.most(&most)
        tie.likely(&self)
        guard var state = surfaces[tie.surface] else { return }
        let (low, high) = (least.surfaces[tie.surface] ?? .init(), most.surfaces[tie.surface] ?? .init())
        let held = state.holdings
        let levels = SurfaceState.levels(between: low, high, reported: held)
        state.widen(between: low, high)
        surfaces[tie.surface] = state
        let old = before.surfaces[tie.surface]?.holdings ?? [:]
        for placement in Set(held.keys).union(levels.keys).sorted() {
            let level = levels[placement] ?? .none
            guard level != held[placement] ?? .none else { continue }
            set(
                placement, to: level, on: tie.surface, at: tie.at,
                change: Change(Cause(from: old[placement] ?? .none, to: level), by: tie.rule))
        }
    }

    /// The state of one surface, for trying an order. It leaves out the history, which can be long.
    private func scratch(_ surface: Surface) -> DeviceState {
        var state = DeviceState()
        state.installation = installation
        state.surfaces[surface] = surfaces[surface]
        return state
    }
}

extension DeviceState.SurfaceState {
    /// - Parameter reported: the levels that say how many the newest list has.
    fileprivate static func levels(
        between low: Self, _ high: Self, reported: [Placement: Level]
    ) -> [Placement: Level] {
        var levels: [Placement: Level] = [:]
        for placement in Set(low.holdings.keys).union(high.holdings.keys).union(reported.keys) {
            let one = low.holdings[placement] ?? .none
            let other = high.holdings[placement] ?? .none
            let possible = max(one.possible, other.possible)
            let certain = min(one.certain, other.certain)
            let suspect = max(one.suspect, other.suspect)
            let level = Level(
                certain: certain, presumed: possible - certain - suspect, suspect: suspect,
                either: max(one.possibleInFamily, other.possibleInFamily) - possible,
                reported: reported[placement]?.reported ?? 0)
            if level != .none { levels[placement] = level }
        }
        // A widget that is one or another placement, depending on the order, counts once for the kind.
        for (kind, ofKind) in Dictionary(grouping: levels, by: { Text($0.key.kind) }) {
            let most = max(low.possible(ofKind: kind.text), high.possible(ofKind: kind.text))
            var excess = ofKind.reduce(0) { $0 + $1.value.possible } - most
            for placement in ofKind.map(\.key).sorted() {
                guard var level = levels[placement] else { continue }
                let moved = min(excess, level.presumed)
                level.presumed -= moved
                level.either += moved
                levels[placement] = level
                excess -= moved
            }
        }
        return levels
    }

    /// Keeps what holds in every order, and everything that any order might have left open.
    fileprivate mutating func widen(between low: Self, _ high: Self) {
        lostAtReport = low.lostAtReport.flatMap { high.lostAtReport?.intersection($0) }
        reportedSuspects = low.reportedSuspects.merging(high.reportedSuspects, uniquingKeysWith: max)
        suspectSince = suspectSince ?? low.suspectSince ?? high.suspectSince
        claim = claim ?? low.claim ?? high.claim
        usedSuspects = low.usedSuspects.filter { high.usedSuspects[$0.key] == $0.value }
        removedSinceReport = low.removedSinceReport.merging(high.removedSinceReport, uniquingKeysWith: max)
        listedKinds = low.listedKinds.flatMap { high.listedKinds?.union($0) }
        kindsAliveSinceReport = low.kindsAliveSinceReport.union(high.kindsAliveSinceReport)
        proven = Dictionary(
            uniqueKeysWithValues: low.proven.compactMap { placement, count in
                high.proven[placement].map { (placement, min(count, $0)) }
            })
        questions = low.questions.filter(high.questions.contains)
        seenAt = low.seenAt.merging(high.seenAt, uniquingKeysWith: max)
    }
}

extension Tie {
    fileprivate var rule: Rule {
        if surface == .today { return .today }
        return (lists + added + used + gone).allSatisfy(\.circumstances.platform.isWidgetKit)
            ? .event : .androidInstance
    }
}

extension Cause {
    fileprivate init(from old: Level, to new: Level) {
        let (before, after) = ((old.certain, old.possible), (new.certain, new.possible))
        self = after == before ? .configured : after > before ? .installed : .removed
    }
}

extension Event {
    /// Nil for lists and restored instances.
    fileprivate var sign: WidgetAct.Sign? {
        if case .happened(let act, to: _) = self { act.sign } else { nil }
    }
}

extension Observation {
    fileprivate var namedParts: Int {
        let placement = event.placements.first
        return (placement?.family == nil ? 0 : 1) + (placement?.instance == nil ? 0 : 2)
    }

    /// Rendering proves nothing on WidgetKit, except on the Today surface.
    fileprivate var isOnlyDrawn: Bool {
        event.sign == .rendered && surface != .today && circumstances.platform.isWidgetKit
    }
}
