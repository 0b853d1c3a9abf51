/// How many devices lose a widget, and how many widgets.
public struct PreflightLoss: Hashable, Sendable {
    /// Active devices that certainly lose one: the lower bound.
    public var devicesCertain = 0
    /// Active and silent devices that might lose one: the upper bound.
    public var devicesPossible = 0
    /// The silent devices in the upper bound: past the activity window, for less than a year.
    public var devicesSilent = 0
    public var widgetsCertain = 0
    public var widgetsPossible = 0

    public init() {}

    fileprivate mutating func add(_ count: PreflightCount, isCertain: Bool) {
        if isCertain { devicesCertain += count.devices }
        devicesPossible += count.devices
        if count.isSilent { devicesSilent += count.devices }
        widgetsCertain += count.widgetsCertain
        widgetsPossible += count.widgetsPossible
    }
}

/// Devices hit by the same changes, or widgets that one change takes away.
public struct PreflightCount: Hashable, Sendable, Decodable {
    /// Positions of the changes that might take a widget from these devices; one position when widgets are counted.
    public var changes: [Int]
    /// Those of ``changes`` that certainly take one.
    public var certainChanges: [Int]
    /// Those of ``changes`` among which one certainly takes a widget, but it isn't known which.
    public var alternatives: [Int]
    @Bytewise public var appVersion: String
    public var isSilent: Bool
    public var devices: Int
    public var widgetsCertain: Int
    public var widgetsPossible: Int

    public init(
        changes: [Int], certainChanges: [Int] = [], alternatives: [Int] = [], appVersion: String,
        isSilent: Bool = false, devices: Int = 0,
        widgetsCertain: Int = 0, widgetsPossible: Int = 0
    ) {
        self.changes = changes
        self.certainChanges = certainChanges
        self.alternatives = alternatives
        self.appVersion = appVersion
        self.isSilent = isSilent
        self.devices = devices
        self.widgetsCertain = widgetsCertain
        self.widgetsPossible = widgetsPossible
    }
}

/// The devices that a coming version was compared with.
public struct PreflightBase: Hashable, Sendable {
    public var devicesActive: Int
    /// How many of these sent a successful report within the window.
    public var devicesReporting: Int
    /// Devices not among the active ones because they are waiting to be reconciled, set aside, or had every event refused.
    public var devicesUnknown: Int
    /// Active devices with something that is waiting to be reconciled: they count as devices that did not report.
    public var devicesWaiting: Int
    /// Past the window, for less than a year.
    public var devicesSilent: Int
    /// The versions of active devices, oldest first.
    public var versions: [String]
    /// Time of the last reconciled event.
    public var asOf: Timestamp?
    /// The active devices that can have a surface, for each surface from which a change might take something away.
    public var lists: [Surface: ReadinessFigures.Lists] = [:]

    public init(
        devicesActive: Int, devicesReporting: Int, devicesUnknown: Int = 0, devicesWaiting: Int = 0,
        devicesSilent: Int = 0, versions: [String] = [], asOf: Timestamp? = nil
    ) {
        self.devicesActive = devicesActive
        self.devicesReporting = devicesReporting
        self.devicesUnknown = devicesUnknown
        self.devicesWaiting = devicesWaiting
        self.devicesSilent = devicesSilent
        self.versions = versions
        self.asOf = asOf
    }

    /// The share of active and unknown devices that report, 0...1; nil without active devices.
    public var coverage: Double? { devicesActive > 0 ? known.share : nil }

    fileprivate var known: Coverage {
        Coverage(
            active: devicesActive, reporting: devicesReporting, unknown: devicesUnknown, waiting: devicesWaiting)
    }

    /// The devices whose list of a surface is known; nil if none can have it, or if no change concerns it.
    fileprivate func listed(_ surface: Surface) -> Coverage? {
        guard let lists = lists[surface], lists.able > 0 else { return nil }
        return Coverage(
            active: lists.able, reporting: lists.listing, unknown: devicesUnknown, waiting: devicesWaiting)
    }
}

/// How many devices a release may take widgets from. Of two limits the stricter applies; without one, the limit is 0.
public struct PreflightAllowance: Hashable, Sendable {
    public var devices: Int?
    /// 0...1, of the active devices.
    public var share: Double?

    public init(devices: Int? = nil, share: Double? = nil) {
        self.devices = devices
        self.share = share
    }

    package static let inWords =
        "a number of devices, 0 to 1000000000, a percentage such as 0.1%, or both separated by a comma"

