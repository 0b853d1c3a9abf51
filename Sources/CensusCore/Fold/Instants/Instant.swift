/// A device's observations at one instant: a step of the fold.
///
/// Clocks write whole seconds, so the observations might have happened in any order.
struct Instant {
    let at: Timestamp
    /// Each observation once, including those of channels that are not counted.
    let told: [Observation]

    /// The counted observations by installation. The installation that goes on comes before those that end it.
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
    /// The observation before, for skipping redeliveries. If the clock was corrected a little differently, a redelivery is at
    /// another instant.
    private var previous: Observation?

    /// - Parameter observations: in any order; duplicates are allowed.
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
    /// The observations in the order that is known (R10): those that use an instance's old name, which another of the same
    /// instant replaced; then those that replaced names; then the rest.
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
