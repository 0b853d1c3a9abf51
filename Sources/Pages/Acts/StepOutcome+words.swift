internal import CensusCore
package import CensusStore

extension StepHindrance {
    /// Without what to do about it, which differs between the command line and the console.
    package func sentence(on kind: String) -> String {
        switch self {
        case .replacesItself: "a kind can't replace itself"
        case .unknownReplacement(let other, let meant):
            "no device and no manifest has the kind \(other)\(meant.map { "; did you mean \($0)?" } ?? "")"
        case .notLegacy: "\(kind) is not legacy"
        case .active(let surface, let devices):
            "\(kind) is not legacy on \(surface), where at most \(devices.counted("device", "has", "have")) it"
        case .notReady(let verdict, let reason): "the verdict on \(kind) is \(verdict.rawValue). \(reason)"
        }
    }
}

extension StepOutcome {
    /// What was recorded, a line per surface, or why nothing was.
    package func told(of step: KindStep) -> String {
        let (kind, lifecycle) = (step.kind, step.decision.lifecycle.rawValue)
        switch self {
        case .recorded(let acts):
            let isOfWidgets = acts.map(\.surface) == [Surface.widget.rawValue]
            return acts.map { act in
                "\(kind) is now \(lifecycle)\(isOfWidgets ? "" : " on \(act.surface)"): decided by \(step.decision.actor) "
                    + "when at least \(act.devicesCertain.counted("device")) and at most \(act.devicesPossible.grouped) "
                    + "had it; gallery policy \(act.version)"
            }.joined(separator: "\n")
        case .unchanged: return "\(kind) is already \(lifecycle); nothing was recorded"
        case .hindered(let hindrance): return hindrance.sentence(on: kind)
        case .overtaken(let present):
            let others = Set(present.map(\.rawValue)).sorted().joined(separator: " and ")
            return "\(kind) is \(others): somebody decided that in the meantime, so nothing was changed"
        }
    }
}

extension AcknowledgementRecord {
    /// For a person who reopens the kind: preflight goes on to accept its loss.
    package var reminder: String {
        "Preflight still accepts that up to \(acknowledgement.maximumLoss.counted("device")) lose it, until "
            + "\(acknowledgement.until): the acknowledgement \(acknowledgement.fingerprint) holds"
    }
}
