internal import CensusCore
package import CensusStore

// Everything that people ever decided about a kind, and its incidents.
extension KindPage {
    @Blocks var decisions: [Block] {
        Block.heading("Decisions and incidents")
        if remembered.isEmpty {
            Block.paragraph("Nobody has decided anything about it.", style: .soft)
        } else {
            // The sort is stable within a day.
            Block.list(remembered.sorted { $0.day < $1.day }.map { "\($0.day) \($0.line)" })
        }
    }

    private var remembered: [(day: Day, line: Phrase)] {
        let today = ReportingZone.utc.day(of: .now)
        let earlier: [KindAct?] = [nil] + acts
        return zip(acts, earlier).map { ($0.day ?? today, $0.phrase(after: $1)) }
            + settingActs.map { ($0.day ?? today, phrase($0)) }
            + lossActs.map { ($0.act.day, $0.phrase) }
            + acknowledgements.map { (ReportingZone.utc.day(of: $0.acknowledgement.at), $0.phrase) }
    }

    /// The app's acts since the first one on the kind.
    var settingActs: [SettingAct] {
        guard let first = acts.first?.day else { return [] }
        return settings.filter { $0.day.map { $0 >= first } ?? false }
    }

    /// The kind's verdicts before and after a change of settings.
    func verdict(in act: SettingAct) -> SettingAct.Verdict? {
        act.verdicts.first { $0.surface == surface && $0.kind.hasBytes(of: kind) }
    }

    private func phrase(_ act: SettingAct) -> Phrase {
        let turn = verdict(in: act).flatMap {
            $0.before == $0.after ? nil : "; the verdict went from \($0.before) to \($0.after)"
        }
        return """
            \(act.actor) changed the app's \(act.changes.map(\.text).joined(separator: ", "))\(turn ?? "")\
            \(act.reason.map { ", because: \($0)" } ?? "")
            """
    }
}

extension KindAct {
    /// - Parameter earlier: the act before it; nil for the first one.
    fileprivate func phrase(after earlier: KindAct?) -> Phrase {
        let what =
            switch decision.lifecycle {
            case .legacy where earlier?.decision.lifecycle == .legacy: "decided again that it is legacy"
            case .active: "reopened it"
            case .legacy: "marked it legacy"
            case .retired: "retired it"
            }
        let holders = devicesCertain == devicesPossible ? "" : "\(devicesCertain.grouped) to "
        return """
            \(decision.actor) \(what)\(decision.replacedBy.map { ", replaced by \($0)" } ?? "") \
            (\(holders)\(devicesPossible, "device")\(verdict.map { "; the verdict was \($0.rawValue)" } ?? ""))\
            \(decision.reason.map { ", because: \($0)" } ?? "")
            """
    }
}

extension LossActs.Entry {
    fileprivate var phrase: Phrase {
        let figures: Phrase? = act.upgraders.flatMap { upgraders in
            act.lost.map { " (\($0) of \(upgraders, "device") had lost it)" }
        }
        let (who, verb) =
            act.state == .open
            ? ("the night", "opened an incident for") : (act.actor, "\(act.state.rawValue) the loss in")
        return "\(who) \(verb) updates to \(name: toVersion)\(figures)\(act.reason.map { ", because: \($0)" } ?? "")"
    }
}

extension SettingAct.Change {
    package var text: String { "\(setting) from \(from.isEmpty ? "none" : from) to \(to.isEmpty ? "none" : to)" }
}

extension AcknowledgementRecord {
    fileprivate var phrase: Phrase {
        let given = acknowledgement
        let hasEnded = given.until < ReportingZone.utc.day(of: .now)
        let release = change.map { "\($0.rule) in \($0.appVersion)" } ?? given.fingerprint
        return given.maximumLoss == 0
            ? "\(given.by) withdrew the acknowledgement of \(release), because: \(given.reason)"
            : """
            \(given.by) acknowledged \(release), up to \(given.maximumLoss, "device") until \(given.until)\
            \(hasEnded ? " (expired)" : ""), because: \(given.reason)
            """
    }
}
