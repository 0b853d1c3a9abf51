import CensusStore
import Testing

/// A broken client can invent any number of kinds.
@Suite(.serialized, .server) struct `Caps` {
    @Test func `an event with a kind past the cap is rejected, and the others are accepted`() async throws {
        let server = try await capped("com.example.kinds") { $0.maximumKinds = 3 }
        var sample = Sample(
            Sample.reported("a", "b"), Sample.opened("c"), Sample.opened("d", id: "4"), Sample.opened("a", id: "5"))
        sample.app = "com.example.kinds"
        let answer = try await server.post(sample).answer
        #expect(answer.accepted == 3)
        #expect(answer.rejected?.map(\.index) == [2])
        #expect(answer.rejected?.map(\.code) == ["too_many_kinds"])
        #expect(answer.rejected?.map(\.id) == ["4"])
        #expect(try await server.rows(of: sample) == 3)
        #expect(try await server.refusals(of: sample) == ["too_many_kinds"])
    }

    @Test func `a redelivered event gets the same result in any batch`() async throws {
        let server = try await capped("com.example.again") { $0.maximumKinds = 3 }
        func answer(_ kinds: String...) async throws -> [Int] {
            var sample = Sample()
            sample.app = "com.example.again"
            sample.events = kinds.map { Sample.opened($0, id: $0) }
            let response = try await server.post(sample)
            return try [response.status] + (response.answer.rejected ?? []).map(\.index)
        }
        #expect(try await answer("a", "b", "c") == [202])
        #expect(try await answer("d") == [422, 0])
        #expect(try await answer("d", "a", "e", "b") == [202, 0, 2])
        #expect(try await answer("c") == [202])
    }

    @Test func `a report with one kind too many is rejected whole, and adds no kinds`() async throws {
        let server = try await capped("com.example.report") { $0.maximumKinds = 3 }
        var sample = Sample(Sample.reported("a", "b", "c", "d"), Sample.reported("e", "f", "g", id: "second"))
        sample.app = "com.example.report"
        let answer = try await server.post(sample).answer
        #expect(answer.rejected?.map(\.index) == [0])
        #expect(answer.accepted == 1)
    }

    @Test func `once an app is full, new names don't cost a read of the store for every batch`() async throws {
        let server = try await capped("com.example.flood") { $0.maximumKinds = 2 }
        var sample = Sample()
        sample.app = "com.example.flood"
        sample.events = [Sample.opened("a"), Sample.opened("b", id: "b")]
        #expect(try await server.post(sample).status == 202)
        let before = try await server.reads(of: "known_name")
        let start = ContinuousClock.now
        let connection = try server.connect()
        var answers: [Int: Int] = [:]
        for number in 0..<200 {
            sample.events = [Sample.opened("flood-\(number)", id: "flood-\(number)")]
            try await connection.send(server.request(Array(sample.json.utf8)).bytes)
            answers[try await connection.response().status, default: 0] += 1
        }
        // `reads(of:)` just ended the sessions, so one or two batches might fail.
        #expect(answers[422, default: 0] > 195, "\(answers)")
        let reads = try await server.reads(of: "known_name") - before
        let seconds = Int((ContinuousClock.now - start).components.seconds)
        #expect(reads <= 4 + seconds / 3, "\(reads) reads for 200 batches")
        var settings = AppSettings()
        settings.maximumKinds = 3
        try await server.store.apps.set("com.example.flood", settings)
        let deadline = ContinuousClock.now + .seconds(20)
        while try await server.post(sample).status != 202, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(try await server.post(sample).status == 202, "a raised cap accepts new names")
    }

