import CensusCore
import SeededRandom

/// One habit or accident of phones and their owners: change here how often it happens, and when.
///
/// To add one, write a type and list it in ``Behaviours/all(_:_:)``. Each has its own random numbers, so the others go on doing what
/// they did before.
protocol Behaviour: Sendable {
    /// Names its random numbers.
    var name: String { get }

    /// What happens in 24 hours, in any order, given the device as it is at their beginning.
    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence]
}

enum Behaviours {
    /// At equal times, what is listed first happens first.
    static func all(_ plan: WeatherFleet.Plan, _ gallery: Gallery) -> [any Behaviour] {
        [
            Installing(), Reinstalling(), ChangingPhone(), UpdatingApp(), UpdatingSystem(), Restarting(),
            RestoringLayout(), Removing(plan), Placing(gallery: gallery), PlacingLegacy(habits: plan.habits),
            Configuring(), Abandoning(gallery: gallery), Rendering(), Tapping(), Opening(),
        ]
    }
}

extension Range<Timestamp> {
    /// An instant of the day, at any hour.
    func instant(using generator: inout Seeded) -> Timestamp {
        lowerBound + generator.duration(.zero...(upperBound - lowerBound))
    }
}
