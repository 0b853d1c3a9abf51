import CensusCore
import Fleet
import SeededRandom

/// Fleets whose releases take no widgets, while owners remove some at a rate that varies from day to day.
///
/// In half of them some owners open the app only every few weeks, owners remove more at weekends, and the OS is updated.
struct FaultlessFleets {
    private let size: Size

    /// Long enough for eight releases, none of them being phased in on the first day.
    private static let days = 89
    private static let end = Timestamp(seconds: 20_700 * 86_400)

    init(_ size: Size) { self.size = size }

    func run() async throws -> [Promise] {
        let devices = size.faultlessDevices
        var table = Table([
            "wobble", "rare openers", "more at weekends", "update the OS", "fleets", "devices", "kinds", "releases",
            "tests", "incidents",
        ])
        var (incidents, fleets, done) = (0, 0, 0)
        for (number, world) in World.all.enumerated() {
            let count = max(1, size.faultlessFleets / World.all.count)
            var progress = Progress("faultless fleets, wobble \(world.wobble)", total: count)
            var (opened, asked) = (0, 0)
            try await concurrently(count) { fleet in
                try FaultlessFleets.watch(seed: UInt64(1 + number * 10_000 + fleet), devices: devices, world)
            } each: { _, found in
                opened += found.opened.count
                asked += found.watches
                progress.advance()
            }
            table.add([
                "\(world.wobble)", "\(Int(world.rareOpeners * 100))%", "\(Int(world.weekends * 100))%",
                "\(Int(world.osUpdates * 100))%", "\(count)", devices.grouped, "20", "8", asked.grouped,
                "\(opened)",
            ])
            (incidents, fleets, done) = (incidents + opened, fleets + count, done + asked)
        }
        table.show("Faultless fleets: phased releases of an app, and no loss.")
        let allowed = max(0, 2 * fleets / 200)
        return [
            Promise(
                text: "\(incidents) false incidents in \(fleets) faultless fleets (allowed: \(allowed))",
                isKept: incidents <= allowed && done > 0)
        ]
    }

    private struct World: Sendable {
        var wobble: Double
        /// The share of owners who open the app every 20 to 60 days.
        var rareOpeners = 0.0
        var weekends = 0.0
        /// The share of phones that update the OS within three weeks.
        var osUpdates = 0.0

        static let all = [
            World(wobble: 0.2), World(wobble: 0.5),
            World(wobble: 0.2, rareOpeners: 0.4, weekends: 0.5, osUpdates: 0.7),
            World(wobble: 0.5, rareOpeners: 0.4, weekends: 0.5, osUpdates: 0.7),
        ]
    }

    private static func watch(seed: UInt64, devices: Int, _ world: World) throws
        -> (opened: [FleetWatch.Incident], watches: Int)
    {
        let plan = WeatherFleet.Plan(
            devices: devices, days: days, seed: seed, end: end, androidShare: 0,
            releases: WeatherFleet.Releases(age: .days(8), isPhased: true),
            habits: WeatherFleet.Habits(wobble: world.wobble, weekends: world.weekends),
            extraKinds: 15, rareOpeners: world.rareOpeners)
        let fleet = WeatherFleet(plan)
        var watch = FleetWatch(days: plan.days)
        for device in 0..<devices {
            var random = Seeded(seed).derived(for: "OS release").derived(for: device)
            let isUpdated = random.fraction() < world.osUpdates
            let time = plan.start + .hours(Int64(24 * (40 + 21 * random.fraction())))
            watch.add(
                try NightlyPairs(
                    fleet.story(ofDevice: device), of: plan, osUpdate: isUpdated ? .at(time) : .never))
        }
        return watch.incidents()
    }
}
