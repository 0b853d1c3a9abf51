/// The verdict on whether a legacy kind can be dropped: each condition with its figure and its limit. See docs/why/decision.md.
///
/// An active kind is judged as if it were marked today and hidden from the gallery.
public struct Readiness: Hashable, Sendable {
    public enum Verdict: String, Hashable, Sendable, Decodable, CaseIterable {
        case ready
        case notReady = "not ready"
        /// Evidence is missing, so the kind is neither ready nor not ready.
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
        /// The current state, with its number.
        public var figure: String
        /// What the condition requires.
        public var limit: String

        /// Whether the verdict is unknown without it.
        var isEvidence: Bool { name == .counted || name == .fresh || name == .coverage || name == .lists }
    }

    /// The share of active devices that might hold the kind, in the terms Chrome uses for features it removes.
    public enum Band: String, Hashable, Sendable {
        case large, elevated, small, trivial

        /// Without active devices the share is infinite, or NaN if there are no holders either.
        init(holders: Int, active: Int) {
            let share = Double(holders) / Double(active)
            self = share >= 0.001 ? .large : share >= 0.0003 ? .elevated : share >= 0.00001 ? .small : .trivial
        }
    }

    public let verdict: Verdict
    /// In the order that pages list them.
    public let conditions: [Condition]
    public let limit: Int
    public let band: Band
    public let forecast: BaseForecast
    /// Nil if the kind is retired, or if no day that is yet to come is needed.
    public let earliest: EarliestReadiness?

    /// The replacement kind must have shipped in this many versions.
    public static let replacementVersions = 2
    /// A kind must have been marked for this many days.
    public static let markedDays = 90

    public init(_ figures: ReadinessFigures) {
        limit = figures.limits.devices(active: figures.active)
        band = Band(holders: figures.holders, active: figures.active)
        conditions = figures.conditions(limit: limit)
        forecast = figures.forecast(figures.premise)
        earliest = figures.lifecycle == .retired ? nil : EarliestReadiness(figures)
        if figures.lifecycle == .retired {
            verdict = .retired
        } else if conditions.contains(where: { $0.isEvidence && !$0.isMet }) {
            verdict = .unknown
        } else {
            verdict = conditions.allSatisfy(\.isMet) ? .ready : .notReady
        }
    }

    /// The verdict in one or more sentences: the unmet conditions, or all figures if the kind is ready.
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

/// An app's settings for when a legacy kind is ready to be dropped.
public struct ReadinessLimits: Hashable, Sendable {
    /// At most this many devices still hold it ...
    public var devices: Int
    /// ... and at most this share of the active ones, 0...1, but three devices are always allowed ...
    public var share: Double
    /// ... on this many consecutive days ...
    public var days: Int
    /// ... while at least this share of the active devices reports, 0...1.
    public var coverage: Double

    /// The floor of the limit: even an app with a thousand phones must be able to drop a kind.
    static let fewest = 3

    public init(devices: Int = 1_000, share: Double = 0.0003, days: Int = 14, coverage: Double = 0.9) {
        self.devices = devices
        self.share = share
        self.days = days
        self.coverage = coverage
    }

    /// These limits with those that are given in their place.
    package func with(devices: Int?, share: Double?, days: Int?, coverage: Double?) -> ReadinessLimits {
        ReadinessLimits(
            devices: devices ?? self.devices, share: share ?? self.share, days: days ?? self.days,
            coverage: coverage ?? self.coverage)
    }

    public func devices(active: Int) -> Int {
        min(devices, max(ReadinessLimits.fewest, devicesOfShare(active)))
    }

    /// Binary fractions can fall a little short: 0.0003 * 20,000 is 5.999.
    private func devicesOfShare(_ active: Int) -> Int { Int((share * Double(active) + 1e-6).rounded(.down)) }

