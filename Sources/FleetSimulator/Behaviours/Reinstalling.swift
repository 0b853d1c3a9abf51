import CensusCore

/// The app is deleted, its widgets with it, and installed again a little later.
struct Reinstalling: Behaviour {
    let name = "reinstalling"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard generator.chance(owner.reinstallsOnADay), !owner.isAway(on: day),
            // Nobody deletes on the day of the first install, nor twice without having opened the app in between.
            device.app?.firstLaunchedAt != nil
        else { return [] }
        let deletion = day.instant(using: &generator)
        let installation = deletion + generator.duration(.minutes(1)...(.hours(3)))
        let launch = installation + generator.duration(.seconds(20)...(.minutes(10)))
        // One in a hundred devices is not recognised.
        let loss = generator.chance(0.01) ? [Occurrence(.wipeKeychain, at: installation)] : []
        return [Occurrence(.deleteApp, at: deletion)] + loss
            + [Occurrence(.installApp, at: installation), Occurrence(.openApp, at: launch)]
    }
}
