internal import CensusCore
package import CensusStore

/// What updates to one version took away of one kind.
package struct LossPage: Sendable {
    var app: String
    var incident: LossIncident
    var acts: [LossAct] = []

    /// What updates took away of a kind, the newest first.
    ///
    /// - Parameter version: the one that was updated to; nil: all.
    package static func all(
        of kind: String, to version: String?, app: App, in store: Store
    ) async throws(StoreError) -> [LossPage] {
        let incidents = try await store.losses.incidents(of: app, in: LossState.allCases).filter {
            $0.kind.hasBytes(of: kind) && version.map($0.toVersion.hasBytes) ?? true
        }
        let acts = try await store.losses.acts(of: app, on: kind)
        return incidents.map { LossPage(app: app.id, incident: $0, acts: acts.on($0)) }
    }

    private var figures: LossFigures { incident.figures }

    package var page: Page {
        Page(
            "\(name: incident.kind)\(incident.surface.surfaceInBrackets) after updates to \(name: incident.toVersion)",
            of: app, answer: answer
        ) {
            "\(incident.headline.capitalizingFirst)."
            Block.paragraph(circumstances, .plain)
            Block.paragraph(
                figures.smallestSeen.map {
                    "The smallest loss these numbers could have shown: \(share: $0) of those who updated."
                },
                "Evidence: \(figures.evidence.asEvidence); an incident opens at \(incident.threshold.asEvidence).")
            if incident.state != .watched { "What to do: \(incident.advice)." }
            if incident.state == .open { Block.commands(commands) }
            if !acts.isEmpty { Block.heading("Acts") }
            Block.list(acts.map(\.phrase))
        }
    }

    private var answer: Phrase {
        let day: Phrase = incident.openedOn.map { "\($0)" } ?? "the last night"
        return switch incident.state {
        case .watched: "no incident\(whyNone)"
        case .open: "\(verdict: "open", .bad); it opened on the reports of \(day)"
        case .acknowledged: "\(verdict: "acknowledged", .doubtful); it opened on the reports of \(day)"
        case .closed: "\(verdict: "closed", .plain); it opened on the reports of \(day)"
        }
    }

    /// Nil when there is an incident.
    var whyNoIncident: String? {
        incident.state == .watched ? String(whyNone.trimmingPrefix(/[; ]+/)) : nil
    }

    private var whyNone: String {
        if figures.updates.lost == 0 { return "; nothing was lost" }
        if figures.updates.pairs < LossWatch.fewestUpdates {
            return " yet; it takes \(LossWatch.fewestUpdates) devices that update"
        }
        if figures.excused > 0 { return "; the evidence is not enough without what was accepted beforehand" }
        if figures.updates.lost < LossWatch.fewestLost { return "; it takes \(LossWatch.fewestLost) that lose it" }
        guard figures.smallestSeen == nil else { return "; the evidence is not enough" }
        return incident.unheard.isEmpty
            ? "; so few devices updated beside others that did not that even the loss of all would not be enough"
            : "; these updates could not show even the loss of all"
    }

    /// What is known of those that lost it, and of those that say nothing.
    private var circumstances: [Phrase] {
        var known: [Phrase] = []
        if let ordinary = figures.ordinaryShare {
            known.append(
                "At the rate of those that did not update, \(share: ordinary) of them would have lost it in the same time."
            )
        }
        if figures.excused > 0 {
            known.append(
                "\(figures.excused) of the lost ones were accepted beforehand and are not counted as evidence.")
        }
        if !incident.fromVersions.isEmpty {
            known.append("Those that lost it came from \(incident.fromVersions.joined(separator: ", ")).")
        }
        return known + (incident.remarks + incident.unheard).map { Phrase($0) }
    }

    private var commands: [(use: String, command: ShellCommand)] {
        let loss: ShellCommand = "\(incident.kind) --to \(incident.toVersion) --app \(app)"
        return [
            ("Known, and to be followed", "widget-census losses acknowledge \(loss)"),
            ("Over, or a false alarm", "widget-census losses close \(loss) --because \"...\""),
        ]
    }
}

extension LossAct {
    fileprivate var phrase: Phrase {
        "\(day) \(actor == LossAct.night ? "the night" : actor): \(state.rawValue)\(reason.map { ", because: \($0)" } ?? "")"
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
