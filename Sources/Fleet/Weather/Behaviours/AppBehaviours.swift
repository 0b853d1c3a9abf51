import CensusCore
import SeededRandom

// Installing, deleting and updating the app.

/// New users: the app is installed for the first time and opened.
struct Installing: Behaviour {
    let name = "installing"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard day.contains(owner.firstInstall) else { return [] }
        let launch = owner.firstInstall + generator.duration(.seconds(20)...(.minutes(10)))
        return [Occurrence(.installApp, at: owner.firstInstall), Occurrence(.openApp, at: launch)]
    }
}

/// The app is deleted, with its widgets, and installed again a little later.
struct Reinstalling: Behaviour {
    let name = "reinstalling"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard generator.chance(of: owner.reinstallsOnADay), !owner.isAway(on: day),
            // Nobody deletes on the day of the first install, or twice without opening the app in between.
            device.app?.firstLaunchedAt != nil
        else { return [] }
        let deletion = day.instant(using: &generator)
        let installation = deletion + generator.duration(.minutes(1)...(.hours(3)))
        let launch = installation + generator.duration(.seconds(20)...(.minutes(10)))
        // One device in a hundred loses its device id.
        let loss = generator.chance(of: 0.01) ? [Occurrence(.wipeKeychain, at: installation)] : []
        return [Occurrence(.deleteApp, at: deletion)] + loss
            + [Occurrence(.installApp, at: installation), Occurrence(.openApp, at: launch)]
    }
}

/// The app store updates the app on about every third day.
struct UpdatingApp: Behaviour {
    let name = "updating the app"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        generator.chance(of: 0.35) ? [Occurrence(.updateApp, at: day.instant(using: &generator))] : []
    }
}
