import Fleet
import PostgresTesting
import Testing

@testable import CensusCore
@testable import CensusStore

@Suite struct `Observation log` {
    /// An event of the phone with this id and placement.
    private func phone(_ events: [(id: String, kind: String)]) -> Phone {
        var phone = Phone("phone")
        for (id, kind) in events { phone.happens(.installed(Placement(kind: kind)), .day(1), id: id) }
        return phone
    }

    private func expect(
        _ outcome: AppendOutcome, received: Int, stored: Int, conflicting: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.received == received, sourceLocation: sourceLocation)
        #expect(outcome.stored == stored, sourceLocation: sourceLocation)
        #expect(outcome.conflicting == conflicting, sourceLocation: sourceLocation)
    }

    @Test(arguments: AppendWay.allCases) func `every event becomes a row with all its fields`(way: AppendWay)
        async throws
    {
        try await TestStore.with(appends: way) { test in
            var phone = Phone("phone", osVersion: nil, platform: .android)
            phone.circumstances.bootedAt = nil
            phone.circumstances.osBuild = "18C66"
            phone.circumstances.galleryPolicy = 17
            phone.circumstances.rebooted = true
            phone.happens(.opened(Placement(kind: "weather", instance: "7")), .day(1), id: "one", on: .control)
            let batch = phone.batch(of: phone.observations[0])
            let sent = BatchRows(batch, appNumber: test.app.number, secret: test.secret, received: .day(2))
            expect(try await test.store.log.append([sent]), received: 1, stored: 1)
            let rows = try await test.lines(
                """
                select device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type,
                    surface, source, platform, os_version, os_build, app_version, channel, booted_at,
                    first_launched_at, gallery_policy, content, rebooted
                from census.observation
                """)
            let (day0, day1, day2) = (text(.day(0)), text(.day(1)), text(.day(2)))
            let installation = test.secret.installation("1", app: TestStore.appID)
            #expect(
                rows == [
                    "\(test.device(phone))|one|\(day1)|\(day1)|\(day2)|\(test.app.number)|\(installation)|widget_opened|"
                        + "control|app|android|∅|18C66|1.0|production|∅|\(day0)|17|"
                        + #"{"widget":{"instance":"7","kind":"weather"}}|t"#
                ])
        }
    }

    private func text(_ time: Timestamp) -> String { "\(ReportingZone.utc.day(of: time)) 09:00:00+00" }

    @Test(arguments: AppendWay.allCases) func `a redelivery changes nothing`(way: AppendWay) async throws {
        try await TestStore.with(appends: way) { test in
            let phone = phone([("1", "weather"), ("2", "weather")])
            expect(try await test.tell(phone), received: 2, stored: 2)
            let before = try await test.contents("census.observation") + test.contents("census.pending_device")
            for _ in 0..<3 { expect(try await test.tell(phone, phone), received: 4, stored: 0) }
            let after = try await test.contents("census.observation") + test.contents("census.pending_device")
            #expect(after == before)
        }
    }

    @Test(arguments: AppendWay.allCases) func `duplicates in one call become one row`(way: AppendWay) async throws {
        try await TestStore.with(appends: way) { test in
            let phone = phone([("1", "weather")])
            expect(try await test.tell(phone, phone, phone), received: 3, stored: 1)
        }
    }

    @Test(arguments: AppendWay.allCases)
    func `other content under the same identity counts as a conflict, and the first is kept`(
        way: AppendWay
    ) async throws {
        try await TestStore.with(appends: way) { test in
            try await test.tell(phone([("1", "weather"), ("2", "weather")]))
            let second = phone([("1", "search"), ("2", "weather"), ("3", "weather")])
            expect(try await test.tell(second), received: 3, stored: 1, conflicting: 1)
            let kinds = try await test.lines(
                "select content -> 'widget' ->> 'kind' from census.observation order by event_id")
            #expect(kinds == ["weather", "weather", "weather"])
        }
    }

    /// Regression: requests that arrive together are written together, and their conflicts were missed.
    @Test(arguments: AppendWay.allCases) func `a conflict within one call is counted, and the first content is kept`(
        way: AppendWay
    ) async throws {
        try await TestStore.with(appends: way) { test in
            for attempt in 0..<20 {
                let kinds = ["first \(attempt)", "second", "third", "first \(attempt)"]
                let outcome = try await test.tell(kinds.map { phone([("\(attempt)", $0)]) })
                expect(outcome, received: 4, stored: 1, conflicting: 2)
            }
            let kinds = try await test.lines("select content -> 'widget' ->> 'kind' from census.observation")
            #expect(kinds.sorted() == (0..<20).map { "first \($0)" }.sorted())
        }
    }

    @Test(arguments: AppendWay.allCases) func `the same id at another time is another event`(way: AppendWay)
        async throws
    {
        try await TestStore.with(appends: way) { test in
            var phone = phone([("1", "weather")])
            phone.happens(.installed(Placement(kind: "weather")), .day(2), id: "1")
            expect(try await test.tell(phone), received: 2, stored: 2)
        }
    }

    @Test func `an empty append stores nothing`() async throws {
        try await TestStore.with { test in expect(try await test.store.log.append([]), received: 0, stored: 0) }
    }

    @Test func `one call appends twenty thousand events`() async throws {
        try await TestStore.with { test in
            let phones = (0..<200).map { number in
                var phone = Phone("phone \(number)")
                for event in 0..<100 {
                    phone.reports(["weather", "search"], .day(event / 2, minute: Int64(event % 60)))
                }
                return phone
            }
            expect(try await test.tell(phones), received: 20_000, stored: 20_000)
            let queued = try await test.value(Int.self, "select count(*) from census.pending_device")
            #expect(queued == 200)
            expect(try await test.tell(phones), received: 20_000, stored: 0)
        }
    }

    @Test func `copies and inserts store the same rows as merges`() async throws {
        var phones: [Phone] = []
        for number in 0..<30 {
            var phone = Phone("phone \(number % 20)", platform: .ios)
            phone.circumstances.channel = number % 7 == 0 ? "beta" : "production"
            for event in 0..<10 {
                let minute = Int64(number * 7 + event * 11)
                if event % 3 == 0 {
                    phone.happens(.readFailed(domain: "CHSErrorDomain", code: 1101), .day(event, minute: minute))
                } else if event % 3 == 1 {
                    phone.reports(["weather"], .day(event, minute: minute))
                } else {
                    phone.opens(.day(event, minute: minute))
                }
            }
            phones.append(phone)
        }
        var noted: [[String]] = []
        for way in AppendWay.allCases {
            try await TestStore.with(appends: way) { test in
                expect(try await test.tell(phones), received: 300, stored: 300)
                noted.append(
                    try await test.contents("census.observation")
                        + test.lines(
                            """
                            select device_id, app_number, earliest_at, occurred_from from census.pending_device
                            order by device_id
                            """)
                        + test.lines(
                            """
                            select app_number, quarter_at, reads, reads_failed from census.read_entry
                            where reads > 0 order by quarter_at
                            """))
            }
        }
        #expect(noted[0] == noted[2])
        #expect(noted[1] == noted[2])
        #expect(noted[0].count > 320)
    }

    @Test func `a known event doesn't keep out the others in its call`() async throws {
        try await TestStore.with(appends: .copies) { test in
            let known = phone([("1", "weather")])
            expect(try await test.tell(known), received: 1, stored: 1)
            let others = (0..<50).map { number in
                var other = Phone("other \(number)")
                other.reports(["weather"], .day(number))
                return other
            }
            expect(try await test.tell(others + [known]), received: 51, stored: 50)
            #expect(try await test.value(Int.self, "select count(*) from census.pending_device") == 51)
        }
    }

    @Test func `redeliveries are expected for longer as more of them arrive`() {
        let redeliveries = Redeliveries()
        var tries: [Int] = []
        for append in 0..<300 where !redeliveries.areExpected() {
            tries.append(append)
            redeliveries.note(met: append < 200)
        }
        #expect(tries.prefix(9) == [0, 2, 5, 10, 19, 36, 69, 134, 199])
        #expect(tries.dropFirst(9).prefix(3) == [264, 265, 266])
    }

    @Test func `two nodes that write the same devices store each event once`() async throws {
        try await TestStore.with { test in
            try await test.withSecondStore { second in
                let phones = (0..<40).map { number in
                    var phone = Phone("phone \(number)")
                    for event in 0..<25 { phone.reports(["weather"], .day(event)) }
                    return phone
                }
                let stored = try await withThrowingTaskGroup(of: Int.self) { group in
                    for (number, store) in [test.store, second, test.store, second, test.store, second].enumerated() {
                        group.addTask {
                            var random = Seeded(UInt64(number))
                            var stored = 0
                            for _ in 0..<4 {
                                let batches = phones.flatMap(test.batches).shuffled(using: &random)
                                stored += try await store.log.append(batches).stored
                            }
                            return stored
                        }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(stored == 1_000)
            }
        }
    }
}
