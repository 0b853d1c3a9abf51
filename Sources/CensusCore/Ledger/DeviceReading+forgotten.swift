extension DeviceReading {
    /// The device's past without its identity, which stays counted after the device is forgotten.
    ///
    /// On days that ended by `time` the device counts as before. What it held ends at `time`, with the cause `forgotten`. If
    /// the device was silent by then, its spans ended with the silence already, and the silence stays counted until a year is
    /// over, because the widgets are still on the screen.
    ///
    /// - Parameter time: everything that begins then or later is dropped.
    public func forgotten(at time: Timestamp) -> DeviceReading {
        var reading = self
        reading.dueAt = DeviceReading.due(
            silentAt: silentAt, reportingUntil: reportingUntil, zone: zone, after: time)
        let (spans, phases, _) = reading.drawn
        let end = min(time, silentAt)
        reading.spans = DeviceReading.withoutIdentity(
            spans.filter { $0.from < end }.map { span in
                guard span.to ?? .max > end else { return span }
                var span = span
                span.to = end
                span.ended = Change(.forgotten, by: .forgotten)
                return span
            })
        reading.phases = phases.compactMap { phase in
            var phase = phase
            let last = min(phase.to ?? end, end)
            phase.to = last
            // A phase is also empty if it began at the very instant when the last report stopped counting.
            return phase.from < last ? phase : nil
        }
        // Without a phase, the device was first heard from later.
        reading.uses = reading.phases.isEmpty ? DeviceUses() : uses.during(...zone.day(of: end))
        reading.cohorts.joined = cohorts.joined.filter { $0.value.heldFrom < end }
        reading.silentAt = end
        reading.reportingUntil = nil
        reading.dueAt = nil
        return reading
    }

    /// Replaces intent, configuration and instance by a number, because flows only need to tell one placement's spans from
    /// another's.
    private static func withoutIdentity(_ spans: [Span]) -> [Span] {
        var numbers: [Placement: Int] = [:]
        let byTime = spans.sorted { ($0.from, $0.surface, $0.placement) < ($1.from, $1.surface, $1.placement) }
        return byTime.map { span in
            let placement = span.placement
            let plain = Placement(kind: placement.kind, family: placement.family)
            guard placement != plain else { return span }
            let number = numbers[placement] ?? numbers.count + 1
            numbers[placement] = number
            var span = span
            span.placement = plain
            span.placement.configuration = String(number)
            return span
        }
    }
}
