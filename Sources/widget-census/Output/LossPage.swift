internal import CensusCore
internal import CensusStore

/// What an update took away.
struct LossPage: TextPage {
    var appID: String
    var incident: LossIncident
    var acts: [LossAct]

    private var figures: LossFigures { incident.figures }

    var paragraphs: [[String]] { [headline, lost, decisions] }

    private var headline: [String] {
        let state =
            switch incident.state {
            case .watched: "No incident: the evidence is not enough, or the loss was accepted beforehand."
            case .open, .acknowledged, .closed:
                "\(incident.state.rawValue.uppercased()); it opened on the reports of "
                    + "\(incident.openedOn.map { "\($0)" } ?? "the last night")."
            }
        return ["\(appID): \(incident.headline).", state]
    }

    private var lost: [String] {
        var lines = [
            "Lost so far: \(figures.updates.lost.grouped) of \(figures.updates.pairs.counted("device")) that updated."
        ]
        if let ordinary = figures.ordinaryShare {
            lines.append("Without the update \(ordinary.asPercentage) of them would have removed it in the same time.")
        }
        if figures.excused > 0 {
            lines.append(
                "\(figures.excused.grouped) of the lost ones were accepted beforehand and are not counted as evidence.")
        }
        if !incident.fromVersions.isEmpty {
            lines.append("They came from \(incident.fromVersions.joined(separator: ", ")).")
        }
        lines.append("Still at risk: \(incident.devicesAtRisk.counted("device")) that hold it on an older version.")
        if let smallest = figures.smallestSeen {
            lines.append(
                "The smallest loss these numbers could have shown: \(smallest.asPercentage) of those who updated.")
        }
        lines.append(
            "Evidence: \(figures.evidence.asEvidence); an incident opens at \(incident.threshold.asEvidence).")
        if incident.state == .open { lines.append("What to do: \(incident.advice).") }
        return lines
    }

    private var decisions: [String] {
        acts.isEmpty
            ? []
            : ["Acts:"]
                + acts.map { act in
                    "  \(act.day) \(act.actor): \(act.state.rawValue)\(act.reason.map { ", \($0)" } ?? "")"
                }
    }

    static func table(_ incidents: [LossIncident]) -> ReportTable {
        ReportTable(
            incidents,
            [
                .text("opened_on") { $0.openedOn?.description }, .text("state", \.state.rawValue),
                .text("surface", \.surface), .text("kind", \.kind), .text("to_version", \.toVersion),
                .number("upgraders", \.figures.updates.pairs), .number("lost", \.figures.updates.lost),
                .number("devices_at_risk", \.devicesAtRisk),
            ])
    }
}

extension LossIncident {
    /// In a sentence, without its full stop.
    var headline: String {
        let place = surface == "widget" ? "" : " (\(surface))"
        let updates = figures.updates
        return "of \(updates.pairs.counted("device")) that held \(kind)\(place) and updated to \(toVersion), "
            + "\(updates.lost.grouped) (\(updates.lostShare.asPercentage)) lost it; "
            + "\(devicesAtRisk.grouped) more are at risk"
    }
}

extension Double {
    /// As a whole number, or as a power of ten past a million.
    fileprivate var asEvidence: String {
        guard self >= 1e6 else { return Int(rounded()).grouped }
        var (power, rest) = (0, self)
        while rest >= 10 { (power, rest) = (power + 1, rest / 10) }
        return "10^\(power)"
    }
}
