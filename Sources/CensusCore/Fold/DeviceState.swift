/// Everything known about one device after some of its observations: its placements, and why it has them.
///
/// A pure value. Each rule of docs/why/reconciliation.md is a file in `Rules/`.
public struct DeviceState: Hashable, Sendable {
    /// One life of the app on the device.
    public struct Installation: Hashable, Sendable {
        public var id: Pseudonym
        /// As given by the installation's earliest observation; nil if that gave none or an impossible one.
        public var firstLaunchedAt: Timestamp?
        /// Whether the device was observed under another installation before (R4).
        public var isReinstall: Bool
        /// Whether the device has booted since the first launch, so that what the OS lists now is true (R6).
        public var isSettled = false
        /// The first launch without the correction of the sender's clock, because another clock might have written it; nil if
        /// the correction makes no difference.
        var launchAsSent: Timestamp?
    }

    /// The state of one surface of the current installation.
    public struct SurfaceState: Hashable, Sendable {
        public var lastReport: ReportReference?
        public var holdings: [Placement: Level] = [:]
        /// The last successful report or event, which keeps certainty alive (R8).
        var lastProofAt: Timestamp?
        /// Models that the last report listed fewer of than the one before; nil if it was the installation's first.
        var lostAtReport: Set<Placement.Model>?
        /// The suspects as the last report left them. The next one overrides what events add or remove in between.
        var reportedSuspects: [Placement: Int] = [:]
        var suspectSince: Timestamp?
        var claim: Claim?
        /// Placements used since the last report that are either a suspect or a new placement of its model (R7).
        var usedSuspects: [Placement.Model: Placement] = [:]
        /// Widgets only: the kinds that the last report lists; nil while nothing shows which ones the OS would list.
        var listedKinds: Set<Text>?
        /// Widgets only: the kinds that were placed or used after the last report, whatever the report lists.
        var kindsAliveSinceReport: Set<Text> = []
        /// Android only: how many of an instance, or of a placement without one, are proved to be on a screen (R10).
        var proven: [Placement: Int] = [:]
        /// Android only: uses that named no instance, and what they might mean (R10).
        var questions: [InstanceQuestion] = []
        /// The Today surface only: when each placement was last seen (R11).
        var seenAt: [Placement: Timestamp] = [:]
        /// The kinds that had something certain after the last report; nil if an older program folded it.
        var certainAtReport: Set<Text>?
        /// The OS release that the device ran when it made the last report.
        var osReleaseAtReport: Text?
        /// The newest report that formed a pair without an update: see ``ReportPair``.
        var pairedAt: Timestamp?
        /// How many placements events removed since the last report (R7). A removal is left out if everything it could mean was
        /// suspect. One without a family can mean any of the kind.
        var removedSinceReport: [Placement.Model: Int] = [:]
        /// The app versions under which this installation reported the surface (R9).
        var versions: Set<Text> = []

        public func possible(ofKind kind: String) -> Int {
            holdings.reduce(0) { $0 + ($1.key.kind.hasBytes(of: kind) ? $1.value.possible : 0) }
        }
    }

    public internal(set) var installation: Installation?
    var endedInstallations: Set<Pseudonym> = []
    /// Whether an ended installation went on sending, because the phone, or its backup, exists twice.
    public internal(set) var isCloned = false
    public internal(set) var firstHeardAt: Timestamp?
    public internal(set) var lastHeardAt: Timestamp?
    /// As of the last observation.
    public internal(set) var circumstances: Observation.Circumstances?
    public internal(set) var surfaces: [Surface: SurfaceState] = [:]
    /// The last successful report of any installation, which keeps the device reporting.
    public internal(set) var reportedAt: Timestamp?
    /// The version of the gallery policy that the installation last said it had applied.
    var galleryPolicy: Int64?
    /// The app versions that reported each surface, in any installation. An update to one of them is not evidence.
    var reportedVersions: [Surface: Set<Text>] = [:]
    var history = SpanHistory()
    var phaseHistory = PhaseHistory()
    /// Versions of the rules, other than today's, under which observations were folded that are no longer kept: see
    /// ``DeviceFold/rules``.
    public internal(set) var olderRules: Set<Int> = []

    public init() {}

    /// As of the last observation, in order of their start. An open span has no end. What time alone will change is not
    /// included: see ``DeviceFold/spans(of:)``.
    /// ``DeviceFold/spans(of:)``.
    public var spans: [Span] { history.all }

    /// The number of spans and phases. It is counted without building them.
    public var changeCount: Int { history.count + phaseHistory.all.count }

    /// How many different placements the device holds. Those that can't be told apart count once.
    public var heldCount: Int { surfaces.values.reduce(0) { $0 + $1.holdings.count } }

    /// The upper bound of the widgets that the device holds, including those that can't be told apart.
    public var widgetCount: Int {
        surfaces.values.reduce(0) { $0 + $1.holdings.values.reduce(0) { $0 + $1.possible } }
    }

    /// How many kinds and families the placements have, added up over the surfaces.
    public var heldModelCount: Int {
        surfaces.values.reduce(0) { $0 + Set($1.holdings.keys.lazy.map(\.model)).count }
    }

    /// In order of time, as of the last observation. After reading a checkpoint, only those since.
    public var phases: [Phase] { phaseHistory.all }

    /// Whether no later observation can change a phase, because another one followed that is in ``phases``.
    public func isFixed(_ phase: Phase) -> Bool {
        phases.first.map { phase.from < $0.from } ?? false
    }

    /// The newest successful report of any surface by this installation.
    public var lastReportAt: Timestamp? { surfaces.values.compactMap(\.lastReport?.at).max() }

    /// Sets one placement's level and records it in the history.
    mutating func set(
        _ placement: Placement, to level: Level, on surface: Surface, at time: Timestamp, change: Change,
        returned: Int = 0
    ) {
        assert(lastHeardAt.map { $0 <= time } ?? true, "nothing before the last observation is ever rewritten")
        surfaces[surface, default: SurfaceState()].holdings[placement] = level == .none ? nil : level
        history.set(
            .init(surface: surface, placement: placement), to: level, at: time, change: change,
            returned: returned, claim: surfaces[surface]?.claim)
    }
}

/// Identifies one successful report.
public struct ReportReference: Hashable, Sendable {
    @Bytewise public var id: String
    public var at: Timestamp
    @Bytewise public var appVersion: String
}
