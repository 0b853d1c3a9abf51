/// What a device said of one instant: a step of the fold.
///
/// Clocks write seconds, so its observations may have happened in any order.
struct Instant {
    let at: Timestamp
    /// Those that are counted, each once.
    let observations: [Observation]

    /// - Parameter sorted: a device's observations in fold order.
    /// - Returns: none for an instant of which nothing is counted.
    static func all(of sorted: [Observation]) -> Instants { Instants(sorted) }

    /// An installation that goes on comes before those that end it.
    func byInstallation(after current: Pseudonym?) -> [[Observation]] {
        guard observations.count > 1, observations.contains(where: { $0.installation != observations[0].installation })
        else { return [observations] }
        var order = current.map { [$0] } ?? []
        for observation in observations where !order.contains(observation.installation) {
            order.append(observation.installation)
        }
        let groups = Dictionary(grouping: observations, by: \.installation)
        return order.compactMap { groups[$0] }
    }
}

/// The instants of a device, one after another.
struct Instants: Sequence, IteratorProtocol {
    private let sorted: [Observation]
    private var start = 0
    /// Another delivery of it may have corrected the clock a little otherwise, and then is of another instant.
    private var previous: Observation?

    fileprivate init(_ sorted: [Observation]) { self.sorted = sorted }

    mutating func next() -> Instant? {
        while start < sorted.endIndex {
            let at = sorted[start].at
            var observations: [Observation] = []
            while start < sorted.endIndex, sorted[start].at == at {
                let observation = sorted[start]
                start += 1
                let isRedelivered = previous?.isRedelivered(as: observation) == true
                previous = observation
                if !isRedelivered, observation.circumstances.isCounted { observations.append(observation) }
            }
            if !observations.isEmpty { return Instant(at: at, observations: observations) }
        }
        return nil
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
        guard count > 1, contains(where: \.isRestoration) else { return [self] }
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
