/// Folds a device's observations into what it holds (docs/why/reconciliation.md).
public struct DeviceFold: Sendable {
    public var window: ActivityWindow
    /// OS builds whose lists are not trusted: what they list is only possible. The betas of iOS 14.0 went on listing removed
    /// widgets until reboot, and they report the version of the release.
    public var doubtedBuilds: Set<String>

    public init(window: ActivityWindow = ActivityWindow(), doubtedBuilds: Set<String> = []) {
        self.window = window
        self.doubtedBuilds = doubtedBuilds
    }

    /// - Parameters:
    ///   - observations: those of one device, in any order; duplicates are allowed.
    ///   - state: the result of earlier observations, all of them before the first of these.
    ///   - note: called for every pair of reports that one of these completes, in order of time.
    /// - Complexity: O(n log n) in the number of observations.
    public func fold(
        _ observations: some Sequence<Observation>, onto state: DeviceState = DeviceState(),
        noting note: (ReportPair) -> Void = { _ in }
    ) -> DeviceState {
        var state = state
        var instants = Instants(observations)
        while let instant = instants.next() {
            apply(instant, to: &state, noting: note)
            guard let report = instant.told.last, instant.told.dropLast().allSatisfy(report.repeats) else { continue }
            instants.skipRepetitions(of: report) { endOfRepetitions(of: report, in: state) }
        }
        return state
    }

    /// The spans of a state, including what time alone will change before the device falls silent, so some might begin or end
    /// in the future. Silence itself is not included: see ``silentAt(of:)``.
    public func spans(of state: DeviceState) -> [Span] {
        guard let silentAt = silentAt(of: state) else { return [] }
        var later = state
        later.fade(before: silentAt, window: window)
        return later.spans
    }

    /// When the device falls silent unless it is heard from before (R8); nil if nothing counted was ever heard from it.
    public func silentAt(of state: DeviceState) -> Timestamp? { state.silentAt(window) }

    /// When the last successful report of a state stops counting; nil if there is none.
    public func reportingUntil(of state: DeviceState) -> Timestamp? {
        end(ofReportAt: state.reportedAt, state)
    }

    /// When the newest list of a surface stops counting; nil if this installation sent none.
    public func listedUntil(of state: DeviceState, on surface: Surface) -> Timestamp? {
        end(ofReportAt: state.surfaces[surface]?.lastReport?.at, state)
    }

    private func end(ofReportAt time: Timestamp?, _ state: DeviceState) -> Timestamp? {
        guard let time, let lastHeardAt = state.lastHeardAt else { return nil }
        return window.end(lastSeen: time, notBefore: lastHeardAt)
    }

    /// Folds one instant, in this order: time passes, a new installation begins, a reboot is noticed, the events apply.
    func apply(_ instant: Instant, to state: inout DeviceState, noting note: (ReportPair) -> Void = { _ in }) {
        for group in instant.byInstallation(after: state.installation?.id) {
            guard let first = group.first else { continue }
            guard !state.endedInstallations.contains(first.installation) else {
                state.noticeClone(at: instant.at, window: window)
                continue
            }
            arrive(group, in: &state)
            // A boot that one observation proves counts for the others of the instant only if all of them prove it.
            let areSettled = group.allSatisfy { state.isSettled(by: $0) }
            if areSettled { state.installation?.isSettled = true }
            for surface in Surface.allCases where group.contains(where: { $0.surface == surface }) {
                notice(group.only { $0.surface == surface }, on: surface, in: &state, noting: note)
            }
            if group.contains(where: { state.isSettled(by: $0) }) { state.installation?.isSettled = true }
        }
    }

    /// Notes that the device is heard from.
    private func arrive(_ group: ArraySlice<Observation>, in state: inout DeviceState) {
        for observation in group {
            let isNew = state.installation?.id != observation.installation
            let until = isNew ? state.endOfInstallation(before: observation) : observation.at
            state.passPhase(until: observation.at, window: window)
            let wasSilent = state.pass(until: until, window: window)
            if isNew { state.begin(observation) } else if wasSilent { state.resume(at: observation.at) }
            state.firstHeardAt = state.firstHeardAt ?? observation.at
            state.lastHeardAt = observation.at
            state.circumstances = observation.circumstances
            state.enterPhase(observation, isNewInstallation: isNew)
        }
    }

    /// - Parameter observations: of one instant and one surface.
    private func notice(
        _ observations: ArraySlice<Observation>, on surface: Surface, in state: inout DeviceState,
        noting note: (ReportPair) -> Void
    ) {
        let newest = observations.lastIndex { $0.event.list != nil }
        let previous = newest.flatMap {
            state.reportedKinds(on: surface, beforeReportOf: observations[$0].circumstances.appVersion)
        }
        for told in observations.aroundRestoration {
            if told.count > 1, let tie = Tie(told, isDoubted: isDoubted) {
                state.notice(tie)
            } else {
                for observation in told { state.notice(observation, isDoubted: isDoubted(observation)) }
            }
        }
        if surface == .widget, let event = observations.first(where: \.isRestoration) {
            // A list of the same instant might be from before, so it doesn't tell the kinds of the restored instances.
            state.noticeKinds(event.event, isWidgetKit: false)
        }
        // Lists of one instant are one report, so what any of them lists was not lost.
        guard surface != .today, let newest, let own = observations[newest].event.list else { return }
        let claimed = observations[..<newest].compactMap(\.event.list).reduce(own) {
            $0.merging($1, uniquingKeysWith: max)
        }
        state.pair(claimed, observations[newest], with: previous, note: note)
    }

    func isDoubted(_ observation: Observation) -> Bool {
        observation.circumstances.osBuild.map(doubtedBuilds.contains) ?? false
    }
}

extension DeviceState {
    /// Passes an event to its rule.
    mutating func notice(_ observation: Observation, isDoubted: Bool) {
        let surface = observation.surface
        let isWidgetKit = observation.circumstances.platform.isWidgetKit
        let event = isWidgetKit ? observation.event.withoutInstances : observation.event
        if event.isProof(onWidgetKit: isWidgetKit) {
            surfaces[surface, default: SurfaceState()].lastProofAt = observation.at
        }
        if surface == .widget { noticeKinds(event, isWidgetKit: isWidgetKit) }
        if surface == .today { return noticeToday(event, observation) }
        if !isWidgetKit { return noticeInstances(event, observation) }
        switch event {
        case .reported(let claimed): report(claimed, observation, isDoubted: isDoubted)
        case .happened(let act, to: let widget):
            switch act.sign {
            case .added: install(widget, observation, isDoubted: isDoubted)
            case .gone: remove(widget, observation)
            case .used: use(widget, observation)
            case .rendered: break
            }
        // Only Android restores instances (R10).
        case .readFailed, .restored, .appOpened: break
        }
    }
}

extension Observation {
    /// Whether both are deliveries of one event. The order of ``Observation`` puts these next to each other.
    func isRedelivered(as other: Observation) -> Bool {
        occurredAt == other.occurredAt && id.hasBytes(of: other.id)
    }
}
