/// R11 `today`: the iOS 8 Today extension has no list; a placement is certain while it was rendered or opened within the
/// activity window.
extension DeviceState {
    mutating func noticeToday(_ event: Event, _ observation: Observation) {
        switch event {
        case .removed(let placement):
            let held = surfaces[.today]?.holdings.keys.filter { $0.matches(placement) } ?? []
            for placement in held.sorted() { end(placement, at: observation.at, Change(.removed, by: .today)) }
        // A list that somebody made up is as good as the signs of life that it was made from.
        case .installed, .configured, .opened, .rendered, .reported:
            for placement in event.placements.sorted() {
                surfaces[.today, default: SurfaceState()].seenAt[placement] = observation.at
                set(
                    placement, to: Level(certain: 1, reported: 1), on: .today, at: observation.at,
                    change: Change(.installed, by: .today))
            }
        case .readFailed, .restored: break
        }
    }

    /// Ends what was last seen so long ago that its window ended by `time`.
    mutating func expireToday(at time: Timestamp, window: ActivityWindow) {
        let seenAt = surfaces[.today]?.seenAt ?? [:]
        // In order: equal histories must be equal values.
        for placement in seenAt.keys.sorted() {
            guard let seen = seenAt[placement], window.end(lastHeard: seen) <= time else { continue }
            end(placement, at: time, Change(.silent, by: .today))
        }
    }

    private mutating func end(_ placement: Placement, at time: Timestamp, _ change: Change) {
        surfaces[.today]?.seenAt[placement] = nil
        set(placement, to: .none, on: .today, at: time, change: change)
    }
}
