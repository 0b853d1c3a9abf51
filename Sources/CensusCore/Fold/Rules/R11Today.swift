/// R11 `today`: the Today extension of iOS 8 has no list. A placement is certain if it was rendered or opened within the
/// activity window.
extension DeviceState {
    mutating func noticeToday(_ event: Event, _ observation: Observation) {
        if case .happened(let act, to: let widget) = event, act.sign == .gone {
            let held = surfaces[.today]?.holdings.keys.filter { $0.matches(widget) } ?? []
            for placement in held.sorted() { end(placement, at: observation.at, Change(.removed, by: .today)) }
            return
        }
        // The OS has no list for this surface, so an app that sends one made it up. It is as good as the signs of life behind
        // it.
        for placement in event.placements.sorted() {
            surfaces[.today, default: SurfaceState()].seenAt[placement] = observation.at
            set(
                placement, to: Level(certain: 1, reported: 1), on: .today, at: observation.at,
                change: Change(.installed, by: .today))
        }
    }

    /// Ends the placements whose window ended by `time`.
    mutating func expireToday(at time: Timestamp, window: ActivityWindow) {
        let seenAt = surfaces[.today]?.seenAt ?? [:]
        // Sorted, because equal histories must be equal values.
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
