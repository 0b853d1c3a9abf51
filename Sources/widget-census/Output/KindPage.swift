internal import CensusCore
internal import CensusStore

/// Whether a kind may be dropped, as a page of plain text that can be pasted into a mail.
struct KindPage {
    var appID: String
    var verdict: KindVerdict
    var holders: [KindHolders]
    var acts: [KindAct]

    private var figures: ReadinessFigures { verdict.figures }
    private var readiness: Readiness { verdict.readiness }

    var text: String {
        let parts = [headline, conditions, base, versions, silence, forecast, decisions].filter { !$0.isEmpty }
        return parts.map { $0.map(\.printable).joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private var headline: [String] {
        let place = verdict.surface == "widget" ? "" : " (\(verdict.surface))"
        let answer =
            switch readiness.verdict {
            case .ready: "READY to be dropped"
            case .notReady: "NOT READY to be dropped"
            case .unknown: "UNKNOWN whether it may be dropped"
            case .retired: "RETIRED"
            }
        return ["\(verdict.kind)\(place) of \(appID): \(answer), as of \(figures.lastEnded)"]
    }

    private var conditions: [String] {
        readiness.conditions.flatMap { condition in
            ["  [\(condition.isMet ? "x" : " ")] \(condition.figure)"]
                + (condition.isMet ? [] : ["      \(condition.limit)"])
        }
    }

    private var base: [String] {
        var lines = [
            "Holders: \(figures.certain.grouped) certain, \(figures.possible.grouped) possible, "
                + "\(Int(figures.expected.rounded()).grouped) expected; \(figures.silent.grouped) more fell silent with it."
        ]
        let share = figures.active > 0 ? Double(figures.holders) / Double(figures.active) : 0
        lines.append(
            "That is \(share.asPercentage) of \(figures.active.counted("active device")): \(readiness.band.rawValue).")
        if let replacement = figures.replacement, let both = figures.withReplacement {
            let share = figures.possible > 0 ? Double(both) / Double(figures.possible) : 0
            lines.append("\(both.grouped) of the active holders (\(share.asPercentage)) have \(replacement) already.")
        }
        return lines
    }

    private var versions: [String] {
        guard !holders.isEmpty else { return [] }
        return ["By version of the app, certain to possible:"] + table { $0.appVersion }
            + ["By OS:"] + table { "\($0.platform) \($0.osVersion)" }
    }

    /// The seven most common, and the others in one line.
    private func table(_ name: (KindHolders) -> String) -> [String] {
        let byName = Dictionary(grouping: holders, by: name).map { name, holders in
            (name, holders.reduce(0) { $0 + $1.certain }, holders.reduce(0) { $0 + $1.possible })
        }
        let sorted = byName.sorted { ($1.2, $0.0) < ($0.2, $1.0) }
        let width = sorted.prefix(7).map { $0.0.count }.max() ?? 0
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

    /// Silent holders by how long they have been silent.
    private var silence: [String] {
        guard !figures.expiring.isEmpty else { return [] }
        let quarters = ["up to 3 months", "3 to 6 months", "6 to 9 months", "9 to 12 months"]
        var counts = [0, 0, 0, 0]
        for (day, devices) in figures.expiring {
            let silentDays = DeviceReading.silentDays - Int(day.daysSince1970 - figures.lastEnded.daysSince1970)
            counts[min(3, max(0, silentDays / 91))] += devices
        }
        return [
            "Silent for " + zip(quarters, counts).map { "\($0): \($1.grouped)" }.joined(separator: ", ")
                + ". After a year they no longer count."
        ]
    }

    private var forecast: [String] {
        var lines: [String] = []
        if let halfLife = readiness.forecast.halfLife {
            let high = halfLife.high.map { "\(Int($0.rounded()))" } ?? "an open end"
            lines.append(
                "Half of the holders leave in \(Int(halfLife.estimate.rounded())) days (80 % interval: "
                    + "\(Int(halfLife.low.rounded())) to \(high)).")
        }
        return lines + [readiness.forecast.sentence]
    }

    private var decisions: [String] {
        ["Decisions:"]
            + acts.map { act in
                let what =
                    switch act.decision.lifecycle {
                    case .active: "reopened it"
                    case .legacy: "marked it legacy"
                    case .retired: "retired it"
                    }
                var line = "  \(act.day.map { "\($0) " } ?? "")\(act.decision.actor) \(what)"
                if let replacement = act.decision.replacedBy { line += ", replaced by \(replacement)" }
                line += ", with \(act.devicesCertain.grouped) to \(act.devicesPossible.counted("device"))"
                if let verdict = act.verdict { line += ", \(verdict.rawValue)" }
                if let reason = act.decision.reason { line += ": \(reason)" }
                return line
            }
    }
}
