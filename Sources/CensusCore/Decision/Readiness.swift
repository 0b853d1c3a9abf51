/// May a legacy kind be dropped? The verdict, with each condition, its figure and its limit: docs/why/decision.md.
public struct Readiness: Hashable, Sendable {
    public enum Verdict: String, Hashable, Sendable, Decodable, CaseIterable {
        case ready
        case notReady = "not ready"
        /// The evidence is missing, so neither can be said.
        case unknown
        case retired
    }

    /// One condition of the verdict.
    public struct Condition: Hashable, Sendable, Encodable {
        public enum Name: String, Hashable, Sendable, CaseIterable, Encodable {
            case counted, fresh, coverage, lists, holders, days, replacement, age, loss
        }

        public var name: Name
        public var isMet: Bool
        /// What is the case, with its figure.
        public var figure: String
        /// What must be the case.
        public var limit: String

        /// Whether the kind's holders can be judged at all without it.
        var isEvidence: Bool { name == .counted || name == .fresh || name == .coverage || name == .lists }
    }

    /// How much of the active base may hold the kind, in the words by which Chrome judges features it removes.
    public enum Band: String, Hashable, Sendable {
        case large, elevated, small, trivial

        /// Without an active device even one holder is an infinite share, and none is not a number.
        init(holders: Int, active: Int) {
            let share = Double(holders) / Double(active)
            self = share >= 0.001 ? .large : share >= 0.0003 ? .elevated : share >= 0.00001 ? .small : .trivial
        }
    }

    public let verdict: Verdict
    /// In the order in which people ask.
    public let conditions: [Condition]
    public let limit: Int
    public let band: Band
    public let forecast: BaseForecast

    /// The replacing kind must have shipped in this many versions.
    static let replacementVersions = 2
    /// A kind must have been marked for this many days.
    static let markedDays = 90

    public init(_ figures: ReadinessFigures) {
        limit = figures.limits.devices(active: figures.active)
        band = Band(holders: figures.holders, active: figures.active)
        conditions = figures.conditions(limit: limit)
        forecast = BaseForecast(
            figures.days, expiring: figures.expiring, limit: limit, readyDays: figures.limits.days,
            streak: figures.days.reversed().prefix { $0.holders <= figures.limit(on: $0) }.count,
            earliest: figures.markedOn.map { $0 + (Readiness.markedDays - 1) }, hindrance: figures.hindrance)
        if figures.lifecycle == .retired {
            verdict = .retired
        } else if conditions.contains(where: { $0.isEvidence && !$0.isMet }) {
            verdict = .unknown
        } else {
            verdict = conditions.allSatisfy(\.isMet) ? .ready : .notReady
        }
    }

    /// The verdict in a sentence or more: what hinders it, or what it rests on.
    public var reason: String {
        switch verdict {
        case .retired: "A person retired it."
        case .ready: conditions.map { $0.figure + "." }.joined(separator: " ")
        case .notReady, .unknown:
            conditions.filter { !$0.isMet && (verdict == .notReady || $0.isEvidence) }
                .map { "\($0.figure); \($0.limit)." }.joined(separator: " ")
        }
    }
}

/// When a legacy kind may be dropped: an app's settings.
public struct ReadinessLimits: Hashable, Sendable {
    /// At most this many devices may still hold it ...
    public var devices: Int
    /// ... and at most this share of the active ones, 0...1, though three devices always may ...
    public var share: Double
    /// ... on this many days in a row ...
    public var days: Int
    /// ... while at least this share of the active devices reports, 0...1.
    public var coverage: Double

    /// Even an app of a thousand phones must be able to finish.
    static let fewest = 3

    public init(devices: Int = 1_000, share: Double = 0.0003, days: Int = 14, coverage: Double = 0.9) {
        self.devices = devices
        self.share = share
        self.days = days
        self.coverage = coverage
    }

    public func devices(active: Int) -> Int {
        min(devices, max(ReadinessLimits.fewest, devicesOfShare(active)))
    }

    /// The product lies a little below what is meant: 0.0003 of 20,000 are 5.999.
    private func devicesOfShare(_ active: Int) -> Int { Int((share * Double(active) + 1e-6).rounded(.down)) }

    /// How the limit came about.
    func explanation(active: Int) -> String {
        let share = devicesOfShare(active)
        if devices <= max(ReadinessLimits.fewest, share) { return "the app's own limit" }
        return share >= ReadinessLimits.fewest
            ? "\(self.share.asPercentage) of \(active.counted("active device"))"
            : "the minimum, since \(self.share.asPercentage) of \(active.counted("active device", "is", "are")) fewer"
    }
}

/// How much of an app's base is known: what verdicts and preflight rest on.
struct Coverage: Hashable, Sendable {
    var active: Int
    /// How many of the active ones sent a successful report within the window.
    var reporting: Int
    /// Heard of, but waiting to be reconciled or set aside, and so not among the active ones.
    var unknown: Int
    /// Active ones that have sent something which waits to be reconciled: what they hold now is not known.
    var waiting = 0

