import CensusCore
import FleetSimulator

/// The truth of a fleet beside what the fold makes of what was sent.
struct BoundsCheck {
    /// One kind on one device at the end of one day.
    struct Breach: CustomStringConvertible {
        var seed: UInt64
        var device: String
        var index: Int
        var day: Day
        var kind: String
        var certain: Int
        var truth: Int
        var possible: Int

        var description: String {
            "seed \(seed), device \(index) (\(device)), \(day), \(kind): \(certain) <= \(truth) <= \(possible)"
        }
    }

    private(set) var cells = 0
    private(set) var breaches: [Breach] = []

    var report: String { breaches.map(\.description).joined(separator: "\n") }

    /// - Parameter admits: which device ids of a story are looked at.
    init(_ plan: Fleet.Plan, admits: (DeviceStory, [Observation]) -> Bool = { _, _ in true }) throws {
        let fleet = Fleet(plan)
        let days = TruthTable(plan).days
        for index in 0..<plan.devices {
            let story = fleet.story(ofDevice: index)
            let folded = try FoldedFleet(story.deliveries)
            for (device, state) in folded.states where admits(story, folded.observations[device] ?? []) {
                compare(state, story.truths[device] ?? DeviceTruth(), on: days) { day, kind, level, truth in
                    Breach(
                        seed: plan.seed, device: device, index: index, day: day, kind: kind, certain: level.certain,
                        truth: truth, possible: level.possible)
                }
            }
        }
    }

    private mutating func compare(
        _ state: DeviceState, _ truth: DeviceTruth, on days: [Day], breach: (Day, String, Level, Int) -> Breach
    ) {
        let spans = DeviceFold().spans(of: state)
        let kinds = Set(spans.map(\.placement.kind)).union(truth.intervals.map(\.placement.kind))
        for day in days {
            let end = ReportingZone.utc.start(of: day + 1)
            let instant = end - .microseconds(1)
            // Clocks that are minutes off are not corrected: an event near midnight may belong to either day.
            let around = [instant, end - .minutes(5), end + .minutes(5)].map { truth.held(at: $0)[.widget] ?? [:] }
            for kind in kinds {
                let level = state.level(ofKind: kind, at: instant, in: spans)
                let counts = around.map { $0.reduce(0) { $0 + ($1.key.kind == kind ? $1.value : 0) } }
                cells += 1
                if !counts.contains(where: { (level.certain == 0 || $0 > 0) && ($0 == 0 || level.possible > 0) }) {
                    breaches.append(breach(day, kind, level, counts[0]))
                }
            }
        }
    }
}

extension DeviceState {
    /// A silent device holds nothing from the end of its window on.
    fileprivate func level(ofKind kind: String, at time: Timestamp, in spans: [Span]) -> Level {
        guard let lastHeardAt, time < ActivityWindow().end(lastHeard: lastHeardAt) else { return .none }
        return spans.filter {
            $0.surface == .widget && $0.placement.kind == kind && $0.from <= time && ($0.to.map { time < $0 } ?? true)
        }
        .reduce(into: Level.none) { level, span in
            level.certain += span.level.certain
            level.presumed += span.level.presumed
            level.suspect += span.level.suspect
        }
    }
}
