/// How many devices lose a widget, and how many widgets they lose.
public struct PreflightLoss: Hashable, Sendable {
    /// Active devices that are certain to lose one.
    public var devicesCertain = 0
    /// Devices that may lose one: the upper bound, silent ones included.
    public var devicesPossible = 0
    /// The part of the upper bound that is past the activity window, but was heard from within a year.
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

/// Devices that are hit by the same changes, or widgets that one change takes.
public struct PreflightCount: Hashable, Sendable, Decodable {
    /// Positions of the changes that may take something from these devices; only one change when widgets are counted.
    public var changes: [Int]
    /// The ones among these that are certain to.
    public var certainChanges: [Int]
    /// The ones among these of which one is certain to, whichever it is.
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
    /// Heard of, but waiting to be reconciled or set aside, and so not among the active ones.
    public var devicesUnknown: Int
    /// Active, with something that waits to be reconciled: they count as ones that did not report.
    public var devicesWaiting: Int
    /// Past the window, heard from within a year.
    public var devicesSilent: Int
    /// The versions of active devices, the oldest first.
    public var versions: [String]
    /// Time of the last reconciled event.
    public var asOf: Timestamp?

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

    /// The share of active and unknown devices that report, 0...1; nil without an active device.
    public var coverage: Double? { devicesActive > 0 ? known.share : nil }

    fileprivate var known: Coverage {
        Coverage(
            active: devicesActive, reporting: devicesReporting, unknown: devicesUnknown, waiting: devicesWaiting)
    }
}

/// What a release may lose: where both are given, the stricter counts; where none is, nothing.
public struct PreflightAllowance: Hashable, Sendable {
    public var devices: Int?
    /// 0...1, of the active devices.
    public var share: Double?

    public init(devices: Int? = nil, share: Double? = nil) {
        self.devices = devices
        self.share = share
    }

    public func limit(ofActive active: Int) -> Int {
        let limits = [devices, share.map { Int((Double(active) * $0).rounded(.down)) }].compactMap { $0 }
        return limits.min() ?? 0
    }
}

/// A person's word that a loss may happen, up to a number and a day.
public struct PreflightAcknowledgement: Hashable, Sendable, Decodable {
    public var fingerprint: String
    public var maximumLoss: Int
    /// The last day on which it holds, in UTC.
    public var until: Day
    public var by: String
    public var reason: String
    public var at: Timestamp

    public init(fingerprint: String, maximumLoss: Int, until: Day, by: String, reason: String, at: Timestamp) {
        self.fingerprint = fingerprint
        self.maximumLoss = maximumLoss
        self.until = until
        self.by = by
        self.reason = reason
        self.at = at
    }
}

/// A change with what it costs.
public struct PreflightFinding: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable {
        /// Devices may lose widgets, more than is allowed.
        case fail
        /// Nobody knows whether devices lose widgets.
        case unknown
        /// Devices lose widgets, no more than is allowed.
        case allowed
        /// Devices lose widgets, and a person said that they may.
        case acknowledged
        /// No loss, but a risk.
        case warn
        /// A change that hits nobody.
        case none
    }

    public enum Consent: Hashable, Sendable {
        case none
        case holds(PreflightAcknowledgement)
        case expired(PreflightAcknowledgement)
        /// More may be lost now than was acknowledged.
        case exceeded(PreflightAcknowledgement)
    }

    public var change: PreflightChange
    /// Twelve hexadecimal digits that stay the same for as long as the change is the same.
    public var fingerprint: String
    public var severity: Severity
    public var consent: Consent
    public var loss: PreflightLoss
    /// By the version on the devices, the oldest first.
    public var byVersion: [(version: Text, loss: PreflightLoss)] {
        versions.map { ($0.version, $0.loss) }
    }

    var versions: [VersionLoss]

    struct VersionLoss: Hashable, Sendable {
        var version: Text
        var loss: PreflightLoss
    }
}

/// The answer to "may this version be released?": the exit status and every format are made of it.
public struct PreflightVerdict: Hashable, Sendable {
    public enum Outcome: String, Hashable, Sendable {
        case pass
        /// More devices may lose a widget than is allowed.
        case fail
        /// The question could not be decided.
        case unknown
        /// There is no question: the manifest is none, or the command or a setting is wrong.
        case invalid
    }

