import CensusCore

/// The app is deleted, its widgets with it, and installed again a little later.
struct Reinstalling: Behaviour {
    let name = "reinstalling"

    /// On one day: four in a hundred owners a month, and the restless about once a week.
    private static let ordinary = 0.04 / 30
    private static let restless = 0.17

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard generator.chance(owner.isRestless ? Reinstalling.restless : Reinstalling.ordinary),
            // Nobody deletes on the day of the first install, nor twice without having opened the app in between.
            device.app?.firstLaunchedAt != nil
        else { return [] }
        let deletion = day.instant(using: &generator)
        let installation = deletion + generator.duration(.minutes(1)...(.hours(3)))
        let launch = installation + generator.duration(.seconds(20)...(.minutes(10)))
        return [
            Occurrence(.deleteApp, at: deletion), Occurrence(.installApp, at: installation),
            Occurrence(.openApp, at: launch),
        ]
    }
}