    /// - Returns: nil if the text is not ``inWords``.
    package init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            // Not two numbers: `1,000` probably means one thousand.
            if part.hasSuffix("%"), share == nil, let share = Double(share: String(part)), (0...1).contains(share) {
                self.share = share
            } else if devices == nil, part.allSatisfy(\.isNumber), let number = Int(part), number <= 1_000_000_000 {
                devices = number
            } else {
                return nil
            }
        }
    }

    package init(strictestOf allowances: [PreflightAllowance]) {
        self.init(devices: allowances.compactMap(\.devices).min(), share: allowances.compactMap(\.share).min())
    }

    /// As ``inWords``; nil for the limit of 0.
    package var text: String? {
        let parts = [devices.map { "\($0)" }, share.map { "\($0 * 100)%" }].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ",")
    }

    public func limit(ofActive active: Int) -> Int {
        let limits = [devices, share.map { Int((Double(active) * $0).rounded(.down)) }].compactMap { $0 }
        return limits.min() ?? 0
    }
}

/// The answer to "Can this version be released?" The exit status and every format are derived from it.
public struct PreflightVerdict: Hashable, Sendable {
    public enum Outcome: String, Hashable, Sendable {
        case pass
        /// More devices might lose a widget than allowed.
        case fail
        /// The data is not sufficient for a verdict.
        case unknown
        /// There is nothing to compare: the file is not a manifest, or the command or a setting is wrong.
        case invalid
    }

    /// Empty if the file is not a manifest.
    public var appID: String
    public var appVersion: String
    public var outcome: Outcome
    /// Why there is no verdict, or what is invalid. A `fail` can have doubts, too.
    public var doubts: [String]
    /// Everything that is wrong with the manifest.
    public var problems: [ManifestProblem] = []
    /// Whether the caller lets a release pass without a verdict.
    public var allowsUnknown: Bool
    /// Nil if nothing could be compared.
    public var base: PreflightBase?
    public var findings: [PreflightFinding]
    /// Over all findings; each device counts once.
    public var total: PreflightLoss
    /// The total without acknowledged findings, which the limit applies to.
    public var unacknowledged: PreflightLoss
    /// At most this many devices may lose a widget.
    public var limit: Int
    /// The coverage that a verdict needs, 0...1.
    public var minimumCoverage = 0.0
    /// Surfaces that too few devices list: nobody knows what else is there.
    public var unlisted: [Surface] = []

    /// Whether the pipeline continues.
    public var isPassed: Bool { outcome == .pass || outcome == .unknown && allowsUnknown }

    /// 0: passed. 1: too many devices might lose a widget. 2: nothing to compare. 3: no verdict.
    public var exitStatus: Int32 {
        switch outcome {
        case _ where isPassed: 0
        case .fail: 1
        case .invalid: 2
        case .pass, .unknown: 3
        }
    }

    /// - Parameters:
    ///   - counts: the devices that the preflight's exposures hit.
    ///   - minimumCoverage: 0...1; with less, the outcome is `fail` or unknown, never `pass`.
    ///   - acknowledgements: the last one for a fingerprint applies.
    ///   - digest: SHA-256.
    public init(
        _ preflight: Preflight, of manifest: Manifest, base: PreflightBase, counts: [PreflightCount],
        minimumCoverage: Double, allowance: PreflightAllowance, allowsUnknown: Bool = false,
        acknowledgements: [PreflightAcknowledgement] = [], today: Day, digest: ([UInt8]) -> [UInt8]
    ) {
        self.appID = manifest.appID
        self.appVersion = manifest.appVersion
        self.allowsUnknown = allowsUnknown
        self.base = base
        self.minimumCoverage = minimumCoverage
        self.limit = allowance.limit(ofActive: base.devicesActive)
        let consents = Dictionary(acknowledgements.map { ($0.fingerprint, $0) }) { $0.at < $1.at ? $1 : $0 }
        var findings: [PreflightFinding] = []
        for (position, change) in preflight.changes.enumerated() {
            let mine = counts.filter { $0.changes.contains(position) }
            let fingerprint = digest(change.identity(app: manifest.appID)).prefix(6).hexadecimal
            let loss = PreflightLoss(mine, of: [position])
            findings.append(
                PreflightFinding(
                    change: change, fingerprint: fingerprint, severity: .none,
                    consent: .init(consents[fingerprint], loss, today), loss: loss,
                    versions: PreflightVerdict.byVersion(mine, of: position)))
        }
        let lossy = findings.indices.filter { findings[$0].change.rule.isLossy }
        let open = lossy.filter { !findings[$0].isAcknowledged }
        self.total = PreflightLoss(counts, of: Set(lossy))
        self.unacknowledged = PreflightLoss(counts, of: Set(open))
        let isTooMuch = unacknowledged.devicesPossible > limit
        for position in findings.indices { findings[position].decide(isTooMuch: isTooMuch) }
        self.findings = findings
        var doubts: [String] = []
        if let coverage = base.coverage {
            if coverage < minimumCoverage {
                doubts.append(
                    "\(base.known.known.grouped) of \(base.known.all(called: "active device")) "
                        + "(\(coverage.asPercentage(beside: minimumCoverage))) reported within the window; "
                        + "at least \(minimumCoverage.asPercentage) must" + base.known.remainder)
            }
        } else {
            doubts.append(
                "\(manifest.appID) has no active devices, so nothing is known"
                    + (base.devicesUnknown == 0
                        ? "" : "; \(base.devicesUnknown.counted("device")) \(Coverage.why(base.devicesUnknown))"))
        }
        for surface in preflight.surfacesToKnow {
            guard let listed = base.listed(surface), let share = listed.share, share < minimumCoverage else { continue }
            unlisted.append(surface)
            // Too few reports in all are too few lists of widgets.
            if surface == .widget, !doubts.isEmpty { continue }
            doubts.append(
                "\(listed.known.grouped) of \(listed.all(called: "device")) (\(share.asPercentage(beside: minimumCoverage))) "
                    + "that can have a \(surface.rawValue) sent the list of them within the window; "
                    + "at least \(minimumCoverage.asPercentage) must" + listed.remainder
                    + (preflight.former(on: surface).map { former in
                        "; \(former) might still be there: if it isn't, `widget-census kinds retire` ends this"
                    } ?? ""))
        }
        for finding in findings where finding.severity == .unknown {
            let what = finding.change.rule == .familyUnknown ? "family" : "intent"
            doubts.append(
                "the \(what) of \(finding.change.kind) is unknown on \(finding.loss.devicesPossible.counted("device"))")
        }
        self.doubts = doubts
        self.outcome = isTooMuch ? .fail : doubts.isEmpty ? .pass : .unknown
    }