    /// Which setting the limit follows from, in one or two sentences.
    public func origin(active: Int) -> String {
        let (ofShare, limit) = (devicesOfShare(active), devices(active: active))
        let share = "\(self.share.asPercentage) of \(active.counted("active device")) (`--limit-share`)"
        let why =
            if devices <= max(ReadinessLimits.fewest, ofShare) {
                " (`--limit`). \(share) would be \(ofShare.grouped)"
            } else if ofShare >= ReadinessLimits.fewest {
                ": \(share), which is less than \(devices.grouped) (`--limit`)"
            } else {
                ", as in every small app: \(share) would be \(ofShare.grouped)"
            }
        let may = limit == 1 ? "1 device may" : "\(limit.grouped) devices may"
        return "At most \(may) still have it\(why). `widget-census apps set` changes these settings."
    }

    /// Options of `kinds show` that allow as many holders as there are, or more than now.
    package func larger(active: Int, holders: Int) -> ShellCommand {
        let needed = max(devices(active: active) + 1, holders)
        let limit: ShellCommand = devices < needed ? " --limit \(needed)" : ""
        guard max(ReadinessLimits.fewest, devicesOfShare(active)) < needed else { return limit }
        let shares = ["0.1%", "0.3%", "1%", "3%", "10%", "30%"].filter { share in
            var larger = self
            larger.share = Double(share: share) ?? 1
            return max(ReadinessLimits.fewest, larger.devicesOfShare(active)) >= needed
        }
        return limit + " --limit-share \(shares.first ?? "100%")"
    }

    /// Where the limit comes from.
    func explanation(active: Int) -> String {
        let share = devicesOfShare(active)
        if devices <= max(ReadinessLimits.fewest, share) { return "a fixed number" }
        return share >= ReadinessLimits.fewest
            ? "\(self.share.asPercentage) of \(active.counted("active device"))"
            : "the floor; \(self.share.asPercentage) of \(active.counted("active device")) would be \(share)"
    }
}

/// The share of an app's devices whose state is known: the evidence for verdicts and preflight.
struct Coverage: Hashable, Sendable {
    var active: Int
    /// How many of the active ones sent a successful report within the window.
    var reporting: Int
    /// Devices not among the active ones because they are waiting to be reconciled, set aside, or had every event refused.
    var unknown: Int
    /// Active devices with something that is waiting to be reconciled, so what they hold now isn't known.
    var waiting = 0

    var all: Int { active + unknown }

    /// How many devices are known to hold what they reported.
    var known: Int { max(0, reporting - waiting) }

    /// The known share of all devices, 0...1; nil without devices.
    var share: Double? { all > 0 ? Double(known) / Double(all) : nil }

    /// How many devices there are, in words: "at most", because some of the waiting ones might be among the active ones.
    func all(called noun: String) -> String {
        unknown == 0 ? all.counted(noun) : "at most \(all.counted("device"))"
    }

    /// The end of a sentence about unknown devices; empty if there are none.
    var remainder: String {
        let rest = unknown + waiting
        return rest == 0 ? "" : "; \(rest.grouped) \(Coverage.why(rest))"
    }

    /// Why this many devices are unknown, with a verb.
    static func why(_ count: Int) -> String {
        count == 1
            ? "is waiting to be reconciled, set aside, or had every event refused"
            : "are waiting to be reconciled, set aside, or had every event refused"
    }
}

/// The figures behind the verdict on one kind of one surface.
public struct ReadinessFigures: Hashable, Sendable {
    public var lifecycle: Lifecycle
    /// The day on which the kind was marked legacy; nil if it isn't.
    public var markedOn: Day?
    /// The kind that replaces it; nil if none was named.
    public var replacement: String?
    /// In how many versions the replacement kind has shipped.
    public var replacementVersions = 0
    /// As of the last reconciled event.
    public var certain = 0
    public var possible = 0
    public var expected = 0.0
    public var silent = 0
    /// How many of the possible holders certainly hold the replacement kind; nil if none was named.
    public var withReplacement: Int?
    public var active = 0
    public var reporting = 0
    /// How many of the active devices apply the gallery policy.
    public var applying = 0
    /// Devices not among the active ones because they are waiting to be reconciled, set aside, or had every event refused.
    public var unknown = 0
    /// Active devices with something that is waiting to be reconciled: they count as devices that did not report.
    public var waiting = 0
    /// The active devices that can have the kind's surface; nil: all of them.
    public var able: Able?
    /// Nil for a surface without a list.
    public var lists: Lists?
    /// Devices that are waiting to be recounted after a migration.
    public var uncounted = 0
    /// The next night recounts everything, because the ledger might be wrong.
    public var isDoubted = false
    /// The last day that has ended in the app's zone.
    public var lastEnded: Day
    /// Closed days that have ended, oldest first, without gaps.
    public var days: [BaseDay] = []
    /// For each day, how many silent holders reach a year of silence.
    public var expiring: [Day: Int] = [:]
    /// Versions whose updates take the kind away, by open incidents.
    public var openLosses: [String] = []
    /// How far the share of reporting devices changed over the days behind a forecast, relative to itself.
    public var coverageMoved = 0.0
    /// When somebody last decided something that changes what users see.
    public var lastActOn: Day?
    public var limits: ReadinessLimits

