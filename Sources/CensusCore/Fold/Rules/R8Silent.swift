/// R8 `silent`: the changes that time alone makes.
///
/// A device that is not heard from leaves every count at the end of its activity window and returns with its next
/// observation. If a surface has no successful report or event for that long, what was certain there becomes possible.
extension DeviceState {
    /// When the device falls silent unless it is heard from before; nil if nothing counted was ever heard from it.
    func silentAt(_ window: ActivityWindow) -> Timestamp? { lastHeardAt.map(window.end(lastHeard:)) }

    /// When the device fell silent, if that was before `limit`.
    func silentAt(before limit: Timestamp, _ window: ActivityWindow) -> Timestamp? {
        lastHeardAt.flatMap { window.end(lastHeard: $0, ifBefore: limit) }
    }

    /// Applies the changes that time alone makes before `limit`.
    ///
    /// - Returns: whether the device fell silent.
    mutating func pass(until limit: Timestamp, window: ActivityWindow) -> Bool {
        fade(before: limit, window: window)
        guard let end = silentAt(before: limit, window) else { return false }
        history.closeAll(at: end, change: Change(.silent, by: .silent))
        return true
    }

    /// Lets certainty fade, up to `limit`, while the device is still heard from.
    mutating func fade(before limit: Timestamp, window: ActivityWindow) {
        var due: [(at: Timestamp, surface: Surface)] = []
        for (surface, state) in surfaces where !state.holdings.isEmpty {
            if surface == .today {
                due += state.seenAt.values.compactMap { seen in
                    window.end(lastSeen: seen, notBefore: lastHeardAt, ifBefore: limit).map { ($0, surface) }
                }
            } else if let proof = state.lastProofAt,
                let end = window.end(lastSeen: proof, notBefore: lastHeardAt, ifBefore: limit)
            {
                due.append((end, surface))
            }
        }
        for (time, surface) in due.sorted(by: { ($0.at, $0.surface) < ($1.at, $1.surface) }) {
            if surface == .today { expireToday(at: time, window: window) } else { doubt(surface, at: time) }
        }
    }

    private mutating func doubt(_ surface: Surface, at time: Timestamp) {
        let holdings = surfaces[surface]?.holdings ?? [:]
        for placement in holdings.keys.sorted() {
            guard var level = holdings[placement] else { continue }
            level.presumed += level.certain
            level.certain = 0
            set(placement, to: level, on: surface, at: time, change: Change(.silent, by: .silent))
        }
    }

    /// Counts again what the device still holds.
    mutating func resume(at time: Timestamp) {
        for (surface, state) in surfaces {
            for (placement, level) in state.holdings {
                set(placement, to: level, on: surface, at: time, change: Change(.returned, by: .silent))
            }
        }
    }
}

extension Event {
    /// Whether the event keeps certainty alive, because it shows that the app knows its widgets. A failed read doesn't (R2),
    /// and on WidgetKit neither does rendering, because galleries render, too.
    func isProof(onWidgetKit: Bool) -> Bool {
        switch self {
        case .reported, .restored: true
        case .readFailed, .appOpened: false
        case .happened(let act, to: _): act.sign != .rendered || !onWidgetKit
        }
    }
}
