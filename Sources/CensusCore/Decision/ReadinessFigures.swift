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

    var hindrance: BaseForecast.Shortage? {
        if !openLosses.isEmpty { return .openLoss }
        if coverageMoved > 0.2 { return .coverageMoved }
        return nil
    }

    /// A kind is not ready before this day, however few devices have it.
    var earliest: Day { (markedOn ?? lastEnded + 1) + (Readiness.markedDays - 1) }

    /// An active kind's forecast assumes that it is hidden from today on. A recent decision has not shown its effect yet.
    var premise: BaseForecast.Premise {
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

        init(weeks: Int, rates: HazardEstimate?, shown: BaseForecast, hidden: BaseForecast) {
            self.weeks = weeks
            leavingADay = rates?.rate
            installedADay = rates?.arrivals
            self.shown = shown
            self.hidden = hidden
        }
    }

    func forecast(_ premise: BaseForecast.Premise) -> BaseForecast {
        BaseForecast(
            days, expiring: expiring, limit: limits.devices(active: active), readyDays: limits.days,
            streak: streak, earliest: earliest, premise: premise, hindrance: hindrance)
    }

    func conditions(limit: Int) -> [Readiness.Condition] {
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
    func limit(on day: BaseDay) -> Int { limits.devices(active: day.active ?? active) }

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
