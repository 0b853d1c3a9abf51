import CensusCore

/// The store updates apps overnight, on about every third day.
struct UpdatingApp: Behaviour {
    let name = "updating the app"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        generator.chance(0.35) ? [Occurrence(.updateApp, at: day.instant(using: &generator))] : []
    }
}