    var all: Int { active + unknown }

    /// How many of all are known to hold what they reported.
    var known: Int { max(0, reporting - waiting) }

    /// The share of all that is known, 0...1; nil without a device.
    var share: Double? { all > 0 ? Double(known) / Double(all) : nil }

    /// How many they are, in words: some of those that wait may be among the active ones.
    func all(called noun: String) -> String {
        unknown == 0 ? all.counted(noun) : "at most \(all.counted("device"))"
    }

    /// What a sentence ends with when there are unknown ones; empty if there are none.
    var remainder: String {
        let rest = unknown + waiting
        return rest == 0 ? "" : "; \(rest.grouped) \(Coverage.why(rest))"
    }

    /// Why so many devices are not known.
    static func why(_ count: Int) -> String {
        count == 1
            ? "waits to be reconciled, is set aside or had all refused"
            : "wait to be reconciled, are set aside or had all refused"
    }
}

/// What a verdict on one kind of one surface rests on.
public struct ReadinessFigures: Hashable, Sendable {
    public var lifecycle: Lifecycle
    /// Since when the kind is legacy; nil when it is not.
    public var markedOn: Day?
    /// The kind that people are to use instead; nil when none was named.
    public var replacement: String?
    /// In how many versions the replacing kind has shipped.
    public var replacementVersions = 0
    /// As of the last reconciled event.
    public var certain = 0
    public var possible = 0
    public var expected = 0.0
    public var silent = 0
    /// How many of the possible holders hold the replacing kind for certain; nil when none was named.
    public var withReplacement: Int?
    public var active = 0
    public var reporting = 0
    /// Heard of, but not among the active ones: waiting to be reconciled, set aside, or with all that they sent refused.
    public var unknown = 0
    /// Active ones with something that waits to be reconciled: they count as ones that did not report.
    public var waiting = 0
    /// Of the active ones, those that can have the kind's surface; nil: all of them.
    public var able: Able?
    /// Nil for a surface without a list.
    public var lists: Lists?
    /// Devices that wait to be recounted after a migration.
    public var uncounted = 0
    /// The next night recounts everything, because the ledger may be wrong.
    public var isDoubted = false
    /// The last day that has ended in the app's zone.
    public var lastEnded: Day
    /// Closed days that have ended, the last one the newest, without gaps.
    public var days: [BaseDay] = []
    /// How many of the silent holders reach a year on each day.
    public var expiring: [Day: Int] = [:]
    /// Versions to which updates are losing the kind, as an open incident says.
    public var openLosses: [String] = []
    /// How far the share of reporting devices moved during the days that a forecast rests on, relative to itself.
    public var coverageMoved = 0.0
    /// When people last decided something that changes what users see.
    public var lastActOn: Day?
    public var limits: ReadinessLimits

    /// The part of ``active`` and ``reporting`` that a verdict on a surface rests on: no Android has a control.
    public struct Able: Hashable, Sendable {
        public var active: Int
        public var reporting: Int

        public init(active: Int, reporting: Int) {
            self.active = active
            self.reporting = reporting
        }
    }

    /// Of how many devices the list that would name the kind is known.
    public struct Lists: Hashable, Sendable {
        /// Active now, and may have the kind's surface.
        public var able: Int
        /// Of these, sent its list within the window, and are not known to exist twice.
        public var listing: Int

        public init(able: Int, listing: Int) {
            self.able = able
            self.listing = listing
        }
    }

    public init(lifecycle: Lifecycle, lastEnded: Day, limits: ReadinessLimits) {
        self.lifecycle = lifecycle
        self.lastEnded = lastEnded
        self.limits = limits
    }

    /// Devices that would lose the kind if it were dropped now: the upper bound.
    public var holders: Int { possible + silent }

    /// A forecast rests on this many days.
    static let forecastDays = 28

    fileprivate var hindrance: BaseForecast.Shortage? {
        if !openLosses.isEmpty { return .openLoss }
        if coverageMoved > 0.2 { return .coverageMoved }
        if let lastActOn, lastActOn + ReadinessFigures.forecastDays > lastEnded { return .recentAct(on: lastActOn) }
        return nil
    }

    fileprivate func conditions(limit: Int) -> [Readiness.Condition] {
        var conditions = [counted, fresh, coverage, listed, holders(limit: limit), held].compactMap { $0 }
        if let replacement { conditions.append(shipped(replacement)) }
        return conditions + [age, loss]
    }

    /// After a migration that recounts everything, what is not counted yet is not zero.
    private var counted: Readiness.Condition? {
        guard uncounted > 0 || isDoubted else { return nil }
        return .init(
            name: .counted, isMet: false,
            figure: uncounted > 0
                ? "\(uncounted.counted("device")) not counted yet" : "The numbers are to be counted again",
            limit: "the next night does it")
    }

