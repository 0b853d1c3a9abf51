/// What a device said of one instant: a step of the fold.
///
/// Clocks write seconds, so its observations may have happened in any order.
struct Instant {
    let at: Timestamp
    /// Each once, those of channels that are not counted, too.
    let told: [Observation]

    /// Those that are counted. An installation that goes on comes before those that end it.
    func byInstallation(after current: Pseudonym?) -> [[Observation]] {
        let observations = told.filter(\.circumstances.isCounted)
        guard observations.count > 1 else { return [observations] }
        var order = current.map { [$0] } ?? []
        for observation in observations where !order.contains(observation.installation) {
            order.append(observation.installation)
        }
        let groups = Dictionary(grouping: observations, by: \.installation)
        return order.compactMap { groups[$0] }
    }
}

/// The instants of a device, in order.
struct Instants: Sequence, IteratorProtocol {
    private let sorted: [Observation]
    private var start = 0
    /// Another delivery of it may have corrected the clock a little otherwise, and then is of another instant.
    private var previous: Observation?

    /// - Parameter observations: in any order, duplicates allowed.
    init(_ observations: some Sequence<Observation>) { sorted = observations.sorted() }

    mutating func next() -> Instant? {
        var told: [Observation] = []
        while start < sorted.endIndex, told.isEmpty || sorted[start].at == told[0].at {
            let observation = sorted[start]
            start += 1
            if previous?.isRedelivered(as: observation) != true { told.append(observation) }
            previous = observation
        }
        return told.first.map { Instant(at: $0.at, told: told) }
    }
}

extension Observation {
    /// Only Android restores instances (R10).
    var isRestoration: Bool { event.type == .widgetsRestored && circumstances.platform == .android }
}

extension [Observation] {
    /// Those that name instances by names which others of the same instant took from them, then what took them, then the rest: their
    /// order is known (R10).
    var aroundRestoration: [[Observation]] {
        guard contains(where: \.isRestoration) else { return [self] }
        var old: Set<Text> = []
        for case .restored(let instances) in map(\.event) { old.formUnion(instances.keys) }
        var (earlier, later): ([Observation], [Observation]) = ([], [])
        for observation in self where observation.event.type != .widgetsRestored {
            let names = observation.event.placements.compactMap { $0.instance.map { Text($0) } }
            if names.contains(where: old.contains) { earlier.append(observation) } else { later.append(observation) }
        }
        return [earlier, filter { $0.event.type == .widgetsRestored }, later].filter { !$0.isEmpty }
    }
}
