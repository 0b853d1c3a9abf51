internal import CensusCore
internal import CensusStore

/// What an update took away, as a page of plain text that can be pasted into a mail.
struct LossPage {
    var appID: String
    var incident: LossIncident
    var acts: [LossAct]

    private var figures: LossFigures { incident.figures }

    var text: String {
        let parts = [headline, lost, decisions].filter { !$0.isEmpty }
        return parts.map { $0.map(\.printable).joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

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
            "Evidence: \(figures.evidence.asEvidence); an incident opens at \((2 / incident.chance).asEvidence).")
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
        let columns: [(String, (LossIncident) -> String, isNumber: Bool)] = [
            ("opened_on", { $0.openedOn.map { "\($0)" } ?? "" }, false), ("state", \.state.rawValue, false),
            ("surface", \.surface, false), ("kind", \.kind, false), ("to_version", \.toVersion, false),
            ("upgraders", { "\($0.figures.updates.pairs)" }, true), ("lost", { "\($0.figures.updates.lost)" }, true),
            ("devices_at_risk", { "\($0.devicesAtRisk)" }, true),
        ]
        return ReportTable(
            columns: columns.map { .init($0.0, isNumber: $0.isNumber) },
            rows: incidents.map { incident in columns.map { $0.1(incident) } })
    }
}

extension LossIncident {
    /// In a sentence, without its full stop.
    var headline: String {
        let place = surface == "widget" ? "" : " (\(surface))"
        let share = figures.updates.pairs > 0 ? Double(figures.updates.lost) / Double(figures.updates.pairs) : 0
        return "of \(figures.updates.pairs.counted("device")) that held \(kind)\(place) and updated to \(toVersion), "
            + "\(figures.updates.lost.grouped) (\(share.asPercentage)) lost it; \(devicesAtRisk.grouped) more are at risk"
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
