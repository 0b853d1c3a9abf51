import CensusCore
import CensusStore
import Fleet
import Postgres
import PostgresTesting
import Testing

/// Strings that trouble COPY, SQL, JSON and terminals.
@Suite struct `Naughty strings` {
    static let some = [
        "\t", "\n", "\r\n", "\\", "\\N", "\\.", "\n\\.\n", "\"", "'", "''", "$1", "$$", "%s", "{}", "null", "NULL", "∅",
        "'; drop table census.observation; --", "<script>alert(1)</script>", "=cmd|' /C calc'!A0", "\u{1}\u{1F}\u{7F}",
        "caf\u{E9}", "cafe\u{301}", "日本語", "🇨🇿👩🏽‍🚀", "עברית", "\u{202E}abc", "\u{FEFF}", "\u{2028}", "\u{D7FF}",
        "\u{FFFF}", "\u{10FFFF}", " ", "  x  ", "ﷺ", "İ", "ß",
    ]

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `an event's id, kind and configuration are read back byte for byte`() async throws {
        try await TestStore.with { test in
            var random = Seeded(7)
            let strings =
                Naughty.some
                + (0..<2_000).map { _ in (0...random.below(4)).map { _ in random.pick(Naughty.some) }.joined() }
            var phone = Phone("phone")
            for (number, text) in strings.enumerated() {
                let placement = Placement(kind: text, family: text, intent: text, configuration: text, instance: text)
                phone.happens(.installed(placement), .day(1, minute: Int64(number)), id: text)
            }
            #expect(try await test.tell(phone).stored == strings.count)

            let read = try await test.store.devices.observations(of: test.device(phone)).sorted()
            let wanted = phone.observations(test.secret).sorted()
            #expect(read.count == wanted.count)
            for (one, other) in zip(read, wanted) {
                #expect(bytes(one.id) == bytes(other.id))
                #expect(one == other)
                for (mine, theirs) in zip(one.event.placements, other.event.placements) {
                    #expect(bytes(mine.kind) == bytes(theirs.kind))
                    #expect(mine.configuration.map(bytes) == theirs.configuration.map(bytes))
                }
            }

            try await test.reconcile()
            #expect(try await test.spans() == test.foldedSpans([phone]))
            let kinds = try await test.store.pool.query(Statement("test", "select distinct kind from census.span"))
                .map { bytes(try $0.decode(String.self, at: 0)) }
            #expect(Set(kinds) == Set(strings.map(bytes)))
        }
    }

    private typealias Naughty = `Naughty strings`
}
