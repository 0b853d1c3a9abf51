/// Folds a device's observations into what it holds (design section 4).
public struct DeviceFold: Sendable {
    public var window: ActivityWindow

    public init(window: ActivityWindow = ActivityWindow()) {
        self.window = window
    }

    /// - Parameters:
    ///   - observations: one device's, in any order, duplicates allowed.
    ///   - state: what earlier observations led to; all of them precede these in the order of ``Observation``.
    /// - Complexity: O(n log n) in the number of observations.
    public func fold(_ observations: some Sequence<Observation>, onto state: DeviceState = DeviceState()) -> DeviceState
    {
        var state = state
        var previous: Observation?
        for observation in observations.sorted() {
            defer { previous = observation }
            if let previous, previous.occurredAt == observation.occurredAt, previous.id.hasBytes(of: observation.id) {
                continue
            }
            state.apply(observation, window: window)
        }
        return state
    }
}

extension DeviceState {
    /// One step of the fold. What is heard decides in this order: silence, a new installation, a reboot, the event.
    mutating func apply(_ observation: Observation, window: ActivityWindow) {
        guard observation.circumstances.channel == "production" else { return }
        guard !endedInstallations.contains(observation.installation) else {
            isCloned = true
            return
        }
        let wasSilent = endSilence(before: observation, window: window)
        if installation?.id != observation.installation { begin(observation) }
        if wasSilent { resume(at: observation.at) }
        noticeReboot(observation)
        firstHeardAt = firstHeardAt ?? observation.at
        lastHeardAt = observation.at
        circumstances = observation.circumstances

        switch observation.event {
        case .reported(let claimed): report(claimed, observation)
        case .installed(let placement): install(placement, observation)
        case .removed(let placement): remove(placement, observation)
        case .configured(let placement), .opened(let placement):
            surfaces[observation.surface, default: SurfaceState()].kindsAliveSinceReport.insert(placement.kind)
        // R2: a failed read changes nothing, except that the device was seen.
        case .readFailed, .rendered, .restored: break
        }
    }
}
