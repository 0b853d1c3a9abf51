import CensusCore
import SeededRandom

// What phones do, or what happens to them.

/// The phone restarts, because its battery was empty or its owner wants to fix something.
struct Restarting: Behaviour {
    let name = "restarting"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard generator.chance(of: owner.isRestless ? 1.0 / 60 : 1.0 / 14) else { return [] }
        return [Occurrence(.restart, at: day.instant(using: &generator))]
    }
}

/// The system is updated, which restarts the phone.
struct UpdatingSystem: Behaviour {
    let name = "updating the system"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard !owner.isRestless, let successor = device.system.successor, generator.chance(of: 0.015) else { return [] }
        return [Occurrence(.updateSystem(successor), at: day.instant(using: &generator))]
    }
}

/// Android asks a provider for the content of its widgets, including phantoms, unless the app is unused and standing by.
struct Rendering: Behaviour {
    let name = "rendering"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard device.system.platform == .android, !owner.isAway(on: day), generator.chance(of: 0.15),
            let placement = generator.element(of: device.placed + device.phantoms)
        else { return [] }
        return [Occurrence(.render(placement), at: day.instant(using: &generator))]
    }
}

/// An Android launcher is replaced or loses its layout, and restores it.
struct RestoringLayout: Behaviour {
    let name = "restoring the layout"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard device.system.platform == .android, generator.chance(of: 0.003) else { return [] }
        return [Occurrence(.restoreLayout, at: day.instant(using: &generator))]
    }
}

/// The owner moves to a new phone, restored from the old one's backup.
struct ChangingPhone: Behaviour {
    let name = "changing the phone"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        // Phones last about three years.
        guard generator.chance(of: 1.0 / 1_000), !owner.isAway(on: day), !owner.isRestless,
            device.app?.firstLaunchedAt != nil
        else { return [] }
        let setUp = day.instant(using: &generator)
        // Some only replace a broken phone with the same model.
        let system = generator.chance(of: 0.7) ? device.system.onNewPhones : device.system
        let opening = setUp + generator.duration(.minutes(5)...(.days(1)))
        return [Occurrence(.changePhone(system), at: setUp), Occurrence(.openApp, at: opening)]
    }
}
