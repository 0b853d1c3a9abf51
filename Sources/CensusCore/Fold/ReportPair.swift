/// Two successive successful reports of a surface by one installation, for a kind that was certain after the first.
///
/// Losses through updates are measured by these pairs (docs/why/decision.md). A pair is taken when its second report is folded,
/// and never again.
public struct ReportPair: Hashable, Sendable {
    public var surface: Surface
    @Bytewise public var kind: String
    /// The app's version at the first report.
    @Bytewise public var fromVersion: String
    /// The app's version at the second report; the same if there was no update.
    @Bytewise public var toVersion: String
    /// Whether the OS was updated between them.
    public var isOtherOS: Bool
    /// The OS release at the second report; nil unless the app was updated.
    public var osRelease: Text?
    /// When the first report was made.
    public var from: Timestamp
    /// When the second report was made.
    public var at: Timestamp
    /// Whether the second report lists nothing of the kind.
    public var isLost: Bool
    /// The kinds that the second report lists and that were not there before; empty unless an update lost the kind.
    public var gained: Set<Text> = []

    public var isUpdate: Bool { !fromVersion.hasBytes(of: toVersion) }
    /// The time between the reports.
    public var gap: Duration { at - from }
}

extension DeviceState {
    /// A device has at most one pair without an update in this time, so that a phone that reports every minute, or whose lists
    /// come and go, doesn't outweigh others.
    static let pairingInterval: Duration = .hours(20)
    /// No real phone sees more versions of an app. If a device does, its updates are neither evidence nor a cause (R9).
    static let mostVersions = 200

    /// Pairs a report, which has been applied already, with the one before it, and remembers what is certain for the next pair.
    ///
    /// A device counts once for a version that it updates to, even if it goes back to another one in between.
    ///
    /// - Parameters:
    ///   - previous: the surface as the report before left it; nil if the installation sent none before.
    ///   - note: called for each kind that was certain then.
    mutating func pair(
        _ claimed: [Placement: Int], _ observation: Observation, with previous: ReportedKinds?,
        note: (ReportPair) -> Void
    ) {
        let surface = observation.surface
        let version = observation.circumstances.appVersion
        let osRelease = observation.circumstances.osRelease.map { Text($0) }
        if let previous, isEvidence(observation, after: previous.report) {
            let isUpdate = !previous.report.appVersion.hasBytes(of: version)
            for kind in previous.certain.sorted() {
                let isLost = !claimed.keys.contains { $0.kind.hasBytes(of: kind.text) }
                note(
                    ReportPair(
                        surface: surface, kind: kind.text, fromVersion: previous.report.appVersion,
                        toVersion: version, isOtherOS: previous.osRelease != osRelease,
                        osRelease: isUpdate ? osRelease : nil, from: previous.report.at, at: observation.at,
                        isLost: isLost,
                        gained: isUpdate && isLost
                            ? Set(claimed.keys.lazy.map { Text($0.kind) }).subtracting(previous.held) : []))
            }
            if !isUpdate { surfaces[surface]?.pairedAt = observation.at }
        }
        remember(Text(version), of: surface)
        surfaces[surface]?.rememberCertain(under: osRelease)
    }

    /// - Parameter version: the app's version at the next report.
    /// - Returns: nil if there is no report, or if it was folded by a program that didn't keep this.
    func reportedKinds(on surface: Surface, beforeReportOf version: String) -> ReportedKinds? {
        // Looked up by index, because looking up the surface itself would copy it.
        guard let place = surfaces.index(forKey: surface), let report = surfaces.values[place].lastReport,
            let certain = surfaces.values[place].certainAtReport
        else { return nil }
        let isUpdate = !report.appVersion.hasBytes(of: version)
        return ReportedKinds(
            report: report, certain: certain, osRelease: surfaces.values[place].osReleaseAtReport,
            held: isUpdate ? Set(surfaces.values[place].holdings.keys.lazy.map { Text($0.kind) }) : [])
    }

    private mutating func remember(_ version: Text, of surface: Surface) {
        guard let known = reportedVersions.index(forKey: surface) else { return reportedVersions[surface] = [version] }
        // Nearly all reports have the version of the last one.
        guard !reportedVersions.values[known].contains(version),
            reportedVersions.values[known].count <= DeviceState.mostVersions
        else { return }
        reportedVersions.values[known].insert(version)
    }

    private func isEvidence(_ observation: Observation, after previous: ReportReference) -> Bool {
        let version = observation.circumstances.appVersion
        guard !previous.appVersion.hasBytes(of: version) else {
            let pairedAt = surfaces[observation.surface]?.pairedAt
            return pairedAt.map { observation.at - $0 >= DeviceState.pairingInterval } ?? true
        }
        let known = reportedVersions[observation.surface] ?? []
        return !known.contains(Text(version)) && known.count <= DeviceState.mostVersions
    }
}

extension DeviceState.SurfaceState {
    fileprivate mutating func rememberCertain(under osRelease: Text?) {
        certainAtReport.replace(with: holdings.compactMap { $0.value.certain > 0 ? Text($0.key.kind) : nil })
        osReleaseAtReport = osRelease
    }
}

/// The parts of a surface's newest report that the next one is compared with.
struct ReportedKinds {
    let report: ReportReference
    let certain: Set<Text>
    let osRelease: Text?
    /// The kinds that were possibly held; empty unless the next report follows an update.
    let held: Set<Text>
}
