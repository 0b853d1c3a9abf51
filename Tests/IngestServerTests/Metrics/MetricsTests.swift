import CensusStore
import Foundation
import Testing

@testable import IngestServer

@Suite(.serialized, .server) struct `Metrics` {
    @Test func `metrics count requests by route and status, and events by outcome`() async throws {
        let server = try server()
        let before = try await server.scrape()
        var sample = Sample(Sample.opened(id: "one"), Sample.opened(id: "two"), "17")
        #expect(try await server.post(sample).status == 202)
        #expect(try await server.post(sample).status == 202)
        sample.events = [Sample.opened("another", id: "one")]
        #expect(try await server.post(sample).status == 202)
        #expect(try await server.post("no JSON").status == 400)
        #expect(try await server.get("/v1/nowhere/\(UUID())").status == 404)
        let after = try await server.scrape()
        func grown(_ series: String) -> Double { after[series] - before[series] }

        #expect(grown(#"widget_census_http_requests_total{route="events",status="202"}"#) == 3)
        #expect(grown(#"widget_census_http_requests_total{route="events",status="400"}"#) == 1)
        #expect(grown(#"widget_census_http_requests_total{route="other",status="404"}"#) == 1)
        #expect(grown(#"widget_census_http_problems_total{code="invalid_json"}"#) == 1)
        #expect(grown(#"widget_census_http_request_seconds_count{route="events"}"#) == 4)
        #expect(grown(#"widget_census_events_total{outcome="stored"}"#) == 2)
        #expect(grown(#"widget_census_events_total{outcome="redelivered"}"#) == 3)
        #expect(grown(#"widget_census_events_total{outcome="refused"}"#) == 2)
        #expect(grown(#"widget_census_refused_events_total{code="unknown_type"}"#) == 2)
        #expect(grown("widget_census_conflicting_events_total") == 1)
        #expect(grown("widget_census_commit_seconds_count") == 3)
        #expect(grown("widget_census_commit_requests_sum") == 3)
        #expect(grown("widget_census_commit_rows_sum") == 7)
    }

    @Test func `a histogram's buckets are cumulative, and the last one has the total`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        let scrape = try await server.scrape()
        for (name, labels) in [
            ("widget_census_http_request_seconds", #"route="events","#), ("widget_census_commit_seconds", ""),
            ("widget_census_commit_requests", ""), ("widget_census_commit_rows", ""),
        ] {
            let buckets = scrape.buckets(name, labels)
            #expect(buckets.count > 5 && buckets == buckets.sorted())
            let series = labels.isEmpty ? "" : "{\(labels.dropLast())}"
            #expect(buckets.last == scrape[name + "_count" + series])
            #expect(scrape[name + "_sum" + series] > 0)
        }
    }

    @Test func `docs/reference/metrics.md names every metric, and nothing else`() async throws {
        let server = try server()
        #expect(try await server.accepts(Sample(Sample.opened(), "17")))
        // The last night's metric is absent before the first night.
        _ = try await server.number(
            "insert into census.night_run (started_at, finished_at) values (now(), now()) returning 1")
        let told = try await server.scrape { $0["widget_census_last_night_timestamp_seconds"] > 0 }.families
        _ = try await server.sql("delete from census.night_run")
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/reference/metrics.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let documented = rows.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(documented.map { $0[0] } == told.map { "`\($0.name)`" })
        for (row, family) in zip(documented, told) {
            #expect(row[1] == family.type, "\(family.name)")
            #expect(Set(row[2].split(separator: ", ").map(String.init)) == family.labels, "\(family.name)")
            #expect(row[3].count > 5, "\(family.name)")
        }
    }

    @Test func `nothing that clients send becomes a label, and there are few series`() async throws {
        let server = try server()
        for number in 0..<50 {
            var sample = Sample(Sample.opened("kind-\(number)"), "{\"type\":\"type-\(number)\"}")
            sample.version = "version-\(number)"
            #expect(try await server.post(sample).status == 202)
            let request = RawRequest(method: "GET", path: "/path-\(number)?query-\(number)")
            #expect(try await server.send(request).status == 404)
        }
        let scrape = try await server.scrape()
        // Each route has about twenty series for its statuses, codes and durations.
        #expect(scrape.samples.count < 20 * (Route.names.count + 8))
        let text = scrape.samples.keys.joined(separator: "\n")
        for word in ["kind-", "type-", "version-", "path-", "query-", IngestTestServer.app, server.key.text] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(!text.contains(#"code="other""#) || scrape[#"widget_census_http_problems_total{code="other"}"#] == 0)
    }

    @Test func `metrics describe the process and the program`() async throws {
        let scrape = try await server().scrape()
        #expect(scrape["process_resident_memory_bytes"] > 5_000_000)
        #expect(scrape["process_cpu_seconds_total"] > 0)
        let age = Date.now.timeIntervalSince1970 - scrape["process_start_time_seconds"]
        #expect(age > -2 && age < 86_400)
        #expect(scrape.samples.contains { $0.key.hasPrefix("widget_census_build_info{version=") && $0.value == 1 })
    }
}
