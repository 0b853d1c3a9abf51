import CensusStore
import PostgresTesting
import Testing

/// `DELETE /v1/device`: once the client reads 204, the device is erased for good.
@Suite(.serialized, .server) struct `Forgetting` {
    private func delete(_ device: String?..., key: Key? = nil) async throws -> RawResponse {
        let server = try server()
        let headers = [("Authorization", "Bearer \((key ?? server.key).text)")]
        return try await server.send(
            RawRequest(
                method: "DELETE", path: "/v1/device",
                headers: headers + device.compactMap { id in id.map { ("Census-Device", $0) } }))
    }

    @Test func `a device named by its id is erased, and late events are accepted and dropped`() async throws {
        let server = try server()
        let (sample, other) = (Sample(Sample.opened(), "17"), Sample(Sample.opened(), "17"))
        #expect(try await server.post(sample).status == 202)
        #expect(try await server.post(other).status == 202)
        let response = try await delete(sample.device)
        #expect(response.status == 204)
        #expect(response.body == [])
        #expect(try await server.rows(of: sample) == 0)
        #expect(try await server.refusals(of: sample) == [])
        var late = sample
        late.events = [Sample.reported("weather"), "17"]
        let answer = try await server.post(late)
        #expect(answer.status == 202)
        #expect(try answer.answer.accepted == 1)
        #expect(try await server.rows(of: sample) == 0)
        #expect(try await server.refusals(of: sample) == [])
        #expect(try await server.rows(of: other) == 1)
        #expect(try await server.refusals(of: other).count == 1)
        #expect(try await delete(sample.device).status == 204)
    }