    /// Nothing could be compared.
    public init(undecided manifest: Manifest, because doubt: String, allowsUnknown: Bool) {
        self.init(.unknown, manifest, because: [doubt], allowsUnknown: allowsUnknown)
    }

    /// The command or a setting is wrong, so there is nothing to compare.
    public init(invalid manifest: Manifest?, because doubt: String, allowsUnknown: Bool) {
        self.init(.invalid, manifest, because: [doubt], allowsUnknown: allowsUnknown)
    }

    /// The file is not a manifest.
    public init(_ problems: [ManifestProblem], allowsUnknown: Bool) {
        self.init(.invalid, nil, because: problems.map(\.description), allowsUnknown: allowsUnknown)
        self.problems = problems
    }

    private init(_ outcome: Outcome, _ manifest: Manifest?, because doubts: [String], allowsUnknown: Bool) {
        self.appID = manifest?.appID ?? ""
        self.appVersion = manifest?.appVersion ?? ""
        self.outcome = outcome
        self.doubts = doubts
        self.allowsUnknown = allowsUnknown
        self.base = nil
        self.findings = []
        self.total = PreflightLoss()
        self.unacknowledged = PreflightLoss()
        self.limit = 0
    }

    private static func byVersion(_ counts: [PreflightCount], of change: Int) -> [PreflightFinding.VersionLoss] {
        let versions = Dictionary(grouping: counts) { Version($0.appVersion) }
        return versions.sorted { $0.key < $1.key }.map { version, counts in
            .init(version: Text(version.text), loss: PreflightLoss(counts, of: [change]))
        }
    }
}

extension PreflightVerdict {
    /// Why a version can't take away what a finding says; nil if no device says so. Devices with versions that have no number say
    /// nothing.
    public func objection(to finding: PreflightFinding, in version: String) -> String? {
        let holders = finding.byVersion.first { $0.version == Text(version) }?.loss.devicesCertain ?? 0
        guard holders == 0 else {
            return
                "\(holders.counted("device")) with \(version) \(holders == 1 ? "has" : "have") it now, so that version does not "
                + "take it away"
        }
        let coming = Version(version)
        guard let oldest = base?.versions.map({ Version($0) }).first(where: \.isNumbered), coming.isNumbered,
            coming < oldest
        else { return nil }
        return "\(version) is older than every version that active devices run; the oldest of these is \(oldest.text)"
    }
}

extension PreflightLoss {
    /// The loss by some of the changes; each device counts once.
    fileprivate init(_ counts: [PreflightCount], of changes: Set<Int>) {
        self.init()
        for count in counts where !changes.isDisjoint(with: count.changes) {
            let isOneOfThese = !count.alternatives.isEmpty && changes.isSuperset(of: count.alternatives)
            add(count, isCertain: isOneOfThese || !changes.isDisjoint(with: count.certainChanges))
        }
    }
}