    /// The part of ``active`` and ``reporting`` that can have a surface: no Android device has a control.
    public struct Able: Hashable, Sendable {
        public var active: Int
        public var reporting: Int

        public init(active: Int, reporting: Int) {
            self.active = active
            self.reporting = reporting
        }
    }

    /// Devices whose list of the kind's surface is known.
    public struct Lists: Hashable, Sendable {
        /// Active now, and can have the kind's surface.
        public var able: Int
        /// The ones of these that sent the list within the window and are not known to exist twice.
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

    /// At most this many devices would lose the kind if it were dropped now.
    public var holders: Int { possible + silent }

    /// A forecast uses this many days.
    static let forecastDays = 28

    fileprivate var hindrance: BaseForecast.Shortage? {
        if !openLosses.isEmpty { return .openLoss }
        if coverageMoved > 0.2 { return .coverageMoved }
        return nil
    }

    /// A kind is not ready before this day, however few devices have it.
    var earliest: Day { (markedOn ?? lastEnded + 1) + (Readiness.markedDays - 1) }

    /// An active kind's forecast assumes that it is hidden from today on. A recent decision has not shown its effect yet.
    fileprivate var premise: BaseForecast.Premise {
        if lifecycle == .active { return .init(installs: 0) }
        guard let lastActOn, lastActOn + ReadinessFigures.forecastDays > lastEnded else { return .init() }
        return .init(installs: 1 - shareApplying, decidedOn: lastActOn)
    }

    /// The share of the active devices that apply the gallery policy, so that hiding a kind ends its installs there, 0...1.
    public var shareApplying: Double { active > 0 ? Double(applying) / Double(active) : 0 }

    /// An active kind's forecasts if it is shown as now and if it is hidden, each from the last 4, 8 and 12 weeks, and from as
    /// many as the forecast of its ``Readiness`` takes.
    public var outlooks: [Outlook] {
        let known = [4, 8, 12].filter { days.count > $0 * 7 } + [HazardEstimate(days[...])?.weeks].compactMap(\.self)
        // Without any, its forecast says why.
        return (known.isEmpty ? [4] : Set(known).sorted()).map { weeks in
            Outlook(
                weeks: weeks, rates: HazardEstimate(days[...], weeks: weeks),
                shown: forecast(.init(weeks: weeks)), hidden: forecast(.init(installs: 0, weeks: weeks)))
        }
    }

    /// Forecasts of an active kind from the same past.
    public struct Outlook: Hashable, Sendable {
        public var weeks: Int
        /// The share of holders that lose it or fall silent in a day, minus those that return; nil if too little is known.
        public var leavingADay: Double?
        /// How many devices get it in a day; nil if too little is known.
        public var installedADay: Double?
        public var shown: BaseForecast
        public var hidden: BaseForecast

        fileprivate init(weeks: Int, rates: HazardEstimate?, shown: BaseForecast, hidden: BaseForecast) {
            self.weeks = weeks
            leavingADay = rates?.rate
            installedADay = rates?.arrivals
            self.shown = shown
            self.hidden = hidden
        }
    }

    fileprivate func forecast(_ premise: BaseForecast.Premise) -> BaseForecast {
        BaseForecast(
            days, expiring: expiring, limit: limits.devices(active: active), readyDays: limits.days,
            streak: streak, earliest: earliest, premise: premise, hindrance: hindrance)
    }

