import CensusCore

/// Android asks a provider for the content of its widgets, phantoms among them, unless the app sleeps unused.
struct Rendering: Behaviour {
    let name = "rendering"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard device.system.platform == .android, !owner.isAway(on: day), generator.chance(0.15),
            let placement = generator.element(of: device.placed + device.phantoms)
        else { return [] }
        return [Occurrence(.render(placement), at: day.instant(using: &generator))]
    }
}
