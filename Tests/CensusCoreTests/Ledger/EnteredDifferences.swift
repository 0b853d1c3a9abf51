import Fleet
import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// What the store enters step by step, compared with everything it has stored. A failure names its seed.
@Suite struct `Entered differences` {
    static let chunks = Seeds.of(0..<3_000, by: 250)

    /// Late, duplicate and shuffled events in any number of steps, silences entered when they are due, changes of zone and
    /// window, and dropped days. At the end the device is erased.
    @Test(arguments: chunks) func `entered differences add up to the whole reading`(seeds: Range<UInt64>) {
        for seed in seeds {
            var random = Seeded(~seed)
            let history = RandomHistory(seed, collides: seed % 4 == 3)
            var device = KeptDevice(history.fold)
            var isAsOnce = true
            var arriving = history.observations
            arriving += history.observations.filter { _ in random.chance(15) }
            // Usually a few events are out of place, and sometimes all.
            if random.chance(80) {
                for _ in 0..<random.below(6) {
                    let (one, other) = (random.below(arriving.count), random.below(arriving.count))
                    arriving.swapAt(one, other)
                }
            } else {
                arriving.shuffle(using: &random)
            }
            var now = Timestamp.beforeAll
            while !arriving.isEmpty {
                let step = arriving.prefix(random.below(3) + 1)
                arriving.removeFirst(step.count)
                now = max(now, (step.map(\.at).max() ?? now) + .days(Int64(random.below(3) * random.below(40))))
                device.receive(Array(step), now: now)
                expectWhole(device, seed, "received")
                switch random.below(14) {
                case 0, 1:
                    device.enterDue(by: now)
                    expectWhole(device, seed, "due")
                case 2, 3:
                    isAsOnce = false
                    let window = ActivityWindow(
                        days: random.pick([1, 7, 28]),
                        zone: random.pick(
                            ["UTC", "Europe/Prague", "Pacific/Apia"].compactMap(ReportingZone.init(identifier:))))
                    device.change(window, now: now)
                    expectWhole(device, seed, "changed")
                // Dropped observations can't arrive late.
                case 4, 5:
                    let end = random.pick(Array(step)).at
                    if arriving.allSatisfy({ $0.at >= end }) { device.drop(before: end) }
                default: break
                }
            }
            device.enterDue(by: .afterAll)
            expectWhole(device, seed, "at last")
            if isAsOnce {
                var once = KeptDevice(history.fold)
                once.receive(history.observations.sorted(), now: .afterAll)
                let isSame =
                    device.entered == once.entered && device.phases == once.phases
                    && device.spans.count == once.spans.count && Set(device.spans) == Set(once.spans)
                #expect(isSame, "seed \(seed): unlike one step")
            }
            device.forget(at: random.pick(history.observations).at + .hours(Int64(random.below(1_000)) - 100))
            expectWhole(device, seed, "forgotten")
        }
    }

    /// A clone had spoken at the very instant at which the device fell silent. The phase that began there turned out to have no
    /// length, and removed the one before it.
    @Test func `a clone heard exactly when the window ends removes no phase`() {
        var device = Device(window: ActivityWindow(days: 7))
        device.reports([:], .day(1))
        device.reinstalls(.day(2))
        device.reports([:], .day(3))
        device.speaks(as: 1)
        for day in [10, 14] { device.failsToRead(.day(Int64(day), hour: 0)) }
        device.speaks(as: 2)
        device.reports([:], .day(20))
        var (kept, once) = (KeptDevice(device.fold), KeptDevice(device.fold))
        for observation in device.observations { kept.receive([observation], now: .beforeAll) }
        once.receive(device.observations, now: .beforeAll)
        #expect(kept.phases == once.phases)
        #expect(once.phases.count == 2)
    }

    @Test func `random histories cover every rule, surface and platform`() {
        var (rules, surfaces, platforms): (Set<Rule>, Set<Surface>, Set<Platform>) = ([], [], [])
        var (renamed, cloned) = (0, 0)
        for seed in UInt64(0)..<600 {
            let history = RandomHistory(seed, collides: seed % 4 == 3)
            let state = history.fold(history.observations)
            for span in state.spans {
                rules.formUnion([span.began.rule, span.ended?.rule].compactMap { $0 })
                surfaces.insert(span.surface)
            }
            platforms.formUnion(history.observations.map(\.circumstances.platform))
            cloned += state.isCloned ? 1 : 0
            let names = history.observations.compactMap { one -> Timestamp? in
                if case .restored = one.event, history.isAndroid { return one.at }
                return nil
            }
            renamed += state.spans.contains { names.contains($0.from) && $0.began.cause == .configured } ? 1 : 0
        }
        // R2 and R5 change no span by themselves, and erasure is not part of the fold.
        #expect(rules.isSuperset(of: Set(Rule.allCases).subtracting([.readFailed, .freshInstall, .forgotten])))
        #expect(surfaces == Set(Surface.allCases))
        #expect(platforms == [.ios, .ipados, .android])
        #expect(renamed >= 5 && cloned >= 20)
    }

    private func expectWhole(_ device: KeptDevice, _ seed: UInt64, _ step: String) {
        #expect(!device.holdsTwice, "seed \(seed), \(step): overlapping")
        #expect(!device.holdsUnheard, "seed \(seed), \(step): held while silent")
        var whole = NetChanges()
        if let reading = device.whole { whole.add(reading, times: 1) }
        // Not the two values in full, because printing them takes longer than everything else.
        let holds = device.entered == whole
        #expect(holds, "seed \(seed), \(step)")
    }

    /// A restore renamed a span that had begun, and the entered difference left out the span's past.
    @Test func `a restored instance doesn't change what was entered before`() {
        var device = Device(.android)
        let (old, new) = (Placement(kind: "Weather", instance: "5"), Placement(kind: "Weather", instance: "8"))
        device.adds(old, .day(1))
        device.reports([old: 1], .day(2))
        device.opens(old, .day(3))
        device.restores(["5": "8"], .day(4))
        device.reports([new: 1], .day(5))
        let late = Observation(
            id: "late", occurredAt: .day(3, hour: 8), at: .day(3, hour: 8), installation: Pseudonym(high: 0, low: 1),
            surface: .widget, circumstances: device.circumstances, event: .removed(old))
        var kept = KeptDevice(device.fold)
        for observation in device.observations + [late] {
            kept.receive([observation], now: .beforeAll)
            expectWhole(kept, 0, observation.id)
        }
    }
}
