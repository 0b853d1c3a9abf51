package import CensusCore
package import CensusStore

/// An acknowledgement that was recorded, as the API says it.
package struct AcknowledgedLoss: Codable, Sendable {
    package var fingerprint: String
    /// Devices; 0: the acknowledgement was withdrawn.
    package var maxLoss: Int
    package var until: Day
    package var by: String
    /// Nil, as the next two, if the finding is not known.
    package var rule: String?
    package var surface: String?
    package var kind: String?

    private enum CodingKeys: String, CodingKey {
        case fingerprint, until, by, rule, surface, kind
        case maxLoss = "max_loss"
    }

    package init(
        _ change: AcknowledgedChange?, _ step: AcknowledgementStep, fingerprint: String
    ) {
        self.fingerprint = fingerprint
        maxLoss = step.maximumLoss
        until = step.until
        by = step.actor
        rule = change?.rule
        surface = change?.surface
        kind = change?.kind
    }

    /// What was recorded.
    package var sentence: String {
        let finding = rule.flatMap { rule in kind.map { "\(rule) of \($0)" } } ?? fingerprint
        return maxLoss == 0
            ? "withdrew the acknowledgement of \(finding)"
            : "acknowledged \(finding): up to \(maxLoss.counted("device")), until \(until)"
    }
}