    @Test func `an unknown device gets the same response`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        let known = try await {
            #expect(try await server.post(sample).status == 202)
            return try await delete(sample.device)
        }()
        let unknown = try await delete("nobody \(sample.device)")
        #expect(unknown.status == 204)
        #expect(unknown.body == known.body)
        #expect(Set(unknown.headers.keys) == Set(known.headers.keys))
        #expect(unknown.headers["census-device"] == "nobody \(sample.device)")
    }

    /// Two erasures of one key once took both places, and every other key got 503.
    @Test func `one key's erasures do not delay another key's`() async throws {
        let server = try server()
        var other = server
        other.key = try await IngestTestServer.addApp("com.example.calm", to: server.store)
        #expect(try await delete("nobody", key: other.key).status == 204)
        let calm = other.key
        try await server.locked("forgotten", seconds: 1) { _ in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<6 { group.addTask { try await delete("device \(number)").status } }
                try await Task.sleep(for: .milliseconds(300))
                #expect(try await delete("nobody", key: calm).status == 204)
                for try await status in group { #expect([204, 503].contains(status)) }
            }
        }
    }

    @Test func `an erased device's gallery shows everything`() async throws {
        let server = try server()
        let sample = Sample(Sample.reported("weather"))
        #expect(try await server.post(sample).status == 202)
        #expect(try await delete(sample.device).status == 204)
        let key = ("Authorization", "Bearer \(server.key.text)")
        let forgotten = try await server.get("/v1/gallery-policy", key, ("Census-Device", sample.device))
        let unknown = try await server.get("/v1/gallery-policy", key, ("Census-Device", "nobody"))
        #expect(forgotten.status == 200)
        #expect(forgotten.body == unknown.body)
    }

    @Test func `a request without a device id, or with two, erases nothing`() async throws {
        let server = try server()
        let (one, other) = (Sample(Sample.opened()), Sample(Sample.opened()))
        #expect(try await server.post(one).status == 202)
        #expect(try await server.post(other).status == 202)
        for response in [
            try await delete(), try await delete(""), try await delete(one.device, other.device),
        ] {
            #expect(response.status == 400)
            #expect(try response.answer.code == "no_device")
        }
        #expect(try await server.rows(of: one) == 1)
        #expect(try await server.rows(of: other) == 1)
    }

    @Test(arguments: ["Gerät 7", "🦜 1", "a b", "{\"id\":7}"])
    func `a header can name an id in any script, and the response repeats it`(
        id: String
    ) async throws {
        let server = try server()
        var sample = Sample(Sample.opened())
        sample.device = id.replacing("\"", with: "\\\"")
        #expect(try await server.post(sample).status == 202)
        let device = server.secret.device(id, app: sample.app)
        let rows = "select count(*) from census.observation where device_id = '\(device)'"
        #expect(try await server.number(rows) == 1)
        let response = try await delete(id)
        #expect(response.status == 204)
        #expect(response.headers["census-device"] == id)
        #expect(try await server.number(rows) == 0)
    }

    @Test func `an invalid device id gets 400, from either server`() async throws {
        let server = try server()
        for id in [
            "\u{A0}x", "lost\u{FFFD}id", "x\u{2003}", "x\u{85}x", String(repeating: "x", count: 201),
            String(repeating: "日", count: 167),
        ] {
            let response = try await delete(id)
            #expect(response.status == 400)
            #expect(try response.answer.code == "invalid_device")
            var sample = Sample(Sample.opened())
            sample.device = id
            let refused = try await server.post(sample)
            #expect(refused.status == 400)
            #expect(try refused.answer.pointer == "/device/id")
            (sample.device, sample.installation) = ("good", id)
            #expect(try await server.post(sample).answer.pointer == "/installation/id")
        }
    }

    /// Invalid bytes are decoded as U+FFFD, so the server could erase the wrong device.
    @Test func `a device header that is not UTF-8 is rejected`() async throws {
        let server = try server()
        let head =
            "DELETE /v1/device HTTP/1.1\r\nHost: census\r\nConnection: close\r\nAuthorization: Bearer \(server.key.text)\r\n"
            + "Census-Device: Caf"
        let connection = try server.connect()
        try await connection.send(Array(head.utf8) + [0xE9] + Array("\r\n\r\n".utf8))
        #expect(try await connection.response().answer.code == "invalid_device")
        let response = try await delete("x\u{FFFD}")
        #expect(try response.answer.code == "invalid_device")
    }

    @Test(arguments: [Key.Role.read, .release]) func `a key of another role erases no device`(role: Key.Role)
        async throws
    {
        let server = try server()
        let sample = Sample(Sample.opened())
        #expect(try await server.post(sample).status == 202)
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: role)
        let response = try await delete(sample.device, key: key)
        #expect(response.status == 403)
        #expect(try response.answer.code == "wrong_role")
        let path = RawRequest(method: "DELETE", path: "/v1/device", headers: [("Census-Device", sample.device)])
        #expect(try await server.send(path).status == 401)
        #expect(try await server.rows(of: sample) == 1)
    }

    @Test func `another app's key erases no device of this app`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        #expect(try await server.post(sample).status == 202)
        let key = try await IngestTestServer.addApp("com.example.forgetful", to: server.store)
        #expect(try await delete(sample.device, key: key).status == 204)
        #expect(try await server.rows(of: sample) == 1)
        #expect(try await server.post(sample).status == 202)
    }

    @Test func `during a long write an erasure gets 503 in time, and new events are dropped already`()
        async throws
    {
        let server = try server()
        let sample = Sample(Sample.opened())
        #expect(try await server.post(sample).status == 202)
        async let held = server.sql(
            "begin; lock table census.observation in row exclusive mode; select pg_sleep(7); commit")
        let isHeld = try await eventually {
            try await server.number(
                """
                select count(*)
                from pg_locks
                where mode = 'RowExclusiveLock'
                    and relation = 'census.observation'::regclass
                """) > 0
        }
        try #require(isHeld)
        let start = ContinuousClock.now
        let responses = try await withThrowingTaskGroup(of: RawResponse.self) { group in
            for _ in 0..<5 { group.addTask { try await delete(sample.device) } }
            return try await group.reduce(into: [RawResponse]()) { $0.append($1) }
        }
        #expect(ContinuousClock.now - start < .seconds(6))
        for response in responses {
            #expect(response.status == 503)
            #expect(response.headers["retry-after"] != nil)
        }
        // Of one key's erasures, only one at a time reaches the store.
        #expect(try responses.count { try $0.answer.code == "queue_full" } == 4)
        var late = sample
        late.events = [Sample.opened(id: "late")]
        #expect(try await server.post(late).status == 202)
        #expect(try await server.rows(of: sample) == 1)
        _ = try await held
        #expect(try await delete(sample.device).status == 204)
        #expect(try await server.rows(of: sample) == 0)
    }

    @Test func `metrics count erasures under their own route`() async throws {
        let server = try server()
        let series = #"widget_census_http_requests_total{route="device",status="204"}"#
        let before = try await server.scrape()[series]
        #expect(try await delete("somebody").status == 204)
        #expect(try await server.scrape()[series] == before + 1)
    }
}
