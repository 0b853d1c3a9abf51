import Testing

@testable import CensusCore

/// What holds of every history. A failure names its seed.
@Suite struct `Bound properties` {
    static let chunks = `Order properties`.chunks

    @Test(arguments: chunks) func `no number is negative, and certain is at most possible`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            let state = history.fold(history.observations)
            let levels = state.spans.map(\.level) + state.surfaces.values.flatMap(\.holdings.values)
            for level in levels {
                let isSound = level.certain >= 0 && level.suspect >= 0 && level.reported >= 0 && level != .none
                #expect(isSound && level.certain <= level.possible, "seed \(seed) \(level)")
            }
            for span in state.spans {
                let outcome = span.stillThere ?? 0
                #expect(outcome >= 0 && outcome <= span.level.suspect, "seed \(seed) \(span.line)")
                #expect((span.claim != nil) == (span.level.suspect > 0), "seed \(seed) \(span.line)")
            }
        }
    }

    @Test(arguments: chunks) func `no more is certain than was claimed and installed since`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            var state = DeviceState()
            var bound: [Surface: [Placement: Int]] = [:]
            for observation in history.observations.sorted() where observation.circumstances.channel == "production" {
                switch observation.event {
                case .reported(let claimed) where !state.endedInstallations.contains(observation.installation):
                    bound[observation.surface] = claimed
                case .installed(let placement): bound[observation.surface, default: [:]][placement, default: 0] += 1
                default: break
                }
                state = history.fold([observation], onto: state)
                for (surface, held) in state.surfaces {
                    for (placement, level) in held.holdings where level.possible > 0 {
                        #expect(level.possible <= bound[surface]?[placement] ?? 0, "seed \(seed) \(placement) \(level)")
                    }
                }
            }
        }
    }

    @Test(arguments: chunks) func `a report without suspects counts exactly what it reports`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            var state = DeviceState()
            for observation in history.observations.sorted() {
                state = history.fold([observation], onto: state)
                guard case .reported(let claimed) = observation.event,
                    observation.circumstances.channel == "production",
                    observation.circumstances.platform.isWidgetKit, state.installation?.id == observation.installation,
                    let holdings = state.surfaces[observation.surface]?.holdings
                else { continue }
                #expect(holdings.mapValues(\.possible) == claimed, "seed \(seed)")
                #expect(holdings.mapValues(\.reported) == claimed, "seed \(seed)")
                if holdings.values.allSatisfy({ $0.suspect == 0 }) {
                    #expect(holdings.mapValues(\.certain) == claimed, "seed \(seed)")
                }
            }
        }
    }

    @Test(arguments: chunks) func `reports never make suspects of what was none`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            var state = DeviceState()
            for observation in history.observations.sorted() {
                let before = state
                state = history.fold([observation], onto: state)
                let surface = observation.surface
                guard before.installation?.id == state.installation?.id, before.surfaces[surface]?.lastReport != nil
                else {
                    continue
                }
                for model in Set(RandomHistory.placements.map(\.model)) {
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
