/// One device's history for people to read: what was heard, what it changed, and by which rule.
public struct Explanation: Hashable, Sendable {
    /// What happened at one instant.
    public struct Step: Hashable, Sendable {
        public var at: Timestamp
        /// The observation; nil if time alone, or a later observation, changed something.
        public var heard: Observation?
        /// The rule that applied, and what it means here; nil if the observation's changes say everything.
        public var remark: Remark?
        public var changes: [LevelChange]
        /// Whether the observation is from a time up to which everything had been folded already.
        public var isLeftOut = false
    }

    /// Says why an observation changed nothing, or what it began.
    public struct Remark: Hashable, Sendable {
        public var rule: Rule?
        public var text: String
    }

    /// The number of equal placements before and after.
    public struct LevelChange: Hashable, Sendable {
        public var surface: Surface
        public var placement: Placement
        public var before: Level
        public var after: Level
        public var change: Change
        /// How many of the suspects in `after` proved to be real; nil if unknown.
        public var stillThere: Int?
    }

    /// In time order. Each change is listed under the observation that caused it.
    public var steps: [Step]
    /// As of the last observation, including what time alone will change.
    public var spans: [Span]
    public var state: DeviceState
    /// When the device leaves every count; nil if it was never counted.
    public var silentAt: Timestamp?
    /// Nothing up to this time is folded again; nil if every observation is kept.
    public var foldedThrough: Timestamp?
}

extension DeviceFold {
    /// Explains how the observations of one device, in any order, led to its state.
    ///
    /// - Parameters:
    ///   - base: the result of earlier observations that are no longer kept.
    ///   - foldedThrough: observations up to this time are left out, as in the reconciler.
    public func explain(
        _ observations: some Sequence<Observation>, onto base: DeviceState = DeviceState(),
        foldedThrough: Timestamp? = nil
    ) -> Explanation {
        var state = base
        var heard: [Explanation.Step] = []
        // By time and placement: the last step that changed what is held of the placement.
        var causes: [Timestamp: [SpanHistory.Key: Int]] = [:]
        for instant in Instants(observations) {
            let (at, told) = (instant.at, Array(instant.told))
            if let foldedThrough, at <= foldedThrough {
                heard += told.map(Explanation.Step.init(leftOut:))
                continue
            }
            let before = state
            apply(instant, to: &state)
            var changing: Set<Int> = []
            for key in state.history.changed(since: before.history) {
                let cause = Explanation.cause(of: key, in: told)
                changing.insert(cause)
                causes[at, default: [:]][key] = heard.count + cause
            }
            let tied = Set(Surface.allCases.filter { isTie(told, on: $0) })
            var known = before
            for (place, observation) in told.enumerated() {
                let remark = observation.remark(
                    before: known, after: state, changesLevels: changing.contains(place),
                    isTied: tied.contains(observation.surface))
                heard.append(Explanation.Step(at: at, heard: observation, remark: remark, changes: []))
                if known.installation?.id != state.installation?.id { known.surfaces = [:] }
                (known.installation, known.endedInstallations) = (state.installation, state.endedInstallations)
            }
        }
        let spans = spans(of: state)
        return Explanation(
            steps: DeviceFold.merge(heard, changes: DeviceFold.changes(in: spans), causes), spans: spans, state: state,
            silentAt: silentAt(of: state), foldedThrough: foldedThrough)
    }

    private func isTie(_ told: [Observation], on surface: Surface) -> Bool {
        let counted = told.filter { $0.surface == surface && $0.circumstances.isCounted }
        return Tie(counted[...], isDoubted: isDoubted) != nil
    }

    /// The changes of levels by time. If a span ends where another one of its placement begins, that is one change.
    private static func changes(in spans: [Span]) -> [Timestamp: [Explanation.LevelChange]] {
        var changes: [Timestamp: [SpanHistory.Key: Explanation.LevelChange]] = [:]
        for span in spans {
            let key = SpanHistory.Key(surface: span.surface, placement: span.placement)
            if let end = span.to, let ended = span.ended {
                let change = Explanation.LevelChange(
                    surface: span.surface, placement: span.placement, before: span.level, after: .none, change: ended)
                changes[end, default: [:]][key, default: change].before = span.level
            }
            let change = Explanation.LevelChange(
                surface: span.surface, placement: span.placement, before: .none, after: span.level, change: span.began)
            changes[span.from, default: [:]][key, default: change].after = span.level
            changes[span.from]?[key]?.change = span.began
            changes[span.from]?[key]?.stillThere = span.stillThere
        }
        return changes.mapValues { $0.sorted { $0.key < $1.key }.map(\.value) }
    }

    private static func merge(
        _ heard: [Explanation.Step], changes: [Timestamp: [Explanation.LevelChange]],
        _ causes: [Timestamp: [SpanHistory.Key: Int]]
    ) -> [Explanation.Step] {
        var steps = heard
        var lastAt: [Timestamp: Int] = [:]
        for (index, step) in steps.enumerated() where !step.isLeftOut { lastAt[step.at] = index }
        for (time, changed) in changes {
            var others: [Explanation.LevelChange] = []
            for change in changed {
                let key = SpanHistory.Key(surface: change.surface, placement: change.placement)
                if let index = causes[time]?[key] ?? lastAt[time] {
                    steps[index].changes.append(change)
                } else {
                    others.append(change)
                }
            }
            if !others.isEmpty {
                steps.append(Explanation.Step(at: time, heard: nil, remark: nil, changes: others))
            }
        }
        // Observations of one instant keep the order of the fold.
        return steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }
}

extension Explanation {
    /// Finds the observation that changed a placement: the last one that names it, or else a list without it or a restoration.
    /// A failed read changes no level.
    fileprivate static func cause(of key: SpanHistory.Key, in told: [Observation]) -> Int {
        let own = told.indices.filter {
            told[$0].surface == key.surface && told[$0].circumstances.isCounted && !told[$0].event.saysNothing
        }
        let naming = own.filter { told[$0].event.placements.contains { $0.isCompatible(with: key.placement) } }
        return naming.last { told[$0].event.type != .widget(.opened) && told[$0].event.type != .widget(.configured) }
            ?? naming.last
            ?? own.last { if case .happened = told[$0].event { false } else { true } } ?? own.last ?? told.startIndex
    }
}

extension Explanation.Step {
    /// The observation might have arrived in time and be counted: if the device's clock was ahead, it stays among the days that
    /// are kept.
    fileprivate init(leftOut heard: Observation) {
        self.init(
            at: heard.at, heard: heard,
            remark: Explanation.Remark(text: "left out: arrived too late to count, or is counted already"), changes: [],
            isLeftOut: true)
    }
}
