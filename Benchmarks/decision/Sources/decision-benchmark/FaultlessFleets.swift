import CensusCore
import FleetSimulator

/// Fleets whose releases take nothing away, while owners remove widgets at a rate that wobbles from day to day.
struct FaultlessFleets {
    private let size: Size

    /// So many that eight releases come out in them, and none is being phased in when they begin.
    private static let days = 89
    private static let end = Timestamp(seconds: 20_700 * 86_400)

    init(_ size: Size) { self.size = size }

    func run() async throws -> [Promise] {
        let devices = size.faultlessDevices
        var table = Table(["wobble", "fleets", "devices", "kinds", "releases", "questions asked", "incidents"])
        var (incidents, fleets, done) = (0, 0, 0)
        for (number, wobble) in [0.2, 0.5].enumerated() {
            let count = max(1, size.faultlessFleets / 2)
            var progress = Progress("faultless fleets, wobble \(wobble)", total: count)
            var (opened, asked) = (0, 0)
            try await concurrently(count) { fleet in
                try FaultlessFleets.watch(seed: UInt64(1 + number * 10_000 + fleet), devices: devices, wobble: wobble)
            } each: { _, found in
                opened += found.opened.count
                asked += found.watches
                progress.advance()
            }
            table.add([
                "\(wobble)", "\(count)", devices.grouped, "20", "8", asked.grouped,
                "\(opened)",
            ])
            (incidents, fleets, done) = (incidents + opened, fleets + count, done + asked)
        }
        table.show("Faultless fleets: an app's own releases, phased, and no loss.")
        let allowed = max(0, 2 * fleets / 200)
        return [
            Promise(
                text: "\(incidents) false incidents in \(fleets) faultless fleets (at most \(allowed))",
                isKept: incidents <= allowed && done > 0)
        ]
    }

    private static func watch(seed: UInt64, devices: Int, wobble: Double) throws
        -> (opened: [FleetWatch.Incident], watches: Int)
    {
        let plan = Fleet.Plan(
            devices: devices, days: days, seed: seed, end: end, androidShare: 0,
            releases: Fleet.Releases(age: .days(8), isPhased: true), habits: Fleet.Habits(wobble: wobble),
            extraKinds: 15)
        let fleet = Fleet(plan)
        var watch = FleetWatch(days: plan.days)
        for device in 0..<devices { watch.add(try NightlyPairs(fleet.story(ofDevice: device), of: plan)) }
        return watch.incidents()
    }
}
