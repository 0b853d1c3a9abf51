import CensusCore
import SeededRandom

/// Simulates one phone day by day: collects what the behaviours plan, and carries it out in order of time.
struct DeviceLife {
    private let plan: WeatherFleet.Plan
    private let owner: Owner
    private let behaviours: [any Behaviour]
    private let store: AppStore
    private(set) var device: SimulatedDevice
    private var client: AppClient
    /// One for each behaviour.
    private var generators: [Seeded]
    /// Occurrences planned for a later day, such as an installation after midnight.
    private var later: [Occurrence] = []

    init(plan: WeatherFleet.Plan, casting: Casting, index: Int) {
        let generator = Seeded(plan.seed).derived(for: index)
        self.plan = plan
        owner = casting.owner(ofDevice: index, using: generator.derived(for: "owner"))
        behaviours = casting.behaviours
        store = AppStore(plan, luck: generator.derived(for: "phases"))
        device = casting.device(of: owner, index: index, from: store, using: generator.derived(for: "device"))
        client = AppClient(
            appID: plan.appID, differences: plan.differences,
            naming: casting.naming(using: generator.derived(for: "naming")), clockError: owner.clockError,
            offline: owner.offline, device: device, generator: generator.derived(for: "client"))
        generators = behaviours.map { generator.derived(for: $0.name) }
    }

    mutating func story() -> DeviceStory {
        var sent: [Sent] = []
        for number in 0..<max(0, plan.days) {
            let start = plan.start + .days(Int64(number))
            for occurrence in occurrences(in: start..<start + .days(1)) {
                sent += client.retry(until: occurrence.at, on: device)
                sent += perform(occurrence.act, at: occurrence.at)
            }
        }
        sent += client.retry(until: plan.end, on: device)
        return DeviceStory(sent.filter { $0.delivery.receivedAt < plan.end }, zone: plan.zone)
    }

    /// The occurrences of one day in order of time, because each act depends on all earlier ones.
    private mutating func occurrences(in day: Range<Timestamp>) -> [Occurrence] {
        if let silentFrom = owner.silentFrom, silentFrom <= day.lowerBound {
            later = []
            return []
        }
        var gathered = later
        for (position, behaviour) in behaviours.enumerated() {
            gathered += behaviour.occurrences(in: day, on: device, of: owner, using: &generators[position])
        }
        later = gathered.filter { $0.at >= day.upperBound }
        return gathered.filter { $0.at < day.upperBound }.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// Carries out an act, unless it has become impossible since the start of the day.
    private mutating func perform(_ act: Act, at time: Timestamp) -> [Sent] {
        switch act {
        case .installApp: device.installApp(store.newest(at: time), id: client.newID())
        case .updateApp: device.updateApp(to: store.offered(at: time, insteadOf: device.app?.version))
        case .deleteApp:
            device.deleteApp()
            client.forgetEverything()
        case .wipeKeychain: device.loseID(to: client.newID())
        case .openApp:
            device.launchApp(at: time)
            return client.open(on: device, at: time)
        case .restart: device.restart(at: time)
        case .updateSystem(let system): device.update(to: system, at: time)
        case .restoreLayout:
            let renamed = device.renumber()
            return renamed.isEmpty ? [] : client.restore(renamed, on: device, at: time)
        case .changePhone(let system): return changePhone(to: system, at: time)
        case .place, .abandon, .remove, .configure, .tap, .render: return performOnWidget(act, at: time)
        }
        return []
    }

    private mutating func performOnWidget(_ act: Act, at time: Timestamp) -> [Sent] {
        switch act {
        case .place(let chosen):
            guard let placement = device.place(chosen) else { return [] }
            return client.notice(.installed(placement), telling: .placed(placement), on: device, at: time)
        case .abandon(let chosen): device.abandon(chosen)
        case .remove(let placement):
            guard device.remove(placement) else { return [] }
            return client.notice(.removed(placement), telling: .removed(placement), on: device, at: time)
        case .configure(let placement, let configuration):
            guard let configured = device.configure(placement, to: configuration) else { return [] }
            return client.notice(
                .configured(configured), telling: .replaced(placement, by: configured), on: device, at: time)
        case .tap(let placement):
            guard device.placed.contains(placement) else { return [] }
            client.note(.opened(placement), telling: .alive(placement), on: device, at: time)
        case .render(let placement):
            guard device.placed.contains(placement) || device.phantoms.contains(placement) else { return [] }
            client.note(.rendered(placement), source: .provider, on: device, at: time)
        default: break
        }
        return []
    }

    private mutating func changePhone(to system: OperatingSystem, at time: Timestamp) -> [Sent] {
        guard device.app?.firstLaunchedAt != nil else { return [] }
        let renamed = device.moveToNewPhone(
            id: client.newID(), system: system, appVersion: store.newest(at: time),
            installation: client.newID(), at: time)
        client.restoreFromBackup()
        guard device.system.platform == .android, !renamed.isEmpty else { return [] }
        // The system launches the app to notify it.
        device.launchApp(at: time)
        return client.restore(renamed, on: device, at: time)
    }
}
