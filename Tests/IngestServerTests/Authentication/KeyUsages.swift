import CensusCore
import CensusStore
import PostgresTesting
import Testing

@testable import IngestServer

/// Finds the key that makes others wait.
@Suite struct `Usage of keys` {
    private let records = LogRecords()
    private func key(_ number: Int) -> KeyHash { KeyHash([UInt8](repeating: UInt8(number), count: 32)) }

    @Test func `usage lists the three heaviest keys, under the names that keys list prints`() {
        let usage = KeyUsage(logger: records.logger)
        for number in 0..<100 { usage.add(key(number), bytes: number, store: .milliseconds(number % 50)) }
        usage.add(key(7), processor: .seconds(8))
        let told = usage.greediest
        #expect(told.map(\.name) == ["070707070707", "636363636363", "313131313131"])
        #expect(told[0].amount == .init(bytes: 7, processor: .seconds(8), store: .milliseconds(7)))
    }

    @Test func `a minute in which no request was turned away is not logged, and any other is one line`() {
        let usage = KeyUsage(logger: records.logger)
        usage.add(key(1), bytes: 5, processor: .seconds(1))
        usage.endMinute()
        #expect(records.text == "")
        usage.add(key(1), bytes: 500, processor: .seconds(1), refused: 1)
        for _ in 0..<20 { usage.add(key(2), bytes: 5, refused: 1) }
        usage.endMinute()
        #expect(records.text.split(separator: "\n").count == 1)
        #expect(records.text.contains("requests were turned away; this key used the most"))
        #expect(records.text.contains("010101010101"))
        #expect(!records.text.contains("020202020202"))
        usage.endMinute()
        #expect(records.text.split(separator: "\n").count == 1)
    }

    @Test func `usage covers the current and the previous minute`() {
        let usage = KeyUsage(logger: records.logger)
        usage.add(key(1), bytes: 5)
        usage.endMinute()
        usage.add(key(1), bytes: 6)
        #expect(usage.greediest.map(\.amount.bytes) == [11])
        usage.endMinute()
        usage.endMinute()
        #expect(usage.greediest.isEmpty)
    }

    @Test func `any number of keys takes little memory`() {
        let usage = KeyUsage(logger: records.logger)
        for number in 0..<10_000 { usage.add(KeyHash(withUnsafeBytes(of: number) { Array($0) }), bytes: 1) }
        #expect(usage.greediest.count == KeyUsage.told)
    }
}

/// The server reports usage and rejections of the key that caused them, and of no other.
@Suite(.serialized, .server { $0.rates = RateLimits(requests: 2, events: 100, kibibytes: 1_024) })
struct `Usage at the server` {
    @Test func `a rejected key is logged by name, and by no part of its text`() async throws {
        let server = try server()
        let name = String(server.key.hash.bytes.prefix(6).hexadecimal)
        var refused = 0
        for _ in 0..<30 where try await !server.accepts() { refused += 1 }
        #expect(refused > 0)
        let scrape = try await server.scrape()
        #expect(scrape["widget_census_key_refused{key=\"\(name)\"}"] == Double(refused))
        #expect(scrape["widget_census_key_bytes{key=\"\(name)\"}"] > 0)
        #expect(scrape["widget_census_key_processor_seconds{key=\"\(name)\"}"] > 0)
        #expect(!scrape.samples.keys.contains { $0.contains(server.key.text.suffix(12)) })
    }

    /// A report with a new name waits for the store. It was once charged again after that wait.
    @Test func `a report with a new name is charged once`() async throws {
        let server = try server()
        let bytes = "widget_census_key_bytes{key=\"\(server.key.hash.bytes.prefix(6).hexadecimal)\"}"
        #expect(try await eventually { try await server.accepts() })
        var sample = Sample(Sample.reported())
        sample.events = [Sample.reported().replacing("[]", with: #"[{"kind":"never before"}]"#)]
        let before = try await server.scrape()[bytes]
        #expect(try await eventually { try await server.post(sample).status == 202 })
        #expect(try await server.scrape()[bytes] - before == Double(sample.json.utf8.count))
    }
}
