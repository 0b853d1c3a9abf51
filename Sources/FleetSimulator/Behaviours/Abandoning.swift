import CensusCore

/// A widget is dragged out of the gallery, and its configuration screen left: Android keeps its id.
struct Abandoning: Behaviour {
    let name = "abandoning"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard device.system.platform == .android, device.app?.firstLaunchedAt != nil, generator.chance(0.006),
            let placement = WidgetKind.drawn(for: device.system, using: &generator), placement.configuration != nil
        else { return [] }
        return [Occurrence(.abandon(placement), at: day.instant(using: &generator))]
    }
}
