import CensusCore
import SeededRandom

/// One habit or accident of phones and their owners: how often it happens, and when.
///
/// To add one, write a type and list it in ``Behaviours/all(_:_:)``. Each has its own random numbers, so adding one doesn't
/// change what the others do.
protocol Behaviour: Sendable {
    /// The seed of its random numbers depends on this name.
    var name: String { get }

    /// The occurrences of 24 hours, in any order, for the device as it is at their beginning.
    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence]
}

enum Behaviours {
    /// At equal times, the behaviour that is listed first happens first.
    static func all(_ plan: WeatherFleet.Plan, _ gallery: Gallery) -> [any Behaviour] {
        [
            Installing(), Reinstalling(), ChangingPhone(), UpdatingApp(), UpdatingSystem(), Restarting(),
            RestoringLayout(), Removing(plan), Placing(gallery: gallery), PlacingLegacy(habits: plan.habits),
            Configuring(), Abandoning(gallery: gallery), Rendering(), Tapping(), Opening(),
        ]
    }
}

extension Range<Timestamp> {
    /// A random instant of the day.
    func instant(using generator: inout Seeded) -> Timestamp {
        lowerBound + generator.duration(.zero...(upperBound - lowerBound))
    }
}
