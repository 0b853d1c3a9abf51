internal import CensusCore

extension LossIncident {
    /// In a sentence, without its full stop.
    package var headline: String {
        let place = surface.surfaceInBrackets
        let updates = figures.updates
        return "of \(updates.pairs.counted("device")) that held \(kind)\(place) and updated to \(toVersion), "
            + "\(updates.lost.grouped) (\(updates.lostShare.asPercentage)) lost it; "
            + "\(devicesAtRisk.grouped) more, on older versions, are at risk"
    }
}
