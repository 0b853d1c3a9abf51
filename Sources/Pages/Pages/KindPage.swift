internal import CensusCore
package import CensusStore

/// One kind of one surface: how many devices have it, why that changed, what was decided about it, and whether it can be
/// dropped.
package struct KindPage: Sendable {
    var app: String
    /// How many devices have it now, and its lifecycle.
    var listed: ListedKind
    /// Nil while the kind is active.
    package var judged: KindVerdict?
    /// What marking an active kind today would lead to.
    package var supposed: KindVerdict?
    /// Open or acknowledged.
    var incidents: [LossIncident] = []
    var holders: [KindHolders] = []
    /// Oldest first.
    var acts: [KindAct] = []
    /// Changes of the app's settings, which affect all of its kinds.
    var settings: [SettingAct] = []
    /// Losses of the kind that people acknowledged before a release: the last acknowledgement of each finding.
    var accepted: [AcknowledgementRecord] = []
    /// All of them, also those that were replaced.
    var acknowledgements: [AcknowledgementRecord] = []
    /// How incidents of the kind were opened, acknowledged and closed.
    var lossActs: [LossActs.Entry] = []
    /// For browsers.
    var history: KindHistory?
    /// Limits in place of the app's, to see what they would lead to.
    var tried = AppSettings()
    /// For visitors who may act: the token of their forms.
    package var token: String?

    var kind: String { listed.kind }
    var surface: String { listed.place }

    package var page: Page {
        Page("\(name: kind)\(surface.surfaceInBrackets)", of: app, answer: answer) {
            Block.paragraph(held + [policy].compactMap(\.self), .plain)
            for incident in incidents { Block.paragraph(told(incident), style: .alarm) }
            if let history { history.counts(of: self) }
            readiness
            places
            if let history { Block.group(.screen, history.changes(of: self)) }
            if let token { Block.group(.screen, forms(token)) }
            decisions
            if judged?.readiness.verdict != .retired { Block.group(.screen, [.commands(next)]) }
        }
    }

    private var next: [(use: String, command: ShellCommand)] {
        let marking: [(String, ShellCommand)] = judged == nil ? [("To mark it as legacy", self.marking)] : []
        return marking + [
            ("To try a larger limit", tryingLimit),
            ("Before a release drops it", "widget-census preflight --drop \(kind) --app \(app)"),
        ]
    }

    private var tryingLimit: ShellCommand {
        let figures = (judged ?? supposed)?.figures
        let larger = (figures?.limits ?? ReadinessLimits()).larger(
            active: figures?.active ?? 0, holders: figures?.holders ?? 0)
        return ShellCommand("widget-census kinds show \(kind) --app \(app)") + larger
    }

    /// The command that gets an active kind a verdict.
    private var marking: ShellCommand { "widget-census kinds mark \(kind) --legacy --app \(app)" }

    private var answer: Phrase {
        let day: Phrase? = judged.map { ", as of \($0.figures.lastEnded)" }
        return switch judged?.readiness.verdict {
        case .ready: "\(verdict: "ready", .good) to drop\(day)"
        case .notReady: "\(verdict: "not ready", .bad) to drop\(day)"
        case .unknown: "\(verdict: "unknown", .doubtful) whether it can be dropped\(day)"
        case .retired: "\(verdict: "retired", .plain)\(day)"
        case nil: "\(verdict: "active", .plain): \(supposition)"
        }
    }

    /// Whether enough devices lack an active kind for it to be dropped.
    private var supposition: Phrase {
        guard let supposed else { return "it is not marked legacy, so it has no verdict" }
        let (figures, readiness) = (supposed.figures, supposed.readiness)
        guard readiness.verdict != .unknown else {
            return "it is not marked legacy, and whether it could be dropped is unknown"
        }
        let have: Phrase =
            "\(figures.holders, "device") might still have it, and the limit is \(readiness.limit.grouped)"
        return supposed.isWithinLimit
            ? "it can be dropped once it has been marked legacy for \(Readiness.markedDays) days: \(have)"
            : "it can't be dropped: \(have)"
    }

    private var held: [Phrase] {
        guard let verdict = judged ?? supposed, case let (figures, band) = (verdict.figures, verdict.readiness.band)
        else {
            return [
                """
                Devices with it now: at least \(listed.devicesCertain) (certain), at most \
                \(listed.devicesPossible) (possible).
                """
            ]
        }
        var held: [Phrase] = [
            """
            Devices with it now: at least \(figures.certain) (certain), at most \(figures.possible) (possible), best \
            estimate \(figures.expected.devices) (expected); \(figures.silent) more had it when they fell silent.
            """
        ]
        if let share = figures.shareOfActive {
            held.append(
                """
                Possible and silent together are \(figures.holders), or \(share: share) of the \
                \(figures.active, "active device") at the end of \(figures.activeOn): \(band.rawValue) \
                (\(band.range)).
                """)
        }
        if let replacement = figures.replacement, let both = figures.withReplacement {
            let share = figures.possible > 0 ? Double(both) / Double(figures.possible) : 0
            held.append(
                """
                \(both) of the active devices with it (\(share: share)) already \(both == 1 ? "has" : "have") \
                \(name: replacement).
                """)
        }
        return held
    }

    /// The general gallery policy; nil for surfaces without a gallery.
    var galleryAnswer: GalleryAnswer? {
        surface == Surface.widget.rawValue ? GalleryAnswer(listed.lifecycle) : nil
    }

    private var policy: Phrase? {
        guard let answer = galleryAnswer else { return nil }
        return switch answer {
        case .show: "Gallery: shown on all devices."
        case .hideUnlessInstalled: "Gallery: hidden unless installed. Devices that certainly lack it hide it."
        case .hide: "Gallery: hidden from every device that doesn't have it."
        }
    }

    private func told(_ incident: LossIncident) -> Phrase {
        let link = Link(.losses).with("app", app)
        return "\("Loss after an update", to: link) (\(incident.state.rawValue)): \(incident.headline)."
    }

    func query(_ report: String, since: Day? = nil) -> ReportQuery {
        ReportQuery(report: report, app: app, surface: surface, kind: kind, since: since)
    }
}

