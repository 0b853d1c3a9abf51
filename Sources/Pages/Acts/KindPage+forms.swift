internal import CensusCore
internal import CensusStore

// The forms with which a person acts.
extension KindPage {
    /// - Parameter token: of the visitor's forms.
    @Blocks func forms(_ token: String) -> [Block] {
        Block.heading("Decide")
        Block.paragraph("Each form first shows what would happen. Nothing changes before you confirm it.", style: .soft)
        for verb in verbs {
            Block.form(
                verb.form(
                    token, to: ConsoleAct.link(.preview, verb, app: app, kind: kind, surface: surface),
                    presets: presets(verb), kinds: otherKinds))
        }
    }

    private var otherKinds: [String] {
        let others = history?.others.map(\.kind).filter { !$0.hasBytes(of: kind) } ?? []
        return Set(others.map { Text($0) }).sorted().map(\.text)
    }

    private var verbs: [ConsoleAct.Verb] {
        switch listed.lifecycle {
        case .active: [.mark, .acknowledgeDrop, .limit]
        case .legacy: [.retire, .reopen, .replace, .acknowledgeDrop, .limit]
        case .retired: [.reopen]
        }
    }

    /// The current limits, so that a person changes some of them.
    private func presets(_ verb: ConsoleAct.Verb) -> [String: String] {
        guard verb == .limit, let limits = (judged ?? supposed)?.figures.limits else { return [:] }
        return limits.entries
    }
}

extension ReadinessLimits {
    /// By the names of their fields, as ``ConsoleAct/limits(_:)`` reads them.
    var entries: [String: String] {
        // Not rounded: the fields change nothing that a person leaves as it is.
        func exact(_ share: Double) -> String {
            Double(share: share.asPercentage) == share ? share.asPercentage : "\(share)"
        }
        return [
            "limit": "\(devices)", "limit_share": exact(share), "ready_days": "\(days)", "coverage": exact(coverage),
        ]
    }
}

extension LossPage {
    /// - Parameter token: of the visitor's forms.
    @Blocks func forms(_ token: String) -> [Block] {
        for verb in verbs {
            Block.form(
                verb.form(
                    token,
                    to: ConsoleAct.link(
                        .preview, verb, app: app, kind: incident.kind, surface: incident.surface,
                        version: incident.toVersion), name: place))
        }
    }

    private var verbs: [ConsoleAct.Verb] {
        switch incident.state {
        case .open: [.acknowledge, .close]
        case .acknowledged: [.close]
        case .watched, .closed: []
        }
    }
}
