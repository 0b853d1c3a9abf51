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
        reading.firstHeard = firstHeard.flatMap { $0.at < end ? $0 : nil }
        let isForgotten = time < silentAt
        reading.cohorts.joined = cohorts.joined.filter { $0.value.heldFrom < end }.mapValues { joined in
            var joined = joined
            if joined.ended.map({ $0.at > end }) ?? true {
                joined.ended = Cohorts.End(at: end, cause: isForgotten ? .forgotten : .silent)
            }
            return joined
        }
        reading.silentAt = end
        reading.reportingUntil = nil
        reading.dueAt = nil
        return reading
    }

    /// Replaces configurations and instances by numbers, because the ledger only needs to tell them apart.
    private static func withoutIdentity(_ spans: [Span]) -> [Span] {
        var (configurations, instances): ([Text: String], [Text: String]) = ([:], [:])
        func number(_ name: String?, _ numbers: inout [Text: String]) -> String? {
            guard let name = name.map({ Text($0) }) else { return nil }
            let number = numbers[name] ?? String(numbers.count + 1)
            numbers[name] = number
            return number
        }
        let byTime = spans.sorted { ($0.from, $0.surface, $0.placement) < ($1.from, $1.surface, $1.placement) }
        return byTime.map { span in
            var span = span
            span.placement.configuration = number(span.placement.configuration, &configurations)
            span.placement.instance = number(span.placement.instance, &instances)
            return span
        }
    }
}
