internal import CensusCore
package import CensusStore

/// How many devices lost one kind when they updated to one version.
package struct LossPage: Sendable {
    var app: String
    var incident: LossIncident
    var acts: [LossAct] = []
    /// For visitors who may act: the token of their forms.
    var token: String?
    /// Its place among others on a page, for the names of forms.
    var place = ""

    /// A page for each version whose updates are watched for the kind, newest first.
    ///
    /// - Parameter version: only updates to this one; nil: all.
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
                    "The smallest loss these numbers could have shown is \(share: $0) of those who updated."
                },
                """
                These numbers are \(figures.evidence.asEvidence) times as likely if the update takes the kind away as \
                if it doesn't. This ratio is the evidence; an incident opens at \(incident.threshold.asEvidence).
                """)
            if incident.state != .watched { "What to do: \(incident.advice)." }
            if let token {
                forms(token)
            } else if incident.state == .open {
                Block.commands(commands)
            }
            if !acts.isEmpty { Block.heading("History") }
            Block.list(acts.map(\.phrase))
        }
    }

    private var answer: Phrase {
        let day: Phrase = incident.openedOn.map { "\($0)" } ?? "the last night"
        return switch incident.state {
        case .watched: "no incident\(whyNone)"
        case .open: "\(verdict: "open", .bad); the reports of \(day) opened it"
        case .acknowledged: "\(verdict: "acknowledged", .doubtful); the reports of \(day) opened it"
        case .closed: "\(verdict: "closed", .plain); the reports of \(day) opened it"
        }
    }

    /// Nil if there is an incident.
    var whyNoIncident: String? {
        incident.state == .watched ? String(whyNone.trimmingPrefix(/[; ]+/)) : nil
    }

    private var whyNone: String {
        if figures.updates.lost == 0 { return "; nothing was lost" }
        if figures.updates.pairs < LossWatch.fewestUpdates {
            return "; fewer than \(LossWatch.fewestUpdates) devices have updated so far"
        }
        if figures.excused > 0 { return "; without the losses acknowledged beforehand, the evidence is too weak" }
        if figures.updates.lost < LossWatch.fewestLost { return "; fewer than \(LossWatch.fewestLost) devices lost it" }
        guard figures.smallestSeen == nil else { return "; the evidence is too weak" }
        return incident.unheard.isEmpty
            ? "; too few updates can be compared with devices that did not update: even a total loss would not be beyond doubt"
            : "; these updates could not have shown even a total loss"
    }

    /// The ordinary rate, where the losses came from, and which updates are not evidence.
    private var circumstances: [Phrase] {
        var known: [Phrase] = []
        if let ordinary = figures.ordinaryShare {
            known.append(
                "At the rate of devices that did not update, \(share: ordinary) would have lost it in the same time."
            )
        }
        if figures.excused > 0 {
            known.append(
                "\(figures.excused) of the losses were acknowledged beforehand and don't count as evidence.")
        }
        if !incident.fromVersions.isEmpty {
            known.append("The devices that lost it updated from \(incident.fromVersions.joined(separator: ", ")).")
        }
        return known + (incident.remarks + incident.unheard).map { Phrase($0) }
    }

    private var commands: [(use: String, command: ShellCommand)] {
        let loss: ShellCommand = "\(incident.kind) --to \(incident.toVersion) --app \(app)"
        return [
            ("If it is known and goes on", "widget-census losses acknowledge \(loss) --because \"...\""),
            ("If it is over or a false alarm", "widget-census losses close \(loss) --because \"...\""),
        ]
    }
}

extension LossAct {
    fileprivate var phrase: Phrase {
        let verb = state == .open ? "opened" : state.rawValue
        let who = actor == LossAct.night ? "the night" : actor
        return "\(day): \(verb) by \(who)\(reason.map { ", because: \($0)" } ?? "")"
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