    /// One batch once used up an app's families. Events with any other family were rejected, and phones dropped them.
    @Test func `events with families past the cap are accepted, and counted together`() async throws {
        let server = try await capped("com.example.families") { $0.maximumFamilies = 2 }
        var sample = Sample()
        sample.app = "com.example.families"
        sample.events = (1...4).map { Sample.opened("a", id: "\($0)", more: #","family":"f\#($0)""#) }
        for _ in 0..<2 {
            let response = try await server.post(sample)
            #expect(response.status == 202)
            #expect(try response.answer.accepted == 4)
            #expect(response.text.contains(#""warnings":[{"index":2,"code":"other_family","#))
        }
        sample.events = [Sample.opened("a", id: "5", more: #","family":"accessoryInline""#)]
        #expect(try await !server.post(sample).text.contains("other_family"))
        let families = try await server.sql(
            """
            select string_agg(content->'widget'->>'family', ' ' order by event_id) from census.observation
            join census.app using (app_number) where app_id = 'com.example.families'
            """)
        #expect("\(families)".contains("f1 f2 (other) (other) accessoryInline"), "\(families)")
    }

    /// Each version is a cell in the reports, so unlimited versions made unlimited reports.
    @Test func `events with versions past the cap are accepted, and counted together`() async throws {
        let server = try await capped("com.example.versions") { _ in }
        _ = try await server.sql(
            """
            insert into census.known_name (app_number, dimension, name)
            select app_number, 'app_version', '0.' || number
            from census.app, generate_series(1, 1999) as number
            where app_id = 'com.example.versions'
            """)
        var sample = Sample(Sample.opened("a"))
        sample.app = "com.example.versions"
        for (number, version) in ["1.0", "2.0", "1.0", "3.0"].enumerated() {
            sample.version = version
            sample.events = [Sample.opened("a", id: "\(number)")]
            #expect(try await server.post(sample).status == 202)
        }
        for (version, count) in [("1.0", 2), ("(other)", 2)] {
            let rows = """
                select count(*) from census.observation join census.app using (app_number)
                where app_id = 'com.example.versions' and app_version = '\(version)'
                """
            #expect(try await server.number(rows) == count, "\(version)")
        }
    }

    @Test func `concurrent senders do not exceed the cap`() async throws {
        let server = try await capped("com.example.rush") { $0.maximumKinds = 3 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<40 {
                group.addTask {
                    var sample = Sample(Sample.opened("kind-\(sender)"))
                    sample.app = "com.example.rush"
                    let status = try await server.post(sample).status
                    #expect(status == 202 || status == 422)
                }
            }
            try await group.waitForAll()
        }
        let names = """
            select count(*) from census.known_name join census.app using (app_number)
            where app_id = 'com.example.rush' and dimension = 'kind'
            """
        let count = try await server.number(names)
        #expect(count == 3)
        var late = Sample(Sample.opened("late"))
        late.app = "com.example.rush"
        #expect(try await server.post(late).status == 422)
    }

    /// Swift's `==` sees one name. Mixing the two spellings of é once made kinds past the cap.
    @Test func `names that only look alike are different names`() async throws {
        let server = try await capped("com.example.alike") { $0.maximumKinds = 3 }
        var sample = Sample()
        sample.app = "com.example.alike"
        sample.events = (0..<8).map { number in
            Sample.opened((0..<3).map { number >> $0 & 1 == 0 ? "\u{E9}" : "e\u{301}" }.joined(), id: "\(number)")
        }
        let answer = try await server.post(sample).answer
        #expect(answer.accepted == 3)
        #expect(answer.rejected?.map(\.index) == [3, 4, 5, 6, 7])
        let names = """
            select count(*) from census.known_name join census.app using (app_number)
            where app_id = 'com.example.alike' and dimension = 'kind'
            """
        #expect(try await server.number(names) == 3)
    }

    private func capped(_ app: String, _ change: (inout AppSettings) -> Void) async throws -> IngestTestServer {
        var server = try server()
        _ = try await server.store.apps.add(app)
        var settings = AppSettings()
        change(&settings)
        try await server.store.apps.set(app, settings)
        server.key = try await server.store.keys.add(app: app, role: .write)
        return server
    }
}
