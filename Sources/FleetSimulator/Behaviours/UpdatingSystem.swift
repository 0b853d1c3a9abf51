import CensusCore

/// The phone is updated, which restarts it.
struct UpdatingSystem: Behaviour {
    let name = "updating the system"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard !owner.isRestless, let successor = device.system.successor, generator.chance(0.015) else { return [] }
        return [Occurrence(.updateSystem(successor), at: day.instant(using: &generator))]
    }
}
