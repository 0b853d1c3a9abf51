import CensusCore

/// The phone restarts: an empty battery, or a remedy.
struct Restarting: Behaviour {
    let name = "restarting"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard generator.chance(owner.isRestless ? 1.0 / 60 : 1.0 / 14) else { return [] }
        return [Occurrence(.restart, at: day.instant(using: &generator))]
    }
}
