internal import CensusCore
package import CensusStore

extension AcknowledgementHindrance {
    /// Without what to do about it, which differs between the command line, the console and the API.
    package var sentence: String {
        switch self {
        case .unknownFinding(let others):
            let there = others.map { "\n  \($0.fingerprint) \($0.change.rule.rawValue) \($0.change.kind)" }
            return "preflight doesn't find this for the release"
                + (there.isEmpty ? ", and nothing else" : "; it finds" + there.joined())
        case .tooFew(let finding):
            return
                "at most \(finding.loss.devicesPossible.counted("device")) would lose it now, so preflight would still fail"
        case .wrongRelease(let objection): return objection
        case .notAcknowledged: return "there is no acknowledgement of this finding to withdraw"
        }
    }
}
