internal import CensusCore
package import CensusStore

extension [LossIncident] {
    /// What a person's act on them changed, a line per surface.
    ///
    /// - Parameter self: what changed; empty if all were in that state before.
    package func told(_ kind: String, _ version: String, _ state: LossState, by actor: String, isDryRun: Bool = false)
        -> [String]
    {
        guard !isEmpty else {
            return ["the loss of \(kind) in updates to \(version) is already \(state.rawValue); nothing was recorded"]
        }
        return map { incident in
            "the loss of \(kind)\(incident.surface.onSurface) in updates to \(version) \(isDryRun ? "would be" : "is now") \(state.rawValue): "
                + "\(incident.figures.updates.lost.grouped) of \(incident.figures.updates.pairs.counted("device")) "
                + "lost it; decided by \(actor)"
        }
    }
}
