import CensusCore
import Foundation
import SeededRandom

/// Decides each device's owner, and its state when the plan begins.
struct Casting: Sendable {
    private let plan: WeatherFleet.Plan
    private let systems: EvenSpread
    private let arrivals: EvenSpread
    private let tastes: EvenSpread
    private let gallery: Gallery
    let behaviours: [any Behaviour]

    init(_ plan: WeatherFleet.Plan) {
        self.plan = plan
        gallery = Gallery(extraKinds: plan.extraKinds)
        behaviours = Behaviours.all(plan, gallery)
        var generator = Seeded(plan.seed).derived(for: "casting")
        // The golden ratio spreads best. The systems get it, because the smallest share, the restless owners, is a part of
        // theirs.
        systems = EvenSpread(step: 0.618_033_988_749_895, start: generator.fraction())
        arrivals = EvenSpread(step: 2.0.squareRoot(), start: generator.fraction())
        tastes = EvenSpread(step: 3.0.squareRoot(), start: generator.fraction())
    }

    func owner(ofDevice index: Int, using generator: Seeded) -> Owner {
        var generator = generator
        let isRestless =
            plan.reinstallsAMonth == nil && platform(ofDevice: index) == .ios
            && fractionOfPlatform(ofDevice: index) < Owner.restlessShare
        let arrival = arrivals.fraction(ofDevice: index)
        let isNew = arrival < Owner.newShare && !isRestless
        let taste = tastes.fraction(ofDevice: index)
        var floor = generator.derived(for: "floor")
        var rare = generator.derived(for: "rare openers")
        let opensRarely = rare.chance(of: plan.rareOpeners)
        return Owner(
            firstInstall: isNew
                ? plan.start + .milliseconds(Int64(arrival / Owner.newShare * Double(plan.days) * 86_400_000))
                : plan.start - generator.duration(.days(10)...(.days(400))),
            opensOnADay: (0.6 + 0.37 * generator.fraction()) * plan.opening
                * (opensRarely ? 1 / Double(rare.number(16...48)) : 1),
            opensAt: generator.duration(.hours(2)...(.hours(22))),
            wishes: taste > 1 - Owner.widgetlessShare && !isRestless ? 0 : generator.number(1...3),
            keepsLegacyKind: taste < Owner.legacyShare,
            removesLegacyKind: !floor.chance(of: plan.habits.legacyFloor),
            isRestless: isRestless,
            tapsOnADay: opensRarely ? 0 : plan.tapsADay,
            // Ordinary owners: four in a hundred a month. Restless ones: about once a week.
            reinstallsOnADay: isRestless ? 0.17 : (plan.reinstallsAMonth ?? 0.04) / 30,
            pause: isRestless ? nil : pause(using: &generator),
            silentFrom: silence(using: generator.derived(for: "silence")),
            offline: offline(using: &generator),
            clockError: clockError(using: &generator))
    }

    func device(of owner: Owner, index: Int, from store: AppStore, using generator: Seeded) -> SimulatedDevice {
        var generator = generator
        var loss = generator.derived(for: "loss")
        var device = SimulatedDevice(
            id: generator.uuid().description,
            system: OperatingSystem.picked(
                at: fractionOfPlatform(ofDevice: index), platform: platform(ofDevice: index)),
            bootedAt: plan.start - generator.duration(.hours(1)...(.days(13))),
            quirks: plan.quirks, droppedKind: loss.chance(of: plan.dropShare) ? plan.droppedKind : nil,
            instances: .from(generator.number(1...300)))
        guard owner.firstInstall < plan.start else { return device }
        device.installApp(store.offered(at: plan.start), id: generator.uuid().description)
        device.launchApp(at: owner.firstInstall)
        if owner.keepsLegacyKind, let legacy = WidgetKind.legacy.picked(for: device.system, using: &generator) {
            device.place(legacy)
        }
        while device.placed.count < owner.wishes,
            let placement = gallery.picked(for: device.system, using: &generator)
        {
            device.place(placement)
        }
        return device
    }

    /// The devices of a smaller share are among those of a larger one.
    func naming(using generator: Seeded) -> Naming {
        var generator = generator
        return generator.chance(of: plan.unnamedShare) ? .sparse : .full
    }

    /// iOS gets the lower end of the spread, where the restless are.
    private func platform(ofDevice index: Int) -> Platform {
        systems.fraction(ofDevice: index) < 1 - plan.androidShare ? .ios : .android
    }

    /// A device's fraction among the phones of its platform.
    private func fractionOfPlatform(ofDevice index: Int) -> Double {
        let (fraction, ios) = (systems.fraction(ofDevice: index), 1 - plan.androidShare)
        return fraction < ios ? fraction / ios : (fraction - ios) / plan.androidShare
    }

    /// A pause of weeks, usually longer than the activity window. Some owners don't come back.
    private func pause(using generator: inout Seeded) -> Range<Timestamp>? {
        guard generator.chance(of: Owner.pausingShare) else { return nil }
        let start = plan.start + generator.duration(.zero...(.days(Int64(plan.days))))
        let length = generator.duration(.days(25)...(.days(45)))
        return start..<(generator.chance(of: 0.6) ? start + length : max(start, plan.end))
    }

    private func silence(using generator: Seeded) -> Timestamp? {
        guard plan.habits.silencesADay > 0 else { return nil }
        var generator = generator
        let days = log(1 - generator.fraction()) / log(1 - plan.habits.silencesADay)
        return days < Double(plan.days) ? plan.start + .milliseconds(Int64(days * 86_400_000)) : nil
    }

    /// Some phones travel without a network once or twice.
    private func offline(using generator: inout Seeded) -> [Range<Timestamp>] {
        (0..<2).compactMap { _ in
            guard generator.chance(of: 0.004 * Double(plan.days)) else { return nil }
            let start = plan.start + generator.duration(.zero...(.days(Int64(plan.days))))
            return start..<start + generator.duration(.hours(8)...(.days(5)))
        }
    }

    /// Most clocks are right. Some are off by less than the server corrects, and a few by an hour or a day.
    private func clockError(using generator: inout Seeded) -> Duration {
        let magnitude: Duration
        switch generator.fraction() {
        case ..<0.05: magnitude = .hours(1)
        case ..<0.06: magnitude = .days(1)
        case ..<0.16: magnitude = generator.duration(.seconds(5)...(.minutes(4)))
        default: return .zero
        }
        return generator.chance(of: 0.5) ? magnitude : .zero - magnitude
    }
}

/// Gives each device a fraction of `0..<1`, so that the first devices of any number spread evenly over it.
///
/// So shares are accurate in a fleet of sixty as in one of a million, whatever the seed. The multiples of an irrational number
/// leave gaps of at most three sizes (Steinhaus's three-gap theorem).
struct EvenSpread: Sendable {
    private let step: Double
    private let start: Double

    /// - Parameter step: an irrational number. Traits with different steps are uncorrelated.
    init(step: Double, start: Double) {
        self.step = step
        self.start = start
    }

    func fraction(ofDevice index: Int) -> Double {
        (start + Double(index) * step).truncatingRemainder(dividingBy: 1)
    }
}
