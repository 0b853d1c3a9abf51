internal import CensusCore
internal import CensusStore

/// What an update took away.
struct LossPage: TextPage {
    var appID: String
    var incident: LossIncident
    var acts: [LossAct]

    private var figures: LossFigures { incident.figures }

    var paragraphs: [[String]] { [headline, lost, decisions] }

    var verdict: (words: String, colour: Colour)? {
        incident.state == .open ? ("OPEN", .red) : incident.state == .acknowledged ? ("ACKNOWLEDGED", .yellow) : nil
    }

    private var headline: [String] {
        let state =
            switch incident.state {
            case .watched: whyNone
            case .open, .acknowledged, .closed:
                "\(incident.state.rawValue.uppercased()); it opened on the reports of "
                    + "\(incident.openedOn.map { "\($0)" } ?? "the last night")."
            }
        return ["\(appID): \(incident.headline).", state]
    }

    private var whyNone: String {
        if figures.updates.lost == 0 { return "No incident: nothing was lost." }
        if figures.updates.pairs < LossWatch.fewestUpdates {
            return "No incident yet: it takes \(LossWatch.fewestUpdates) devices that update."
        }
        if figures.excused > 0 {
            return "No incident: the evidence is not enough without what was accepted beforehand."
        }
        if figures.updates.lost < LossWatch.fewestLost {
            return "No incident: it takes \(LossWatch.fewestLost) that lose it."
        }
        guard figures.smallestSeen != nil else {
            return incident.unheard.isEmpty
                ? "No incident: so few devices updated beside others that did not that even the loss of all would not be enough."
                : "No incident: these updates could not show even the loss of all."
        }
        return "No incident: the evidence is not enough."
    }

    private var lost: [String] {
        var lines: [String] = []
        if let ordinary = figures.ordinaryShare {
            lines.append(
                "At the rate of those that did not update, \(ordinary.asPercentage) of them would have lost it in the same time."
            )
        }
        if figures.excused > 0 {
            lines.append(
                "\(figures.excused.grouped) of the lost ones were accepted beforehand and are not counted as evidence.")
        }
        if !incident.fromVersions.isEmpty {
            lines.append("Those that lost it came from \(incident.fromVersions.joined(separator: ", ")).")
        }
        lines += incident.remarks + incident.unheard
        if let smallest = figures.smallestSeen {
            lines.append(
                "The smallest loss these numbers could have shown: \(smallest.asPercentage) of those who updated.")
        }
        lines.append(
            "Evidence: \(figures.evidence.asEvidence); an incident opens at \(incident.threshold.asEvidence).")
        if incident.state == .open {
            let loss: ShellCommand = "\(incident.kind) --to \(incident.toVersion) --app \(appID)"
            lines.append("What to do: \(incident.advice).")
            lines.append("Known, and to be followed: \(ShellCommand("widget-census losses acknowledge \(loss)"))")
            let closing: ShellCommand = "widget-census losses close \(loss) --because \"...\""
            lines.append("Over, or a false alarm:    \(closing)")
        }
        return lines
    }

    private var decisions: [String] {
        acts.isEmpty
            ? []
            : ["Acts:"]
                + acts.map { act in
                    let actor = act.actor == LossAct.night ? "the night" : act.actor
                    return "  \(act.day) \(actor): \(act.state.rawValue)\(act.reason.map { ", because: \($0)" } ?? "")"
                }
    }

    static func table(_ incidents: [LossIncident]) -> ReportTable {
        ReportTable(
            incidents,
            [
                .time("opened_on", \.openedOn), .text("state", \.state.rawValue),
                .text("surface", \.surface), .text("kind", \.kind), .text("to_version", \.toVersion),
                .number("upgraders", \.figures.updates.pairs), .number("lost", \.figures.updates.lost),
                .number("devices_at_risk", \.devicesAtRisk),
            ],
            spare: ["surface", "upgraders"])
    }
}

extension Double {
    /// As a whole number, or as a power of ten past a million.
    fileprivate var asEvidence: String {
        guard self >= 10 else { return "\((self * 100).rounded() / 100)" }
        guard self >= 1e6 else { return Int(rounded()).grouped }
        var (power, rest) = (0, self)
        while rest >= 10 { (power, rest) = (power + 1, rest / 10) }
        return "10^\(power)"
    }
}
