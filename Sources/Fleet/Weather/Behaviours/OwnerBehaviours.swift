import CensusCore
import Foundation
import SeededRandom

// What owners do with the app and its widgets.

/// The app is opened on most days, at about the same hour, and sometimes once more.
struct Opening: Behaviour {
    let name = "opening"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard !owner.isAway(on: day), generator.chance(of: owner.opensOnADay) else { return [] }
        let usual = day.lowerBound + owner.opensAt + generator.duration(.minutes(-110)...(.minutes(110)))
        let more = generator.chance(of: 0.15) ? [Occurrence(.openApp, at: day.instant(using: &generator))] : []
        return [Occurrence(.openApp, at: usual)] + more
    }
}

/// The owner taps a widget, and the app opens.
struct Tapping: Behaviour {
    let name = "tapping"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard !owner.isAway(on: day), generator.chance(of: owner.tapsOnADay),
            let placement = generator.element(of: device.placed)
        else { return [] }
        let tap = day.instant(using: &generator)
        return [
            Occurrence(.tap(placement), at: tap),
            Occurrence(.openApp, at: tap + generator.duration(.milliseconds(300)...(.seconds(2)))),
        ]
    }
}

/// An owner who has fewer widgets than wanted soon places another. One who has enough rarely does.
struct Placing: Behaviour {
    let name = "placing"
    let gallery: Gallery

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard owner.wishes > 0, device.app?.firstLaunchedAt != nil,
            generator.chance(of: device.placed.count < owner.wishes ? 0.45 : 0.008),
            let placement = gallery.picked(for: device.system, using: &generator)
        else { return [] }
        return [Occurrence(.place(placement), at: day.instant(using: &generator))]
    }
}

/// Owners whose gallery still shows the legacy kind place it again.
struct PlacingLegacy: Behaviour {
    let name = "placing the legacy kind"
    let habits: WeatherFleet.Habits

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard habits.legacyPlacementsADay > 0, generator.chance(of: habits.legacyPlacementsADay),
            !device.placed.contains(where: { $0.kind == WidgetKind.legacy.kind }),
            let placement = WidgetKind.legacy.picked(for: device.system, using: &generator)
        else { return [] }
        return [Occurrence(.place(placement), at: day.instant(using: &generator))]
    }
}

/// The owner changes the city of a widget.
struct Configuring: Behaviour {
    let name = "configuring"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        device.placed.compactMap { placement in
            guard let city = placement.configuration, generator.chance(of: 0.015),
                let other = generator.element(of: WidgetKind.cities.filter { $0 != city })
            else { return nil }
            return Occurrence(.configure(placement, to: other), at: day.instant(using: &generator))
        }
    }
}

/// Owners remove widgets; those of the legacy kind, which look old, more often.
struct Removing: Behaviour {
    let name = "removing"
    private let habits: WeatherFleet.Habits
    private let start: Timestamp
    /// The factor for each of the plan's days.
    private let factors: [Double]

    init(_ plan: WeatherFleet.Plan) {
        habits = plan.habits
        start = plan.start
        var generator = Seeded(plan.seed).derived(for: "wobble")
        let habits = plan.habits
        factors =
            habits.wobble > 0 || habits.weekends > 0
            ? (0..<max(0, plan.days)).map { number in
                exp(habits.wobble * generator.normal())
                    * (number % 7 < 2 ? 1 + habits.weekends : 1 - habits.weekends * 2 / 5)
            } : []
    }

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        let number = Int((day.lowerBound - start) / .days(1))
        let factor = factors.indices.contains(number) ? factors[number] : 1
        return device.placed.compactMap { placement in
            let isLegacy = placement.kind == WidgetKind.legacy.kind
            let rate = isLegacy ? habits.legacyRemovalsADay : habits.removalsADay
            guard generator.chance(of: rate * factor), !isLegacy || owner.removesLegacyKind else { return nil }
            return Occurrence(.remove(placement), at: day.instant(using: &generator))
        }
    }
}

/// The owner drags a widget out of the gallery and cancels its configuration screen. Android keeps its id.
struct Abandoning: Behaviour {
    let name = "abandoning"
    let gallery: Gallery

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout Seeded
    ) -> [Occurrence] {
        guard device.system.platform == .android, device.app?.firstLaunchedAt != nil, generator.chance(of: 0.006),
            let placement = gallery.picked(for: device.system, using: &generator), placement.configuration != nil
        else { return [] }
        return [Occurrence(.abandon(placement), at: day.instant(using: &generator))]
    }
}
