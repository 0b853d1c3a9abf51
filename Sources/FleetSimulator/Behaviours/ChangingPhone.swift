import CensusCore

/// The owner moves to a new phone, restored from the old one's backup.
struct ChangingPhone: Behaviour {
    let name = "changing the phone"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        // Phones last for three years or so.
        guard generator.chance(1.0 / 1_000), !owner.isAway(on: day), !owner.isRestless,
            device.app?.firstLaunchedAt != nil
        else { return [] }
        let setUp = day.instant(using: &generator)
        // Some only replace a broken one by its like.
        let system = generator.chance(0.7) ? device.system.onNewPhones : device.system
        let opening = setUp + generator.duration(.minutes(5)...(.days(1)))
        return [Occurrence(.changePhone(system), at: setUp), Occurrence(.openApp, at: opening)]
    }
}
