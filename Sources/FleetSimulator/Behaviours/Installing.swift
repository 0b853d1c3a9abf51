import CensusCore

/// New users: the app is installed for the first time and opened.
struct Installing: Behaviour {
    let name = "installing"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard day.contains(owner.firstInstall) else { return [] }
        let launch = owner.firstInstall + generator.duration(.seconds(20)...(.minutes(10)))
        return [Occurrence(.installApp, at: owner.firstInstall), Occurrence(.openApp, at: launch)]
    }
}