// Whether it can be dropped.
extension KindPage {
    @Blocks private var readiness: [Block] {
        Block.heading(judged == nil ? "If it were marked legacy today" : "Can it be dropped?")
        if let verdict = judged ?? supposed {
            Block.checks(verdict.readiness.conditions.map(Check.init))
            Block.paragraph(limits(verdict.figures))
            if let history, verdict.readiness.verdict != .retired {
                Block.group(.screen, [.filters(trials(verdict.figures.limits, history.link(to: self)))])
            }
            Block.paragraph(silence(verdict.figures))
            if judged == nil {
                Block.paragraph(
                    """
                    When few enough devices would have it, if it is still offered, and if hiding ended every install. \
                    \(installs(verdict.figures))
                    """)
                Block.table(outlooks(verdict.figures))
                let earliest = earliest(verdict.readiness, verdict.figures.outlooks.map(\.hidden))
                Block.paragraph(doubts(verdict.figures) + [earliest].compactMap(\.self), .plain)
            } else {
                Block.paragraph(forecast(verdict.readiness), .plain)
            }
            if let fan = fan(verdict) { Block.chart(fan) }
        }
        if judged != nil {
            Block.sources(
                Sources(
                    query("retirement"),
                    "verdict, reason, devices_possible, devices_silent, limit_devices, ready_on, ready_on_earliest, ready_on_latest",
                    order: "surface"))
        }
    }

    /// Which setting the limit for devices follows from.
    private func limits(_ figures: ReadinessFigures) -> Phrase? {
        guard judged?.readiness.verdict != .retired else { return nil }
        let isTried: Phrase? = tried == AppSettings() ? nil : "These limits are tried, not stored. "
        return "\(isTried)\(Phrase(withCode: figures.limits.origin(active: figures.active)))"
    }

    /// Tries other limits.
    private func trials(_ limits: ReadinessLimits, _ link: Link) -> Filters {
        let values = limits.entries
        return Filters(
            link: link,
            fields: ConsoleAct.Verb.limit.fields.compactMap { field in
                values[field.name].map {
                    Filters.Field(name: field.name, label: field.label, value: $0, control: .text)
                }
            }, button: "Try these limits")
    }

    private func outlooks(_ figures: ReadinessFigures) -> Table {
        Table(
            "When few enough devices would have it", figures.outlooks,
            [
                .text("going_by") { "the last \($0.weeks * 7) days" },
                .share("lost_a_day", \.leavingADay),
                .text("added_a_day") { $0.installedADay.map(\.fewOrMany) },
                .text("if_still_offered", \.shown.inShort), .text("if_hidden", \.hidden.inShort),
            ])
    }

    /// What hiding can and can't stop.
    private func installs(_ figures: ReadinessFigures) -> Phrase {
        figures.applying == 0
            ? """
            Hiding ends installs only where the app applies the gallery policy, and no active device has applied one yet \
            (docs/guides/ios.md and docs/guides/android.md say how).
            """
            : """
            Hiding ends installs only where the app applies the gallery policy: \(figures.applying) of \
            \(figures.active, "active device") do (\(share: figures.shareApplying)).
            """
    }

    /// Why the table lacks forecasts, as far as it does.
    private func doubts(_ figures: ReadinessFigures) -> [Phrase] {
        figures.outlooks.compactMap { outlook in
            guard case .notEnoughData = outlook.hidden.outcome else { return nil }
            return Phrase("The last \(outlook.weeks * 7) days: \(outlook.hidden.sentence)")
        }
    }

