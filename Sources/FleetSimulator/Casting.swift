import CensusCore

/// Says who owns each device and what it is like when the plan begins.
struct Casting: Sendable {
    private let plan: Fleet.Plan
    private let systems: EvenSpread
    private let arrivals: EvenSpread
    private let tastes: EvenSpread

    init(_ plan: Fleet.Plan) {
        self.plan = plan
        var generator = SeededGenerator(seed: plan.seed).derived(for: "casting")
        // The golden ratio spreads best; the rarest share, the restless, is one of the systems'.
        systems = EvenSpread(step: 0.618_033_988_749_895, start: generator.fraction())
        arrivals = EvenSpread(step: 2.0.squareRoot(), start: generator.fraction())
        tastes = EvenSpread(step: 3.0.squareRoot(), start: generator.fraction())
    }

    func owner(ofDevice index: Int, using generator: SeededGenerator) -> Owner {
        var generator = generator
        let isRestless = systems.fraction(ofDevice: index) < Owner.restlessShare
        let arrival = arrivals.fraction(ofDevice: index)
        let isNew = arrival < Owner.newShare && !isRestless
        let taste = tastes.fraction(ofDevice: index)
        return Owner(
            firstInstall: isNew
                ? plan.start + .milliseconds(Int64(arrival / Owner.newShare * Double(plan.days) * 86_400_000))
                : plan.start - generator.duration(.days(10)...(.days(400))),
            opensOnADay: 0.6 + 0.37 * generator.fraction(),
            opensAt: generator.duration(.hours(2)...(.hours(22))),
            wishes: taste > 1 - Owner.widgetlessShare && !isRestless ? 0 : generator.number(1...3),
            keepsLegacyKind: taste < Owner.legacyShare,
            isRestless: isRestless,
            clockError: generator.chance(0.04) ? .hours(generator.chance(0.5) ? 1 : -1) : .zero)
    }

    func device(of owner: Owner, index: Int, using generator: SeededGenerator) -> SimulatedDevice {
        var generator = generator
        var device = SimulatedDevice(
            id: generator.uuid(),
            system: OperatingSystem.drawn(at: systems.fraction(ofDevice: index)),
            bootedAt: plan.start - generator.duration(.hours(1)...(.days(13))))
        guard owner.firstInstall < plan.start else { return device }
        device.installApp(AppRelease.newest(at: plan.start, end: plan.end), id: generator.uuid())
        device.launchApp(at: owner.firstInstall)
        if owner.keepsLegacyKind, let legacy = WidgetKind.legacy.drawn(for: device.system, using: &generator) {
            device.place(legacy)
        }
        while device.placed.count < owner.wishes,
            let placement = WidgetKind.drawn(for: device.system, using: &generator)
        {
            device.place(placement)
        }
        return device
    }
}
