import CensusCore

/// One habit or accident of phones and their owners: the place for a change to how often it happens, or when.
///
/// To add one, write a type and name it in ``Behaviours/all``: each has random numbers of its own, so that the others
/// do what they did before.
protocol Behaviour: Sendable {
    /// Names its random numbers.
    var name: String { get }

    /// What happens in 24 hours, in any order, decided by how the device stands at their beginning.
    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence]
}

enum Behaviours {
    /// At equal times what stands first happens first.
    static let all: [any Behaviour] = [
        Installing(), Reinstalling(), ChangingPhone(), UpdatingApp(), UpdatingSystem(), Restarting(), RestoringLayout(),
        Removing(), Placing(), Configuring(), Abandoning(), Rendering(), Tapping(), Opening(),
    ]
}

extension Range<Timestamp> {
    /// An instant of the day, at any hour.
    func instant(using generator: inout SeededGenerator) -> Timestamp {
        lowerBound + generator.duration(.zero...(upperBound - lowerBound))
    }
}
