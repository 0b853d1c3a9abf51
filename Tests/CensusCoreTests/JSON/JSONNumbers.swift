import SeededRandom
import Testing

@testable import CensusCore

@Suite struct `JSON numbers` {
    static let whole: [(String, Int64)] = [
        ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("1.0", 1), ("1.000", 1), ("1e0", 1), ("1E0", 1), ("10e-1", 1),
        ("1e3", 1_000), ("1.5e1", 15), ("-1.5e1", -15), ("100e-2", 1), ("0e99", 0), ("0.0e-5", 0), ("-0.0", 0),
        ("1e18", 1_000_000_000_000_000_000), ("9223372036854775807", .max), ("-9223372036854775808", .min),
        ("9223372036854775807.0", .max), ("-9223372036854775808.0", .min),
        ("9007199254740993.0", 9_007_199_254_740_993),
        ("922337203685477580.7e1", .max), ("1e+0000000000000000000018", 1_000_000_000_000_000_000),
    ]

    static let notWhole = [
        "0.5", "1.5", "1e-1", "15e-1", "-0.1", "1e19", "9223372036854775808", "-9223372036854775809",
        "9223372036854775808.0", "1e400", "-1e400", "1e-400", "1e99999999999999999999", "1e-99999999999999999999",
        // Numbers that a Double would round to a whole number.
        "0.99999999999999999999", "1.00000000000000000001", "1000.00000000000000000001", "9007199254740992.5",
    ]

    @Test(arguments: whole) func `a whole number of 64 bits is read, however it is written`(
        text: String, value: Int64
    ) throws {
        #expect(try JSONDocument(Array(text.utf8)).integer(at: 0) == value)
    }

    @Test(arguments: notWhole) func `a number that isn't whole or exceeds 64 bits is no integer`(text: String) throws {
        #expect(try JSONDocument(Array(text.utf8)).integer(at: 0) == nil)
    }

    @Test(arguments: [#""1""#, "true", "null", "[1]", #"{"a":1}"#])
    func `a value that isn't a number is no integer`(text: String) throws {
        #expect(try JSONDocument(Array(text.utf8)).integer(at: 0) == nil)
    }

    @Test func `an out-of-range number doesn't affect its neighbours`() throws {
        let document = try JSONDocument(Array("[1,1e400,123456789012345678901234567890,2]".utf8))
        #expect(document.elements(of: 0).map { document.integer(at: $0) } == [1, nil, nil, 2])
    }

    @Test func `a million digits are parsed and read within 3 seconds`() throws {
        let digits = String(repeating: "7", count: 1_000_000)
        let bytes = Array("[\(digits),-\(digits),0.\(digits),1e\(digits),5]".utf8)
        let time = try processorTime {
            let document = try JSONDocument(bytes)
            #expect(document.elements(of: 0).map { document.integer(at: $0) } == [nil, nil, nil, nil, 5])
            #expect(document.source(at: 1).count == 1_000_000)
        }
        #expect(time < .seconds(3))
    }

    @Test(arguments: UInt64(0)..<4) func `every integer reads back as it was written`(seed: UInt64) throws {
        var random = Seeded(seed)
        for _ in 0..<500 {
            let value = Int64(bitPattern: random.next()) >> Int64(random.below(64)) | 1
            for text in ["\(value)", "\(value).0", "\(value)e0", "\(value)0e-1"] {
                #expect(try JSONDocument(Array(text.utf8)).integer(at: 0) == value, "\(text)")
            }
        }
    }
}
