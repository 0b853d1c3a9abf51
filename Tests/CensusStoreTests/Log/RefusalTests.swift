import CensusCore
import CensusStore
import Testing

@Suite struct `Refused events` {
    private let body =
        #"{"sent_at":"2026-01-05T09:00:00Z","app":{"id":"com.example.weather","version":"1"},"#
        + #""device":{"id":"6F1D","platform":"ios"},"installation":{"id":"A0C2"},"events":["#
        + #"{"id":"good","type":"widget_installed","at":"2026-01-05T08:00:00Z","widget":{"kind":"weather"}},"#
        + #"{"id":"odd","type":"widget_danced","at":"2026-01-05T08:00:00Z"},"#
        + #"{"id":"a\u0000b","type":"widget_installed","at":"2026-01-05T08:00:00Z","widget":{"kind":"weather"}},"#
        + #"{"id":"nul","type":"widget_installed","at":"2026-01-05T08:00:00Z","widget":{"kind":"a\u0000b"}},"#
        + #"{"id":"old","type":"widget_installed","at":"1970-01-01T00:00:00Z","widget":{"kind":"\t\\N"}}]}"#

    private func rows(_ test: TestStore, received: String = "2026-01-05T09:00:00Z") throws -> BatchRows {
        let received = try #require(Timestamp(rfc3339: received))
        let batch = try BatchDecoder().decode(Array(body.utf8), received: received)
        return BatchRows(batch, appNumber: test.app.number, secret: test.secret, received: received)
    }

    @Test func `rejected events are stored with their reason, beside accepted ones`() async throws {
        try await TestStore.with { test in
            let outcome = try await test.store.log.append([rows(test)])
            #expect(outcome.stored == 1)
            let rows = try await test.lines(
                """
                select
                    refused_on,
                    code,
                    event_id,
                    convert_from(event, 'UTF8')
                from census.refused
                order by convert_from(event, 'UTF8') collate "C"
                """)
            #expect(
                rows
                    == [
                        #"2026-01-05|invalid_id|∅|{"id":"a\u0000b","type":"widget_installed","at":"2026-01-05T08:00:00Z","#
                            + #""widget":{"kind":"weather"}}"#,
                        #"2026-01-05|invalid_widget|nul|{"id":"nul","type":"widget_installed","at":"2026-01-05T08:00:00Z","#
                            + #""widget":{"kind":"a\u0000b"}}"#,
                        #"2026-01-05|unknown_type|odd|{"id":"odd","type":"widget_danced","at":"2026-01-05T08:00:00Z"}"#,
                        #"2026-01-05|too_old|old|{"id":"old","type":"widget_installed","at":"1970-01-01T00:00:00Z","#
                            + #""widget":{"kind":"\t\\N"}}"#,
                    ].sorted {
                        $0.split(separator: "|")[3].utf8.lexicographicallyPrecedes($1.split(separator: "|")[3].utf8)
                    })
        }
    }

    @Test func `a redelivery adds rows on another day, but not on the same day`() async throws {
        try await TestStore.with { test in
            for _ in 0..<3 { _ = try await test.store.log.append([rows(test), rows(test)]) }
            let count = "select count(*) from census.refused"
            #expect(try await test.value(Int.self, count) == 4)
            _ = try await test.store.log.append([rows(test, received: "2026-01-06T09:00:00Z")])
            #expect(try await test.value(Int.self, count) == 8)
        }
    }

    @Test func `only the beginning of a huge event is stored`() async throws {
        try await TestStore.with { test in
            let received = Timestamp.day(1)
            let widgets = (0..<900).map { #"{"kind":"\#(String(repeating: "k", count: 190))\#($0)"}"# }
            let report = #"{"id":"1","type":"widgets_reported","at":"1970-01-01T00:00:00Z","widgets":["#
            let body =
                #"{"sent_at":"\#(received)","app":{"id":"com.example.weather","version":"1"},"#
                + #""device":{"id":"6F1D","platform":"ios"},"installation":{"id":"A0C2"},"events":["#
                + report + widgets.joined(separator: ",") + "]}]}"
            let batch = try BatchDecoder().decode(Array(body.utf8), received: received)
            _ = try await test.store.log.append([
                BatchRows(batch, appNumber: test.app.number, secret: test.secret, received: received)
            ])
            #expect(try await test.value(Int.self, "select octet_length(event) from census.refused") == 65_536)
        }
    }

    @Test func `a batch is stored whole or not at all`() async throws {
        try await TestStore.with { test in
            try await test.execute("alter table census.observation add constraint full_disk check (false) not valid")
            await #expect(throws: StoreError.self) { try await test.store.log.append([rows(test)]) }
            #expect(try await test.value(Int.self, "select count(*) from census.refused") == 0)
            #expect(try await test.value(Int.self, "select count(*) from census.pending_device") == 0)
        }
    }
}
