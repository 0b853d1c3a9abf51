import CensusCore

/// Who has fewer widgets than wished for places another before long; who has enough does so rarely.
struct Placing: Behaviour {
    let name = "placing"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard owner.wishes > 0, device.app?.firstLaunchedAt != nil,
            generator.chance(device.placed.count < owner.wishes ? 0.45 : 0.008),
            let placement = WidgetKind.drawn(for: device.system, using: &generator)
        else { return [] }
        return [Occurrence(.place(placement), at: day.instant(using: &generator))]
    }
}
