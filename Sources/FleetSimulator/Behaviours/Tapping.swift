import CensusCore

/// The owner taps a widget, and the app opens.
struct Tapping: Behaviour {
    let name = "tapping"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard !owner.isAway(on: day), generator.chance(owner.tapsOnADay),
            let placement = generator.element(of: device.placed)
        else { return [] }
        let tap = day.instant(using: &generator)
        return [
            Occurrence(.tap(placement), at: tap),
            Occurrence(.openApp, at: tap + generator.duration(.milliseconds(300)...(.seconds(2)))),
        ]
    }
}
