import Fleet
import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// Phones that repeat a report. The fold skips all repetitions but the last. A failure names its seed.
@Suite struct `Repetition properties` {
    @Test(arguments: Seeds.of(0..<8_000, by: 1_000))
    func `repeated reports have the same effect folded at once as one by one`(seeds: Range<UInt64>) {
        var skippable = 0
        for seed in seeds {
            let history = RandomHistory(seed)
            var random = Seeded(~seed)
            let observations = history.observations.repeated(using: &random)
            var (stepwise, pairs) = (DeviceState(), [ReportPair]())
            for instant in observations.sorted().byInstant {
                stepwise = history.fold.fold(instant, onto: stepwise) { pairs.append($0) }
                if history.fold.endOfRepetitions(of: instant[0], in: stepwise) != nil { skippable += 1 }
            }
            var found: [ReportPair] = []
            let atOnce = history.fold.fold(observations.shuffled(using: &random)) { found.append($0) }
            #expect(atOnce == stepwise, "seed \(seed)")
            #expect(atOnce.spans == stepwise.spans, "seed \(seed)")
            #expect(found == pairs, "seed \(seed)")
        }
        #expect(skippable > seeds.count)
    }

    /// A redelivery is no repetition, and must not replace the report that it delivers again.
    @Test func `the last of the repetitions counts, even if it is delivered twice`() {
        var phone = Device()
        for minute in Int64(0)..<6 { phone.reports([.weather: 1], .day(1) + .minutes(minute)) }
        for count in 2...6 {
            let reports = phone.observations.prefix(count)
            var again = reports[count - 1]
            again.at = again.at + .milliseconds(500)
            let state = DeviceFold().fold(reports + [again])
            #expect(state.lastHeardAt == reports[count - 1].at)
            #expect(state == reports.reduce(DeviceState()) { DeviceFold().fold([$1], onto: $0) })
        }
    }
}

extension [Observation] {
    /// The same observations, some of them followed by up to seven repetitions: within seconds, at one instant, or days apart.
    fileprivate func repeated(using random: inout Seeded) -> [Observation] {
        flatMap { observation -> [Observation] in
            guard random.chance(60) else { return [observation] }
            var said = [observation]
            for number in 0..<random.below(8) {
                var next = observation
                next.id = "\(observation.id) again \(number)"
                let gap: Duration =
                    random.pick([
                        .zero, .seconds(1), .seconds(1), .seconds(40), .minutes(9), .hours(5), .hours(13), .hours(30),
                    ])
                next.at = (said.last?.at ?? observation.at) + gap
                next.occurredAt = next.at
                if random.chance(4) { next.circumstances.bootedAt = next.at + .minutes(4) }
                said.append(next)
            }
            return said
        }
    }
}
