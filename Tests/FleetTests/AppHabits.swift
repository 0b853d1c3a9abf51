import CensusCore
@testable import Fleet
import SeededRandom
import Testing

@Suite struct `App habits` {
    private static let day = FoldedFleet.end - .days(1)

    private static func plan(
        differences: Differences = .after, unnamed: Double = 0, taps: Double = 0.12
    ) -> WeatherFleet.Plan {
        WeatherFleet.Plan(
            devices: 300, days: 20, seed: 3, end: FoldedFleet.end, reinstallsAMonth: 0.3, androidShare: 0.3,
            differences: differences, unnamedShare: unnamed, tapsADay: taps)
    }

    /// The events of each device id, without duplicates.
    private static func histories(_ plan: WeatherFleet.Plan) throws -> [[Observation]] {
        try FoldedFleet(plan).observations.values.map { observations in
            var known: Set<String> = []
            return observations.sorted().filter { known.insert($0.id).inserted }
        }
    }

    @Test(arguments: [(Differences.none, nil), (.after, 150), (.before, -150)] as [(Differences, Int64?)])
    func `an app compares lists before the report, after it, or never`(
        differences: Differences, milliseconds: Int64?
    ) throws {
        var compared = 0
        for history in try Self.histories(Self.plan(differences: differences)) {
            // The times as sent, without clock correction.
            let reports = Set(history.filter { $0.event.type == .widgetsReported }.map(\.occurredAt))
            for observation in history {
                let circumstances = observation.circumstances
                #expect(circumstances.firstLaunchedAt.map { $0 <= observation.at } ?? false)
                guard [.widget(.installed), .widget(.removed)].contains(observation.event.type),
                    circumstances.platform == .ios, circumstances.osVersion?.hasPrefix("26.") == false
                else { continue }
                compared += 1
                let distance = try #require(milliseconds)
                #expect(reports.contains(observation.occurredAt - .milliseconds(distance)))
            }
        }
        #expect(milliseconds == nil ? compared == 0 : compared > 100)
    }

    @Test(arguments: [Differences.after, .before])
    func `an app sends the difference of two lists with the second one`(differences: Differences) throws {
        var device = SimulatedDevice(id: "6F1D", system: OperatingSystem(18, 5), bootedAt: Self.day - .days(5))
        device.installApp("20.13.0", id: "first")
        device.launchApp(at: Self.day - .days(4))
        let (old, new) = (
            Placement(kind: "radar", family: "systemLarge"), Placement(kind: "weather", family: "systemSmall")
        )
        device.place(old)
        var client = AppClient(
            appID: "com.example.weather", differences: differences, clockError: .zero, device: device,
            generator: Seeded(2))
        device.remove(old)
        device.place(new)
        let sent = client.open(on: device, at: Self.day) + client.retry(until: Self.day + .days(1), on: device)
        let batch = try BatchDecoder().decode(try #require(sent.first).delivery.body, received: Self.day + .seconds(5))
        let events = try batch.events.map { try $0.get() }
        let difference = [Event.removed(old), .installed(new)]
        #expect(
            try events.map { try $0.event.decoded() }
                == (differences == .before ? difference + [.reported([new: 1])] : [.reported([new: 1])] + difference))
        #expect(Set(events.map { $0.at - Self.day }) == [.zero, .milliseconds(150)])
    }

    @Test(arguments: [0, 0.3, 1.0]) func `events on a share of the devices name only a kind`(share: Double) throws {
        let plan = Self.plan(unnamed: share)
        var phones = [true: 0, false: 0]
        for index in 0..<plan.devices {
            let events = try FoldedFleet(WeatherFleet(plan).deliveries(ofDevice: index)).events
            var ways: Set<Bool> = []
            for event in events {
                let isAndroid = event.circumstances.platform == .android
                func isNamed(_ placement: Placement) -> Bool {
                    (isAndroid ? placement.instance : placement.family) != nil
                }
                switch event.event {
                case .happened(.rendered, to: _), .restored, .readFailed, .appOpened: break
                case .happened(_, to: let widget): ways.insert(isNamed(widget))
                case .reported(let list): #expect(list.keys.allSatisfy(isNamed))
                }
            }
            #expect(ways.count < 2, "device \(index)")
            if let way = ways.first { phones[way, default: 0] += 1 }
        }
        let (named, unnamed) = (Double(phones[true] ?? 0), Double(phones[false] ?? 0))
        #expect(named + unnamed > 200)
        #expect(abs(unnamed / (named + unnamed) - share) < 0.05)
    }

    /// So that fleets can be compared, device by device.
    @Test func `the naming habit changes nothing else`() {
        let fleets = [0, 0.3, 1].map { WeatherFleet(Self.plan(unnamed: $0)) }
        for index in 0..<40 {
            let stories = fleets.map { $0.story(ofDevice: index) }
            #expect(Set(stories.map { $0.deliveries.map(\.receivedAt) }).count == 1)
            #expect(stories[1].deliveries == stories[0].deliveries || stories[1].deliveries == stories[2].deliveries)
        }
    }

    @Test(arguments: [0, 0.12, 0.9]) func `owners tap only widgets that are really there`(taps: Double) throws {
        let plan = Self.plan(taps: taps)
        var found = 0
        for index in 0..<plan.devices {
            let story = WeatherFleet(plan).story(ofDevice: index)
            for (device, observations) in try FoldedFleet(story.deliveries).observations {
                let reads = observations.filter { $0.event.type == .widgetsReported }.map(\.occurredAt)
                for observation in observations {
                    guard case .happened(.opened, to: let tapped) = observation.event else { continue }
                    found += 1
                    let opening = observation.occurredAt + .milliseconds(300)...observation.occurredAt + .seconds(2)
                    #expect(reads.contains { opening.contains($0) })
                    // Clocks may be minutes off.
                    let around = [Duration.zero, .minutes(4), .minutes(-4)].flatMap {
                        (story.truths[device]?.held(at: observation.at + $0)[.widget] ?? [:]).keys
                    }
                    #expect(around.contains { $0.model == tapped.model && $0.instance == tapped.instance })
                }
            }
        }
        let aDay = Double(found) / Double(plan.devices * plan.days)
        // Some owners have no widget, some are away, and some are new.
        #expect(aDay <= taps && aDay >= taps * 0.6)
    }
}
