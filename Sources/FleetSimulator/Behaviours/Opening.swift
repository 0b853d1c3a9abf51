import CensusCore

/// The app is opened on most days, at about the same hour, and sometimes once more.
struct Opening: Behaviour {
    let name = "opening"

    func occurrences(
        in day: Range<Timestamp>, on device: SimulatedDevice, of owner: Owner, using generator: inout SeededGenerator
    ) -> [Occurrence] {
        guard !owner.isAway(on: day), generator.chance(owner.opensOnADay) else { return [] }
        let usual = day.lowerBound + owner.opensAt + generator.duration(.minutes(-110)...(.minutes(110)))
        let more = generator.chance(0.15) ? [Occurrence(.openApp, at: day.instant(using: &generator))] : []
        return [Occurrence(.openApp, at: usual)] + more
    }
}
