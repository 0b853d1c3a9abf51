import CensusCore
import Foundation
import Testing

@Suite struct `Values encoded as JSON strings` {
    private struct Values: Hashable, Codable {
        var day = Day(daysSince1970: 20_778)
        var at = Timestamp(microseconds: 1_795_867_298_123_456)
    }

    @Test func `a value reads back as it was written`() throws {
        let json = try JSONEncoder().encode(Values())
        #expect(try JSONDecoder().decode(Values.self, from: json) == Values())
    }

    @Test func `a string that isn't a valid value is rejected`() {
        let json = Data(#"["2026-02-30"]"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Day].self, from: json) }
    }
}