    /// Silent devices by how long they have been silent.
    private func silence(_ figures: ReadinessFigures) -> Phrase? {
        let silent = figures.silentByAge
        guard !silent.isEmpty else { return nil }
        let shares = silent.filter { $0.devices > 0 }.map { silent in
            let age = silent.months.lowerBound == 0 ? "up to" : "\(silent.months.lowerBound) to"
            return "\(silent.devices.grouped) for \(age) \(silent.months.upperBound) months"
        }.joined(separator: ", ")
        return "Silent devices with it: \(shares). Each counts until it has been silent for a year."
    }

    private func forecast(_ readiness: Readiness) -> [Phrase] {
        // Other verdicts leave nothing to forecast.
        guard readiness.verdict == .notReady || readiness.verdict == .unknown else { return [] }
        let half: Phrase? = readiness.forecast.halfLife.map { half in
            """
            Half of the active devices with it lose it or fall silent within \
            \(Int(half.estimate.rounded()), "day") (80% interval: \
            \(half.low.devices) \(half.high.map { "to \($0.devices)" } ?? "or more")); devices that fall silent count for \
            another year.
            """
        }
        return [half, Phrase(readiness.forecast.sentence), earliest(readiness, [readiness.forecast])].compactMap(\.self)
    }

    /// When it can be ready at the earliest; nil if each of the forecasts has its own earliest day.
    private func earliest(_ readiness: Readiness, _ forecasts: [BaseForecast]) -> Phrase? {
        let isKnown = forecasts.allSatisfy { if case .ready = $0.outcome { true } else { false } }
        return isKnown ? nil : readiness.earliest.map { Phrase($0.sentence) }
    }

    private func fan(_ judged: KindVerdict) -> Figure? {
        let (figures, readiness) = (judged.figures, judged.readiness)
        guard readiness.verdict == .notReady || readiness.verdict == .unknown,
            case .ready(let on) = readiness.forecast.outcome, !readiness.forecast.fan.isEmpty
        else { return nil }
        let latest: Phrase = on.high.map { "and at the latest of \($0)" } ?? "with no latest date"
        let days = (readiness.forecast.weeks ?? 4) * 7
        let premise: Phrase =
            self.judged == nil
            ? "If it is hidden from today on, at the rate of \(days, "day")" : "At the rate of \(days, "day")"
        let isCut = readiness.forecast.fan.last.map { $0.day < on.estimate } == true
        let end: Phrase? = isCut ? " (the chart ends a year from now)" : nil
        return Figure(
            finding:
                "\(premise), it will be ready at the end of \(on.estimate), at the earliest of \(on.low), \(latest)\(end)",
            drawing: ForecastChart(
                days: figures.days.suffix(90), fan: readiness.forecast.fan, limit: readiness.limit))
    }
}

/// Devices that fell silent with the kind in the same quarter of a year.
struct SilentHolders: Sendable {
    var months: Range<Int>
    var devices: Int
}

extension ReadinessFigures {
    /// The possible and silent devices as a share of the active ones; nil without active devices.
    var shareOfActive: Double? { active > 0 ? Double(holders) / Double(active) : nil }

    /// The day at whose end the active devices were counted.
    var activeOn: Day { days.last?.day ?? lastEnded }

    /// The silent devices by how long they have been silent; empty without any.
    var silentByAge: [SilentHolders] {
        guard !expiring.isEmpty else { return [] }
        var silent = stride(from: 0, to: 12, by: 3).map { SilentHolders(months: $0..<$0 + 3, devices: 0) }
        for (day, devices) in expiring {
            let silentDays = DeviceReading.silentDays - Int(day.daysSince1970 - lastEnded.daysSince1970)
            silent[min(3, max(0, silentDays / 91))].devices += devices
        }
        return silent
    }
}

extension Double {
    /// A mean count, with a decimal where it is small: 14, 0.3.
    fileprivate var fewOrMany: String {
        guard self > 0, self < 9.95 else { return devices }
        let tenths = Int((self * 10).rounded())
        return tenths == 0 ? "less than 0.1" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension BaseForecast {
    /// In a table's cell.
    fileprivate var inShort: String {
        switch outcome {
        case .ready(let on): "\(on.estimate) (\(on.low) to \(on.high.map { "\($0)" } ?? "no end"))"
        case .never(let level): "never: levels off near \(level.grouped)"
        case .notEnoughData: "no forecast"
        }
    }
}

extension Check {
    fileprivate init(_ condition: Readiness.Condition) {
        self.init(
            isMet: condition.isMet, figure: condition.figure,
            // If the condition has no number, its limit says what to do.
            limit: condition.isMet && !condition.isMeasured ? nil : condition.limit)
    }
}

extension Readiness.Band {
    /// The band's share of the active devices.
    fileprivate var range: String {
        switch self {
        case .large: "0.1% or more"
        case .elevated: "0.03 to 0.1%"
        case .small: "0.001 to 0.03%"
        case .trivial: "less than 0.001%"
        }
    }
}
