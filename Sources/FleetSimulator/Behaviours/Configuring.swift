import CensusCore

/// A placed widget is given another city.
struct Configuring: Behaviour {
    let name = "configuring"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        device.placed.compactMap { placement in
            guard let city = placement.configuration, generator.chance(0.015),
                let other = generator.element(of: WidgetKind.cities.filter { $0 != city })
            else { return nil }
            return Occurrence(.configure(placement, to: other), at: day.instant(using: &generator))
        }
    }
}
