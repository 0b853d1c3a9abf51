/// Two successive successful reports of a surface by one installation, with a kind that was certain after the first.
///
/// What a loss by an update is measured by (docs/decision.md): as the second report is folded, and never again.
public struct ReportPair: Hashable, Sendable {
    public var surface: Surface
    @Bytewise public var kind: String
    /// The app's version at the first report.
    @Bytewise public var fromVersion: String
    /// The app's version at the second report; the same where there was no update.
    @Bytewise public var toVersion: String
    /// Whether the OS was updated between them.
    public var isOtherOS: Bool
    /// When the first report was made.
    public var from: Timestamp
    /// When the second one was.
    public var at: Timestamp
    /// The second report lists nothing of the kind.
    public var isLost: Bool
}

extension DeviceState {
    /// Pairs a report, which has been applied, with the one before it, and remembers what is certain for the next.
    ///
    /// - Parameters:
    ///   - previous: the surface as the report before it left it; nil in an installation that has reported none.
    ///   - note: called for each kind that was certain then.
    mutating func pair(
        _ claimed: [Placement: Int], _ observation: Observation, with previous: ReportedKinds?,
        note: (ReportPair) -> Void
    ) {
        let surface = observation.surface
        let osRelease = observation.circumstances.osRelease.map { Text($0) }
        if let previous {
            for kind in previous.certain.sorted() {
                note(
                    ReportPair(
                        surface: surface, kind: kind.text, fromVersion: previous.report.appVersion,
                        toVersion: observation.circumstances.appVersion,
                        isOtherOS: previous.osRelease != osRelease,
                        from: previous.report.at, at: observation.at,
                        isLost: !claimed.keys.contains { $0.kind.hasBytes(of: kind.text) }))
            }
        }
        guard let state = surfaces[surface] else { return }
        let certain = Set(state.holdings.lazy.filter { $0.value.certain > 0 }.map { Text($0.key.kind) })
        surfaces[surface]?.certainAtReport = certain
        surfaces[surface]?.osReleaseAtReport = osRelease
    }
}

/// What a surface's newest report told, as far as the next one is compared with it.
struct ReportedKinds {
    let report: ReportReference
    let certain: Set<Text>
    let osRelease: Text?

    /// - Returns: nil when none was made, or when it was folded by a program that did not keep this.
    init?(_ state: DeviceState.SurfaceState?) {
        guard let report = state?.lastReport, let certain = state?.certainAtReport else { return nil }
        self.report = report
        self.certain = certain
        osRelease = state?.osReleaseAtReport
    }
}
