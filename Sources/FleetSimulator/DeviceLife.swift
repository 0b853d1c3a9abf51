import CensusCore

/// Lives one device's days: gathers what happens from the behaviours and lets it happen, in order of time.
struct DeviceLife {
    private let plan: Fleet.Plan
    private let owner: Owner
    private(set) var device: SimulatedDevice
    private var client: AppClient
    /// One for each behaviour.
    private var generators: [SeededGenerator]
    /// Begun on a day that is over: a reinstall past midnight.
    private var later: [Occurrence] = []

    init(plan: Fleet.Plan, casting: Casting, index: Int) {
        let generator = SeededGenerator(seed: plan.seed).derived(for: index)
        self.plan = plan
        owner = casting.owner(ofDevice: index, using: generator.derived(for: "owner"))
        device = casting.device(of: owner, index: index, using: generator.derived(for: "device"))
        client = AppClient(
            appID: plan.appID, clockError: owner.clockError, device: device,
            generator: generator.derived(for: "client"))
        generators = Behaviours.all.map { generator.derived(for: $0.name) }
    }

    /// In the order sent, received before the plan's end.
    mutating func deliveries() -> [Delivery] {
        var delivered: [Delivery] = []
        for number in 0..<max(0, plan.days) {
            let start = plan.start + .days(Int64(number))
            for occurrence in occurrences(in: start..<start + .days(1)) {
                delivered += client.retry(until: occurrence.at)
                delivered += perform(occurrence.act, at: occurrence.at)
            }
        }
        delivered += client.retry(until: plan.end)
        return delivered.filter { $0.receivedAt < plan.end }
    }

    /// Those of one day, by time: an act must find the device as all earlier acts left it.
    private mutating func occurrences(in day: Range<Timestamp>) -> [Occurrence] {
        var gathered = later
        for (position, behaviour) in Behaviours.all.enumerated() {
            gathered += behaviour.occurrences(in: day, on: device, of: owner, using: &generators[position])
        }
        later = gathered.filter { $0.at >= day.upperBound }
        return gathered.filter { $0.at < day.upperBound }.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// What was planned at the start of the day may have become impossible since; then nothing happens.
    private mutating func perform(_ act: Act, at time: Timestamp) -> [Delivery] {
        switch act {
        case .installApp: device.installApp(AppRelease.newest(at: time, end: plan.end), id: client.newInstallationID())
        case .updateApp: device.updateApp(to: AppRelease.newest(at: time, end: plan.end))
        case .deleteApp:
            device.deleteApp()
            client.forgetEverything()
        case .openApp:
            device.launchApp(at: time)
            return client.open(on: device, at: time)
        case .restart: device.restart(at: time)
        case .updateSystem(let system): device.update(to: system, at: time)
        case .place(let placement):
            if device.place(placement) { client.notice(.installed(placement), on: device, at: time) }
        case .remove(let placement):
            if device.remove(placement) { client.notice(.removed(placement), on: device, at: time) }
        case .tap(let placement):
            if device.placed.contains(placement) { client.note(.opened(placement), on: device, at: time) }
        }
        return []
    }
}
