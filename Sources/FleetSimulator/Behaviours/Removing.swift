import CensusCore

/// Widgets are taken off a screen; those of the legacy kind, which look old, more often.
struct Removing: Behaviour {
    let name = "removing"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        device.placed.compactMap { placement in
            guard generator.chance(placement.kind == WidgetKind.legacy.kind ? 0.025 : 0.008) else { return nil }
            return Occurrence(.remove(placement), at: day.instant(using: &generator))
        }
    }
}