    private var fresh: Readiness.Condition {
        guard let last = days.last else {
            return .init(
                name: .fresh, isMet: false, figure: "No day is closed yet",
                limit: "the first night after a day has ended closes it: `widget-census nightly`")
        }
        return .init(
            name: .fresh, isMet: last.day >= lastEnded, figure: "The last closed day is \(last.day)",
            limit: "\(lastEnded) must be: run `widget-census nightly`")
    }

    private var coverage: Readiness.Condition {
        // Where no device could have it, all count: what is known of systems may be out of date.
        let all = Able(active: active, reporting: reporting)
        let able = able.map { $0.active > 0 ? $0 : all } ?? all
        let coverage = Coverage(active: able.active, reporting: able.reporting, unknown: unknown, waiting: waiting)
        let limit = "\(limits.coverage.asPercentage) must report"
        guard let share = coverage.share else {
            return .init(
                name: .coverage, isMet: false, figure: "No device was active when the last closed day ended",
                limit: limit)
        }
        let (isMet, percentage) = compared(share)
        let left = active - able.active
        return .init(
            name: .coverage, isMet: isMet,
            figure:
                "\(coverage.known.grouped) of \(coverage.all(called: "active device")) (\(percentage)) reported within the window"
                + (left > 0 ? "; \(left.grouped) more can't have it" : "") + coverage.remainder,
            limit: limit)
    }

    /// A list of another surface says nothing about this one, and one of two phones with the same id nothing about the other.
    private var listed: Readiness.Condition? {
        guard let lists else { return nil }
        let coverage = Coverage(active: lists.able, reporting: lists.listing, unknown: unknown, waiting: waiting)
        let (isMet, percentage) = compared(coverage.share ?? 0)
        return .init(
            name: .lists, isMet: isMet,
            figure:
                coverage.all == 0
                ? "No active device can send the list that would name it"
                : "\(coverage.known.grouped) of \(coverage.all(called: "device")) (\(percentage)) sent the list that would name it"
                    + coverage.remainder,
            limit: "\(limits.coverage.asPercentage) must have, within the window")
    }

    private func compared(_ share: Double) -> (isMet: Bool, percentage: String) {
        (share >= limits.coverage, share.asPercentage(beside: limits.coverage))
    }

    private func holders(limit: Int) -> Readiness.Condition {
        .init(
            name: .holders, isMet: holders <= limit,
            figure:
                "\(holders.counted("device")) may still hold it (\(possible.grouped) active, \(silent.grouped) silent)",
            limit: "at most \(limit.grouped) are allowed: \(limits.explanation(active: active))")
    }

    /// How many devices might hold the kind when a day ended.
    fileprivate func limit(on day: BaseDay) -> Int { limits.devices(active: day.active ?? active) }

    private var held: Readiness.Condition {
        let last = days.suffix(limits.days)
        let under = last.count { $0.holders <= limit(on: $0) }
        let each = last.map(limit(on:))
        let newest = limits.devices(active: active)
        let (least, most) = (each.min() ?? newest, each.max() ?? newest)
        let name =
            least == most ? "The limit of \(least.grouped)" : "Each day's limit, \(least.grouped) to \(most.grouped),"
        return .init(
            name: .days, isMet: under >= limits.days,
            figure: limits.days == 1
                ? "\(name) \(under == 1 ? "held" : "did not hold") on the last day"
                : "\(name) held on \(under) of the last \(limits.days.grouped) days",
            limit: limits.days == 1 ? "it must" : "it must hold on all of them")
    }

    private func shipped(_ replacement: String) -> Readiness.Condition {
        .init(
            name: .replacement, isMet: replacementVersions >= Readiness.replacementVersions,
            figure: "\(replacement) has shipped in \(replacementVersions.counted("version"))",
            limit: "it must have shipped in \(Readiness.replacementVersions)")
    }

    private var age: Readiness.Condition {
        let limit = "\(Readiness.markedDays) days must pass first"
        guard let markedOn else {
            return .init(name: .age, isMet: false, figure: "It is not marked legacy", limit: limit)
        }
        let age = Int(lastEnded.daysSince1970 - markedOn.daysSince1970) + 1
        return .init(
            name: .age, isMet: age >= Readiness.markedDays,
            figure: "It was marked legacy on \(markedOn), \(age > 0 ? age.counted("day") + " ago" : "today")",
            limit: limit)
    }

    private var loss: Readiness.Condition {
        .init(
            name: .loss, isMet: openLosses.isEmpty,
            figure: openLosses.isEmpty
                ? "No loss by an update is open" : "Updates to \(openLosses.joined(separator: ", ")) are losing it",
            limit: "acknowledge or close the incident first")
    }
}

/// What was decided about a kind; `retire_ready` is computed from numbers, not decided.
public enum Lifecycle: String, Hashable, Sendable, Decodable, CaseIterable {
    case active, legacy, retired
}
