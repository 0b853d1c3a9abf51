internal import CensusCore
internal import CensusStore
internal import Pages

/// Plain text that can be pasted into a mail.
protocol TextPage {
    /// Lines; an empty paragraph is left out.
    var paragraphs: [[String]] { get }
    /// What its first line answers, and how to highlight that; nil: it is not highlighted.
    var verdict: (words: String, colour: Colour)? { get }
}

extension TextPage {
    var text: String {
        paragraphs.filter { !$0.isEmpty }
            .map { $0.map(\.printable).joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// As a screen with this many columns shows it; commands stay whole, so that they can be copied.
    func text(width: Int?, colours: Bool) -> String {
        guard let width else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard line.count > width, !line.contains("widget-census ") else { return String(line) }
            let indent = String(line.prefix { $0 == " " })
            let hanging = indent + (line.dropFirst(indent.count).hasPrefix("[") ? "    " : "")
            return indent + String(line).wrapped(to: width - indent.count, indent: hanging)
        }
        let page = lines.joined(separator: "\n")
        guard colours, let verdict else { return page }
        return page.replacing(verdict.words, with: verdict.colour.paint(verdict.words), maxReplacements: 1)
    }
}

/// Who holds a kind, what was decided about it, and whether it may be dropped.
struct KindPage: TextPage {
    var appID: String
    var kind: String
    var surface: String
    /// Who holds it.
    var now: ListedKind
    /// Open or acknowledged.
    var incidents: [LossIncident]
    /// Nil while the kind is active.
    var judged: KindVerdict?
    var holders: [KindHolders]
    var acts: [KindAct]
    /// The app's acts, which affect all of its kinds.
    var settings: [SettingAct]
    /// Losses of the kind that people accepted before a release.
    var acknowledged: [AcknowledgementRecord] = []

    var paragraphs: [[String]] {
        guard let judged else { return [headline, held, losses, versions, decisions, acknowledgements] }
        let page = JudgedKind(figures: judged.figures, readiness: judged.readiness)
        return [
            headline, page.conditions, page.base, losses, versions, page.silence, page.forecast, decisions,
            acknowledgements, next,
        ]
    }

    var verdict: (words: String, colour: Colour)? {
        switch judged?.readiness.verdict {
        case .ready: ("READY", .green)
        case .notReady: ("NOT READY", .red)
        case .unknown: ("UNKNOWN", .yellow)
        case .retired, nil: nil
        }
    }

    private var acknowledgements: [String] {
        guard !acknowledged.isEmpty else { return [] }
        return ["Losses accepted before a release (`preflight acks`):"]
            + acknowledged.map { record in
                let given = record.acknowledgement
                let end = "\(given.until)" + (given.until < ReportingZone.utc.day(of: .now) ? " (it has run out)" : "")
                let release = record.change.map { "\($0.rule) in \($0.appVersion)" } ?? given.fingerprint
                let accepted =
                    given.maximumLoss == 0
                    ? "taken back" : "up to \(given.maximumLoss.counted("device")) until \(end)"
                return "  \(ReportingZone.utc.day(of: given.at)) \(given.by): \(release), \(accepted), because: "
                    + "\(given.reason)"
            }
    }

    private var next: [String] {
        guard judged?.readiness.verdict != .retired else { return [] }
        return ["Before a release drops it: widget-census preflight --manifest FILE"]
    }

    private var held: [String] {
        ["Holders now: \(now.devicesCertain.grouped) certain, \(now.devicesPossible.grouped) possible."]
    }

    private var losses: [String] {
        incidents.map { "Loss by an update, \($0.state.rawValue): \($0.headline)." }
    }

    private var headline: [String] {
        let answer =
            switch judged?.readiness.verdict {
            case .ready: "READY to be dropped"
            case .notReady: "NOT READY to be dropped"
            case .unknown: "UNKNOWN whether it may be dropped"
            case .retired: "RETIRED"
            case nil: "ACTIVE: it is not marked legacy, so it has no verdict"
            }
        let day = judged.map { ", as of \($0.figures.lastEnded)" } ?? ""
        let place = surface.surfaceInBrackets
        return ["\(kind)\(place) of \(appID): \(answer)\(day)"]
    }

    private var versions: [String] {
        guard let day = holders.first?.day else { return [] }
        return ["Holders at the end of \(day) by version of the app, certain to possible:"]
            + table { $0.appVersion }
            + ["By OS:"] + table { "\($0.platform) \($0.osVersion)" }
    }

    /// The seven most common, and the others in one line.
    private func table(_ name: (KindHolders) -> String) -> [String] {
        let sorted = holders.summed(by: name)
        let width = sorted.prefix(7).map { $0.name.count }.max() ?? 0
        var lines = sorted.prefix(7).map { name, certain, possible in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(certain.grouped) to \(possible.grouped)"
        }
        let others = sorted.dropFirst(7)
        if !others.isEmpty {
            let (certain, possible) = others.reduce((0, 0)) { ($0.0 + $1.1, $0.1 + $1.2) }
            lines.append("  and \(others.count) more: \(certain.grouped) to \(possible.grouped)")
        }
        return lines
    }

