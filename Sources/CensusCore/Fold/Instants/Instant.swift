/// A device's observations at one instant: a step of the fold.
///
/// Clocks write whole seconds, so the observations might have happened in any order.
struct Instant {
    let at: Timestamp
    /// Each observation once, including those of channels that are not counted.
    let told: ArraySlice<Observation>

    /// The counted observations by installation. The installation that goes on comes before those that end it.
    func byInstallation(after current: Pseudonym?) -> [ArraySlice<Observation>] {
        let observations = told.only { $0.circumstances.isCounted }
        guard observations.count > 1 else { return [observations] }
        var order = current.map { [$0] } ?? []
        for observation in observations where !order.contains(observation.installation) {
            order.append(observation.installation)
        }
        return order.map { id in observations.only { $0.installation == id } }.filter { !$0.isEmpty }
    }
}

/// The instants of a device, in order.
struct Instants: Sequence, IteratorProtocol {
    private let sorted: ArraySlice<Observation>
    private var start: Int

    /// - Parameter observations: in any order; duplicates are allowed.
    init(_ observations: some Sequence<Observation>) {
        // The store returns them in order. Observations are large, so they are copied only to sort them.
        let given = observations as? ArraySlice<Observation> ?? ArraySlice(observations)
        sorted = given.isInOrder ? given : given.sorted()[...]
        start = sorted.startIndex
    }

    mutating func next() -> Instant? {
        while start < sorted.endIndex {
            let (first, at) = (start, sorted[start].at)
            start = sorted[first...].firstIndex { $0.at != at } ?? sorted.endIndex
            let news = (first..<start).filter { !isRedelivered($0) }
            guard !news.isEmpty else { continue }
            let areAll = news.count == start - first
            return Instant(at: at, told: areAll ? sorted[first..<start] : news.map { sorted[$0] }[...])
        }
        return nil
    }

    /// If the clock was corrected a little differently, a redelivery is at another instant.
    private func isRedelivered(_ index: Int) -> Bool {
        index > sorted.startIndex && sorted[index - 1].isRedelivered(as: sorted[index])
    }

    /// Skips the next observations that repeat a report, which was the last one returned, except the last of them.
    ///
    /// - Parameter end: called if there are several; only observations before this time are skipped.
    mutating func skipRepetitions(of report: Observation, before end: () -> Timestamp?) {
        guard start + 1 < sorted.endIndex, sorted[start].repeats(report), sorted[start + 1].repeats(report),
            let end = end()
        else { return }
        var next = start
        while next < sorted.endIndex, sorted[next].at < end, sorted[next].repeats(report) { next += 1 }
        // An instant at which the device said anything else is folded as a whole.
        while next > start, next < sorted.endIndex, sorted[next - 1].at == sorted[next].at { next -= 1 }
        start = (start..<next).last { !isRedelivered($0) } ?? start
    }
}

extension Observation {
    /// Only Android restores instances (R10).
    var isRestoration: Bool { event.type == .widgetsRestored && circumstances.platform == .android }
}

extension ArraySlice<Observation> {
    fileprivate var isInOrder: Bool {
        indices.dropFirst().allSatisfy { self[$0 - 1].at < self[$0].at || !(self[$0] < self[$0 - 1]) }
    }

    /// Those that meet a condition. Copies none if all do, as nearly always: observations are large.
    func only(_ isMeant: (Observation) -> Bool) -> Self {
        allSatisfy(isMeant) ? self : filter(isMeant)[...]
    }

    /// The observations in the order that is known (R10): those that use an instance's old name, which another of the same
    /// instant replaced; then those that replaced names; then the rest.
    var aroundRestoration: [ArraySlice<Observation>] {
        guard contains(where: \.isRestoration) else { return [self] }
        var old: Set<Text> = []
        for case .restored(let instances) in map(\.event) { old.formUnion(instances.keys) }
        var (earlier, later): ([Observation], [Observation]) = ([], [])
        for observation in self where observation.event.type != .widgetsRestored {
            let names = observation.event.placements.compactMap { $0.instance.map { Text($0) } }
            if names.contains(where: old.contains) { earlier.append(observation) } else { later.append(observation) }
        }
        return [earlier, filter { $0.event.type == .widgetsRestored }, later].filter { !$0.isEmpty }.map { $0[...] }
    }
}