    fileprivate func conditions(limit: Int) -> [Readiness.Condition] {
        var conditions = [counted, fresh, coverage, listed, holders(limit: limit), held].compactMap { $0 }
        if let replacement { conditions.append(shipped(replacement)) }
        return conditions + [age, loss]
    }

    /// After a migration that recounts everything, a device that isn't counted yet is not one without widgets.
    private var counted: Readiness.Condition? {
        guard uncounted > 0 || isDoubted else { return nil }
        return .init(
            name: .counted, isMet: false,
            figure: uncounted > 0
                ? "\(uncounted.counted("device", "has", "have")) not been counted yet"
                : "The numbers must be recounted",
            limit: "the next night does it")
    }

    private var fresh: Readiness.Condition {
        guard let last = days.last else {
            return .init(
                name: .fresh, isMet: false, figure: "No day is closed yet",
                limit: "the first night after a day ends closes it (`widget-census nightly`)")
        }
        return .init(
            name: .fresh, isMet: last.day >= lastEnded, figure: "The last closed day is \(last.day)",
            limit: "it must be \(lastEnded): run `widget-census nightly`")
    }

    private var coverage: Readiness.Condition {
        // If no device could have it, count all of them: the table of OS versions might be out of date.
        let all = Able(active: active, reporting: reporting)
        let able = able.map { $0.active > 0 ? $0 : all } ?? all
        let coverage = Coverage(active: able.active, reporting: able.reporting, unknown: unknown, waiting: waiting)
        let limit = "at least \(limits.coverage.asPercentage) must report"
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

    /// A list of another surface says nothing about this one. If two phones share an id, a list of one says nothing about the
    /// other.
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
            limit: "at least \(limits.coverage.asPercentage) must, within the window")
    }

    private func compared(_ share: Double) -> (isMet: Bool, percentage: String) {
        (share >= limits.coverage, share.asPercentage(beside: limits.coverage))
    }

    private func holders(limit: Int) -> Readiness.Condition {
        .init(
            name: .holders, isMet: holders <= limit,
            figure:
                "At most \(holders.counted("device", "has", "have")) it (\(possible.grouped) active, \(silent.grouped) silent)",
            limit: "limit: \(limit.grouped) (\(limits.explanation(active: active)))")
    }

    /// On how many of the last days, without a gap, few enough devices had it.
    var streak: Int { days.reversed().prefix { $0.holders <= limit(on: $0) }.count }

    /// The limit of a day.
    fileprivate func limit(on day: BaseDay) -> Int { limits.devices(active: day.active ?? active) }

    private var held: Readiness.Condition {
        let last = days.suffix(limits.days)
        let under = last.count { $0.holders <= limit(on: $0) }
        let each = last.map(limit(on:))
        let newest = limits.devices(active: active)
        let (least, most) = (each.min() ?? newest, each.max() ?? newest)
        let name =
            least == most
            ? "the limit of \(least.grouped)" : "each day's limit (\(least.grouped) to \(most.grouped))"
        return .init(
            name: .days, isMet: under >= limits.days,
            figure: limits.days == 1
                ? "\(under == 1 ? "At or under" : "Over") \(name) on the last day"
                : "At or under \(name) on \(under) of the last \(limits.days.grouped) days",
            limit: limits.days == 1 ? "required: at or under it" : "required: all \(limits.days.grouped)")
    }

    private func shipped(_ replacement: String) -> Readiness.Condition {
        .init(
            name: .replacement, isMet: replacementVersions >= Readiness.replacementVersions,
            figure: "\(replacement) has shipped in \(replacementVersions.counted("version"))",
            limit: "required: at least \(Readiness.replacementVersions)")
    }

    private var age: Readiness.Condition {
        let limit = "required: at least \(Readiness.markedDays) days"
        guard let markedOn else {
            return .init(name: .age, isMet: false, figure: "It is not marked legacy yet", limit: limit)
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
                ? "It has no open incident"
                : "Updates to \(openLosses.joined(separator: ", ")) are taking it away",
            limit: "acknowledge or close the incident first")
    }
}

/// What somebody decided about a kind. `retire_ready` is not a decision: it is computed from the numbers.
public enum Lifecycle: String, Hashable, Sendable, Decodable, CaseIterable {
    case active, legacy, retired
}