    private var decisions: [String] {
        guard let first = acts.first?.day else { return [] }
        let decided = acts.map { (day: $0.day ?? first, line: line($0)) }
        let changed = settings.compactMap { act in
            act.day.flatMap { day in day < first ? nil : (day: day, line: line(act)) }
        }
        // Sorting keeps the order within a day.
        return ["Decisions:"] + (decided + changed).sorted { $0.day < $1.day }.map { "  \($0.day) \($0.line)" }
    }

    private func line(_ act: KindAct) -> String {
        let what =
            switch act.decision.lifecycle {
            case .active: "reopened it"
            case .legacy: "marked it legacy"
            case .retired: "retired it"
            }
        var line = "\(act.decision.actor) \(what)"
        if let replacement = act.decision.replacedBy { line += ", replaced by \(replacement)" }
        let holders = act.devicesCertain == act.devicesPossible ? "" : "\(act.devicesCertain.grouped) to "
        line += " (\(holders)\(act.devicesPossible.counted("device"))"
        if let verdict = act.verdict { line += "; the verdict was \(verdict.rawValue)" }
        line += ")"
        if let reason = act.decision.reason { line += ", because: \(reason)" }
        return line
    }

    private func line(_ act: SettingAct) -> String {
        var line = "\(act.actor) changed the app's \(act.changes.map(\.text).joined(separator: ", "))"
        let verdict = act.verdicts.first { $0.surface == surface && $0.kind.hasBytes(of: kind) }
        if let verdict, verdict.before != verdict.after {
            line += "; the verdict went from \(verdict.before) to \(verdict.after)"
        }
        if let reason = act.reason { line += ", because: \(reason)" }
        return line
    }
}

/// What the numbers say about a kind that is legacy or retired.
private struct JudgedKind {
    var figures: ReadinessFigures
    var readiness: Readiness

    var conditions: [String] {
        readiness.conditions.flatMap { condition in
            ["  [\(condition.isMet ? "x" : " ")] \(condition.figure)"]
                // For the others the limit says what to do.
                + (condition.isMet && !condition.isMeasured ? [] : ["      \(condition.limit)"])
        }
    }

    var base: [String] {
        var lines = [
            "Holders now: \(figures.certain.grouped) certain, \(figures.possible.grouped) possible, "
                + "\(Int(figures.expected.rounded()).grouped) expected; \(figures.silent.grouped) more fell silent with it."
        ]
        if figures.active > 0 {
            let share = Double(figures.holders) / Double(figures.active)
            lines.append(
                "\(figures.holders.grouped) is \(share.asPercentage) of the \(figures.active.counted("active device")) at the "
                    + "end of \(figures.days.last?.day ?? figures.lastEnded), which is \(readiness.band.rawValue): \(readiness.band.range)."
            )
        }
        if let replacement = figures.replacement, let both = figures.withReplacement {
            let share = figures.possible > 0 ? Double(both) / Double(figures.possible) : 0
            lines.append(
                "\(both.grouped) of the active holders (\(share.asPercentage)) \(both == 1 ? "has" : "have") \(replacement) "
                    + "already.")
        }
        return lines
    }

    /// Silent holders by how long they have been silent.
    var silence: [String] {
        guard !figures.expiring.isEmpty else { return [] }
        let quarters = ["up to 3 months", "3 to 6 months", "6 to 9 months", "9 to 12 months"]
        var counts = [0, 0, 0, 0]
        for (day, devices) in figures.expiring {
            let silentDays = DeviceReading.silentDays - Int(day.daysSince1970 - figures.lastEnded.daysSince1970)
            counts[min(3, max(0, silentDays / 91))] += devices
        }
        return [
            "Silent holders by how long they have been silent: "
                + zip(quarters, counts).filter { $1 > 0 }.map { "\($0) \($1.grouped)" }.joined(separator: ", ")
                + ". Each counts for a year."
        ]
    }

    var forecast: [String] {
        // Nothing is left to forecast.
        guard readiness.verdict == .notReady || readiness.verdict == .unknown else { return [] }
        var lines: [String] = []
        if let halfLife = readiness.forecast.halfLife {
            let high = halfLife.high.map { "\(Int($0.rounded()))" } ?? "an open end"
            lines.append(
                "Half of the active holders leave or fall silent in \(Int(halfLife.estimate.rounded())) days (80 % interval: "
                    + "\(Int(halfLife.low.rounded())) to \(high)); those who fall silent count for another year.")
        }
        return lines + [readiness.forecast.sentence]
    }
}

extension Readiness.Band {
    /// The share of the active devices.
    fileprivate var range: String {
        switch self {
        case .large: "0.1 % and more"
        case .elevated: "0.03 to 0.1 %"
        case .small: "0.001 to 0.03 %"
        case .trivial: "less than 0.001 %"
        }
    }
}