    /// Empty where the manifest is none.
    public var appID: String
    public var appVersion: String
    public var outcome: Outcome
    /// Why it could not be decided, or what is invalid; a `fail` may have doubts, too.
    public var doubts: [String]
    /// What is wrong with the manifest.
    public var problems: [ManifestProblem] = []
    /// The caller lets a release pass when nothing could be decided.
    public var allowsUnknown: Bool
    /// Nil when nothing could be compared.
    public var base: PreflightBase?
    public var findings: [PreflightFinding]
    /// Over all findings, each device once.
    public var total: PreflightLoss
    /// Without what was acknowledged: this is what the limit is for.
    public var unacknowledged: PreflightLoss
    /// Devices that may lose a widget.
    public var limit: Int
    /// The coverage that a decision takes, 0...1.
    public var minimumCoverage = 0.0

    /// Whether a pipeline goes on.
    public var isPassed: Bool { outcome == .pass || outcome == .unknown && allowsUnknown }

    /// 0 passed, 1 too many may lose a widget, 2 nothing to decide, 3 not decided.
    public var exitStatus: Int32 {
        switch outcome {
        case _ where isPassed: 0
        case .fail: 1
        case .invalid: 2
        case .pass, .unknown: 3
        }
    }

    /// - Parameters:
    ///   - counts: of the devices that the preflight's exposures hit.
    ///   - minimumCoverage: 0...1; with less, nothing but a visible loss can be decided.
    ///   - acknowledgements: the last one of a fingerprint counts.
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
                    "\(base.known.known.grouped) of \(base.known.all(called: "active device")) reported within the window: "
                        + "\(coverage.asPercentage(beside: minimumCoverage)), and \(minimumCoverage.asPercentage) must"
                        + base.known.remainder)
            }
        } else {
            doubts.append(
                "no active device of \(manifest.appID): nothing is known"
                    + (base.devicesUnknown == 0
                        ? "" : "; \(base.devicesUnknown.counted("device")) \(Coverage.why(base.devicesUnknown))"))
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

    /// There is nothing to compare.
    public init(invalid manifest: Manifest?, because doubt: String, allowsUnknown: Bool) {
        self.init(.invalid, manifest, because: [doubt], allowsUnknown: allowsUnknown)
    }

    /// What was given is no manifest.
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

extension PreflightLoss {
    /// What some changes take, each device counted once.
    fileprivate init(_ counts: [PreflightCount], of changes: Set<Int>) {
        self.init()
        for count in counts where !changes.isDisjoint(with: count.changes) {
            let isOneOfThese = !count.alternatives.isEmpty && changes.isSuperset(of: count.alternatives)
            add(count, isCertain: isOneOfThese || !changes.isDisjoint(with: count.certainChanges))
        }
    }
}

extension PreflightRule {
    /// Whether what it finds takes widgets away.
    public var isLossy: Bool {
        switch self {
        case .familyUnknown, .intentAdded, .intentUnknown, .unprefixedIntent: false
        case .kindDropped, .kindRenamed, .providerMoved, .allFamiliesDropped, .familyDropped, .intentChanged,
            .intentDropped:
            true
        }
    }
}

extension PreflightFinding {
    fileprivate var isAcknowledged: Bool {
        if case .holds = consent { true } else { false }
    }

    fileprivate mutating func decide(isTooMuch: Bool) {
        if change.rule == .unprefixedIntent {
            severity = .warn
        } else if loss.devicesPossible == 0 {
            severity = .none
        } else if change.rule == .intentAdded {
            severity = .warn
        } else if isAcknowledged {
            severity = .acknowledged
        } else if change.rule == .familyUnknown || change.rule == .intentUnknown {
            severity = .unknown
        } else {
            severity = isTooMuch ? .fail : .allowed
        }
    }
}

extension PreflightFinding.Consent {
    fileprivate init(_ acknowledgement: PreflightAcknowledgement?, _ loss: PreflightLoss, _ today: Day) {
        guard let acknowledgement else {
            self = .none
            return
        }
        self =
            today > acknowledgement.until
            ? .expired(acknowledgement)
            : loss.devicesPossible > acknowledgement.maximumLoss ? .exceeded(acknowledgement) : .holds(acknowledgement)
    }
}
