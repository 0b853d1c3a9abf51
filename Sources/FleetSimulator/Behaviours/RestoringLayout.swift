import CensusCore

/// An Android launcher is replaced or loses its layout, and restores it.
struct RestoringLayout: Behaviour {
    let name = "restoring the layout"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard device.system.platform == .android, generator.chance(0.003) else { return [] }
        return [Occurrence(.restoreLayout, at: day.instant(using: &generator))]
    }
}
