import CensusCore
import Fleet
import Testing

@Suite struct `Fleet deliveries` {
    private static let plan = WeatherFleet.Plan(end: FoldedFleet.end)

    @Test(arguments: UInt64(1)..<5) func `the server accepts every event of a fleet`(seed: UInt64) throws {
        let fleet = try FoldedFleet(WeatherFleet.Plan(seed: seed, end: FoldedFleet.end))
        #expect(fleet.refused == [])
        #expect(fleet.events.count > 500)
    }

    @Test func `equal plans give the same bytes`() {
        #expect(WeatherFleet(Self.plan).deliveries() == WeatherFleet(Self.plan).deliveries())
    }

    /// An unintended change to the fleet changes every number that was measured with it.
    @Test(
        arguments: [
            (WeatherFleet.Plan(end: FoldedFleet.end), 12_219_236_864_821_811_039),
            (
                WeatherFleet.Plan(
                    devices: 100, days: 40, seed: 7, end: FoldedFleet.end, reinstallsAMonth: 0.6, androidShare: 0.4),
                7_485_544_004_693_404_197
            ),
        ] as [(WeatherFleet.Plan, UInt64)])
    func `the deliveries and their truth never change`(plan: WeatherFleet.Plan, digest: UInt64) {
        var table = TruthTable(plan)
        var bytes: [UInt8] = []
        for story in (0..<plan.devices).map({ WeatherFleet(plan).story(ofDevice: $0) }) {
            for delivery in story.deliveries { delivery.appendLine(to: &bytes) }
            for truth in story.truths.values { table.add(truth) }
        }
        for (key, count) in table.rows {
            bytes += "\(key.day) \(key.surface.rawValue) \(key.kind) \(count.devices) \(count.widgets)\n".utf8
        }
        // FNV-1a.
        let found = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } as UInt64
        #expect(found == digest)
    }

    @Test func `another seed gives other deliveries`() throws {
        var other = Self.plan
        other.seed += 1
        let (mine, others) = (try FoldedFleet(Self.plan), try FoldedFleet(other))
        #expect(Set(mine.observations.keys).isDisjoint(with: others.observations.keys))
        #expect(Set(mine.events.map(\.id)).isDisjoint(with: others.events.map(\.id)))
    }

    @Test func `deliveries are in order, and before the end`() {
        let times = WeatherFleet(Self.plan).deliveries().map(\.receivedAt)
        #expect(times == times.sorted())
        #expect(times.allSatisfy { $0 < FoldedFleet.end && $0 > FoldedFleet.end - .days(14) })
    }

    @Test func `the deliveries of one device depend on no other`() {
        var larger = Self.plan
        larger.devices = 1_000
        #expect(WeatherFleet(Self.plan).deliveries(ofDevice: 7) == WeatherFleet(larger).deliveries(ofDevice: 7))
    }

    @Test func `no event happens later than four minutes after its batch is received`() throws {
        for delivery in WeatherFleet(Self.plan).deliveries() {
            let batch = try BatchDecoder().decode(delivery.body, received: delivery.receivedAt)
            for event in batch.events {
                // A clock that is minutes ahead is not corrected.
                #expect(try event.get().at <= delivery.receivedAt + .minutes(4))
            }
        }
    }

    @Test func `an id always means one event, and some events are sent twice`() throws {
        let events = try FoldedFleet(Self.plan).events
        let byID = Dictionary(grouping: events, by: \.id)
        // If the clock is off, corrected times differ by the delay of the network.
        #expect(byID.values.allSatisfy { Set($0.map(\.event)).count == 1 && Set($0.map(\.occurredAt)).count == 1 })
        #expect(byID.values.count { $0.count > 1 } > 5)
    }

    @Test func `deliveries have failed reads, events between reports, and batches of over 12 hours`() throws {
        let events = try FoldedFleet(Self.plan).events
        #expect(events.contains { $0.event == .readFailed(domain: "CHSErrorDomain", code: 1101) })
        #expect(
            Set(events.map(\.event.type)).isSuperset(of: [
                .widgetsReported, .widget(.installed), .widget(.removed), .widget(.opened), .widget(.rendered),
            ]))
        let late = try WeatherFleet(Self.plan).deliveries().contains { delivery in
            let batch = try BatchDecoder().decode(delivery.body, received: delivery.receivedAt)
            let times = try batch.events.map { try $0.get().at }
            guard let first = times.min(), let last = times.max() else { return false }
            return last - first > .hours(12)
        }
        #expect(late)
    }

    @Test func `some clocks are an hour off`() throws {
        let fleet = try FoldedFleet(Self.plan)
        let offsets = Set(fleet.events.map { ($0.at - $0.occurredAt).microseconds / 60_000_000 })
        #expect(offsets.contains(0))
        #expect(offsets.contains { abs($0) > 55 })
    }

    @Test func `a delivery becomes a line of an import file`() throws {
        let delivery = try #require(WeatherFleet(Self.plan).deliveries().first)
        var bytes: [UInt8] = []
        delivery.appendLine(to: &bytes)
        let line = String(decoding: bytes, as: UTF8.self)
        #expect(line.hasPrefix(#"{"received_at":"\#(delivery.receivedAt)","sent_at":"#))
        #expect(line.hasSuffix("]}\n"))
        #expect(line.dropLast().allSatisfy { $0 != "\n" })
        // The server ignores the member that it does not know.
        let batch = try BatchDecoder().decode(Array(line.utf8), received: delivery.receivedAt)
        #expect(batch.appID == "com.example.weather")
    }
}
