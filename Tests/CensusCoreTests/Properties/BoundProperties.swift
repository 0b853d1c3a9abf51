import Testing

@testable import CensusCore

/// Bounds that hold for every history. A failure names its seed.
@Suite struct `Bound properties` {
    static let chunks = `Order properties`.chunks
    static let few = `Order properties`.few

    @Test(arguments: chunks) func `no number is negative, and certain is at most possible`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            let state = history.fold(history.observations)
            let levels = state.spans.map(\.level) + state.surfaces.values.flatMap(\.holdings.values)
            for level in levels {
                let isSound =
                    level.certain >= 0 && level.presumed >= 0 && level.suspect >= 0 && level.either >= 0
                    && level.reported >= 0 && level != .none
                #expect(isSound && level.certain <= level.possible, "seed \(seed) \(level)")
            }
            for span in state.spans {
                let outcome = span.stillThere ?? 0
                #expect(outcome >= 0 && outcome <= span.level.suspect, "seed \(seed) \(span.line)")
                #expect((span.claim != nil) == (span.level.suspect > 0), "seed \(seed) \(span.line)")
                let saysWhatItHolds =
                    span.settled >= 0 && span.settled <= span.level.suspect && span.returned >= 0
                    && span.returned <= span.level.certain
                #expect(saysWhatItHolds, "seed \(seed) \(span)")
            }
        }
    }

    @Test(arguments: few) func `a kind's upper bound of 0 applies to each of its families`(seeds: Range<UInt64>) {
        for seed in seeds {
            RandomHistory(seed).replay { state, _ in
                let families = state.counts(\.possibleInFamily)
                for (place, count) in state.counts(\.possible) {
                    let isSound = count > 0 || families[place, default: 0] == 0
                    #expect(isSound, "seed \(seed) \(place)")
                }
            }
        }
    }

    @Test(arguments: few) func `certain never exceeds what was listed, installed and used`(seeds: Range<UInt64>) {
        for seed in seeds {
            RandomHistory(seed).replay { state, evidence in
                for (place, count) in state.counts(\.certain) {
                    #expect(count <= evidence.everTold[place, default: 0], "seed \(seed) \(place) \(count)")
                }
            }
        }
    }

    @Test(arguments: few)
    func `possible never exceeds the last list, later installations and one for each model used`(
        seeds: Range<UInt64>
    ) {
        for seed in seeds {
            RandomHistory(seed).replay { state, evidence in
                for (place, count) in state.counts(\.possible) where place.surface != .today {
                    #expect(count <= evidence.lately(place), "seed \(seed) \(place) \(count)")
                }
            }
        }
    }

    @Test(arguments: few) func `a report without suspects counts exactly what it reports`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            var state = DeviceState()
            for instant in history.instants {
                state = history.fold(instant, onto: state)
                guard let observation = instant.first, instant.count == 1 else { continue }
                guard case .reported(let claimed) = observation.event.withoutInstances, observation.surface != .today,
                    observation.circumstances.channel == "production",
                    observation.circumstances.platform.isWidgetKit, state.installation?.id == observation.installation,
                    let holdings = state.surfaces[observation.surface]?.holdings
                else { continue }
                #expect(holdings.mapValues(\.possible) == claimed, "seed \(seed)")
                #expect(holdings.mapValues(\.reported) == claimed, "seed \(seed)")
                let isDoubted = observation.circumstances.osBuild.map(history.doubtedBuilds.contains) ?? false
                #expect(isDoubted || holdings.values.allSatisfy { $0.presumed == 0 }, "seed \(seed)")
                if !isDoubted, holdings.values.allSatisfy({ $0.suspect == 0 }) {
                    #expect(holdings.mapValues(\.certain) == claimed, "seed \(seed)")
                }
            }
        }
    }

    @Test(arguments: few)
    func `a WidgetKit device without suspects or doubts counts exactly its report and later events`(
        seeds: Range<UInt64>
    ) {
        for seed in seeds {
            let history = RandomHistory(seed)
            guard !history.isAndroid else { continue }
            var state = DeviceState()
            var expected: [Surface: [Placement: Int]] = [:]
            for instant in history.instants {
                let before = state.installation?.id
                state = history.fold(instant, onto: state)
                guard let observation = instant.first, observation.circumstances.channel == "production" else {
                    continue
                }
                // Several observations at one instant leave open what they mean.
                guard instant.count == 1 else { break }
                if state.spans.contains(where: { $0.level.suspect > 0 || $0.level.presumed > 0 }) { break }
                if before != state.installation?.id { expected = [:] }
                guard observation.surface != .today, state.installation?.id == observation.installation else {
                    continue
                }
                if case .reported(let claimed) = observation.event.withoutInstances {
                    expected[observation.surface] = claimed
                    let held = state.surfaces[observation.surface]?.holdings ?? [:]
                    #expect(held == claimed.mapValues { Level(certain: $0, reported: $0) }, "seed \(seed)")
                } else if observation.event.provesNothingOnWidgetKit {
                    let held = state.surfaces[observation.surface]?.holdings.mapValues(\.certain) ?? [:]
                    #expect(held.filter { $0.value > 0 } == expected[observation.surface] ?? [:], "seed \(seed)")
                } else {
                    let held = state.surfaces[observation.surface]?.holdings.mapValues(\.certain) ?? [:]
                    expected[observation.surface] = held.filter { $0.value > 0 }
                }
            }
        }
    }

    @Test(arguments: few) func `an Android instance is held at most once`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            guard history.isAndroid else { continue }
            let doubles = history.instancesHeldTwice
            #expect(doubles.isEmpty, "seed \(seed) \(doubles)")
        }
    }

    @Test(arguments: few) func `a report after the first one never adds suspects`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            var state = DeviceState()
            for instant in history.instants {
                let before = state
                state = history.fold(instant, onto: state)
                guard let observation = instant.first, instant.count == 1 else { continue }
                let surface = observation.surface
                guard before.installation?.id == state.installation?.id, before.surfaces[surface]?.lastReport != nil
                else {
                    continue
                }
                let suspected = state.surfaces[surface]?.reportedSuspects ?? [:]
                for model in Set(suspected.keys.map(\.model)) {
                    let (old, new) = (suspects(before, surface, model), suspects(state, surface, model))
                    #expect(new <= old, "seed \(seed) \(model)")
                }
            }
        }
    }

    private func suspects(_ state: DeviceState, _ surface: Surface, _ model: Placement.Model) -> Int {
        (state.surfaces[surface]?.reportedSuspects ?? [:]).reduce(0) { $0 + ($1.key.model == model ? $1.value : 0) }
    }
}

extension Event {
    /// Whether an event other than a list leaves a WidgetKit device's placements unchanged.
    fileprivate var provesNothingOnWidgetKit: Bool {
        if case .happened(let act, to: _) = self { act.sign == .rendered } else { placements.isEmpty }
    }
}
