import CensusCore
import Fleet

/// Compares a fleet's truth with the fold of what it sent. No kind and no family has fewer widgets than are certain, and if
/// one has any, at least one is possible.
struct BoundsCheck {
    /// One kind, or one family of it, on one device at the end of one day.
    struct Breach: CustomStringConvertible {
        var seed: UInt64
        var device: String
        var index: Int
        var day: Day
        var kind: String
        var family: String?
        var certain: Int
        var truth: Int
        var possible: Int

        var description: String {
            let cell = [kind, family].compactMap(\.self).joined(separator: " ")
            return "seed \(seed), device \(index) (\(device)), \(day), \(cell): \(certain) <= \(truth) <= \(possible)"
        }
    }

    private let window: ActivityWindow
    private(set) var cells = 0
    private(set) var breaches: [Breach] = []

    var report: String { breaches.map(\.description).joined(separator: "\n") }

    /// - Parameter admits: which device ids of a story are checked.
    init(_ plan: WeatherFleet.Plan, admits: (DeviceStory, [Observation]) -> Bool = { _, _ in true }) throws {
        window = ActivityWindow(zone: plan.zone)
        let fleet = WeatherFleet(plan)
        let days = TruthTable(plan).days
        for index in 0..<plan.devices {
            let story = fleet.story(ofDevice: index)
            let folded = try FoldedFleet(story.deliveries, zone: plan.zone)
            for (device, state) in folded.states where admits(story, folded.observations[device] ?? []) {
                compare(state, story.truths[device] ?? DeviceTruth(), on: days) { day, cell, level, truth in
                    Breach(
                        seed: plan.seed, device: device, index: index, day: day, kind: cell.kind, family: cell.family,
                        certain: level.certain, truth: truth, possible: level.possible)
                }
            }
        }
    }

    private mutating func compare(
        _ state: DeviceState, _ truth: DeviceTruth, on days: [Day], breach: (Day, Cell, Level, Int) -> Breach
    ) {
        let spans = DeviceFold(window: window).spans(of: state)
        let looked = Cell.all(of: spans.map(\.placement) + truth.intervals.map(\.placement))
        for day in days {
            let end = window.zone.start(of: day + 1)
            let instant = end - .microseconds(1)
            // Clocks that are minutes off are not corrected, so an event near midnight may belong to either day.
            let around = [instant, end - .minutes(5), end + .minutes(5)].map { truth.held(at: $0)[.widget] ?? [:] }
            for cell in looked {
                let level = state.level(of: cell, at: instant, in: spans, window: window)
                let counts = around.map { $0.reduce(0) { $0 + (cell.holds($1.key) ? $1.value : 0) } }
                cells += 1
                // Widgets are a lower bound: a system may list identical ones once.
                if !counts.contains(where: { level.certain <= $0 && ($0 == 0 || level.possible > 0) }) {
                    breaches.append(breach(day, cell, level, counts[0]))
                }
            }
        }
    }
}

/// A kind, or one of its families.
private struct Cell: Hashable {
    var kind: String
    /// Nil: all of the kind.
    var family: String?

    static func all(of placements: [Placement]) -> Set<Cell> {
        Set(placements.flatMap { [Cell(kind: $0.kind), Cell(kind: $0.kind, family: $0.family)] })
    }

    func holds(_ placement: Placement) -> Bool {
        placement.kind == kind && (family == nil || placement.family == family)
    }

    /// Whether the placement may be in the cell: an event that names no family may mean any.
    func mayHold(_ placement: Placement) -> Bool {
        holds(placement) || placement.kind == kind && placement.family == nil
    }
}

extension DeviceState {
    /// A silent device holds nothing from the end of its window on.
    fileprivate func level(
        of cell: Cell, at time: Timestamp, in spans: [Span], window: ActivityWindow
    ) -> Level {
        guard let lastHeardAt, time < window.end(lastHeard: lastHeardAt) else { return .none }
        return spans.filter {
            $0.surface == .widget && cell.mayHold($0.placement) && $0.from <= time && ($0.to.map { time < $0 } ?? true)
        }
        .reduce(into: Level.none) { level, span in
            level.certain += cell.holds(span.placement) ? span.level.certain : 0
            level.presumed += span.level.presumed + (cell.holds(span.placement) ? 0 : span.level.certain)
            level.suspect += span.level.suspect
        }
    }
}
