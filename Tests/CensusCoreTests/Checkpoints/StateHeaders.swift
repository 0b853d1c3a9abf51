import Fleet
import Testing

@testable import CensusCore

@Suite struct `State headers` {
    private let state: DeviceState
    private let bytes: [UInt8]

    init() {
        var device = Device()
        device.reports([.weather("Prague"): 2, .search: 1], .day(1))
        state = device.state
        bytes = DeviceFold().checkpoint(of: device.state)
    }

    /// RFC 3720, appendix B.4, and the check value from the CRC catalogue.
    private static let checksums: [([UInt8], UInt32)] = [
        (Array("123456789".utf8), 0xE306_9283), (Array(repeating: 0, count: 32), 0x8A91_36AA),
        (Array(repeating: 0xFF, count: 32), 0x62A8_AB43), (Array(0..<32), 0x46DD_794E), ([], 0),
    ]

    @Test(arguments: checksums) func `the checksum is CRC-32C`(bytes: [UInt8], wanted: UInt32) {
        #expect(CRC32C.checksum(bytes[...]) == wanted)
        #expect(CRC32C.checksum(bytes.prefix(5), bytes.dropFirst(5)) == wanted)
    }

    @Test func `every changed bit, missing byte and extra byte is detected`() {
        for position in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[position] ^= 1 << bit
                #expect(throws: UnreadableState.self, "bit \(bit) of \(position)") {
                    try DeviceFold().state(base: changed)
                }
                #expect(DeviceFold().state(checkpoint: changed) == nil)
            }
        }
        for length in bytes.indices {
            #expect(throws: UnreadableState.self, "\(length) bytes") {
                try DeviceFold().state(base: Array(bytes.prefix(length)))
            }
            #expect(DeviceFold().state(checkpoint: Array(bytes.prefix(length))) == nil)
        }
        #expect(throws: UnreadableState.damaged) { try DeviceFold().state(base: bytes + [0]) }
        #expect(DeviceFold().state(checkpoint: bytes + [0]) == nil)
    }

    /// A newer program might put its checksum elsewhere, so the format's number alone must identify it.
    @Test func `a newer format is distinguished from damage`() {
        let newer = DeviceFold.format + 1
        let bytes = StateHeader.magic + StateHeader.bigEndian(newer) + Array(repeating: 7, count: 40)
        #expect(throws: UnreadableState.newerFormat(Int(newer))) { try DeviceFold().state(base: bytes) }
        #expect(DeviceFold().state(checkpoint: bytes) == nil)
        #expect(throws: UnreadableState.unknown) { try DeviceFold().state(base: [1, 2, 3]) }
        #expect(throws: UnreadableState.unknown) { try DeviceFold().state(base: []) }
    }

    @Test func `a state under other rules is a base, but no checkpoint`() throws {
        let (header, body) = try StateHeader.read(bytes)
        var other = header
        other.rules = DeviceFold.rules - 1
        other.olderRules = [1]
        let older = other.bytes(before: Array(body))
        #expect(DeviceFold().state(checkpoint: older) == nil)

        var known = try DeviceFold().state(base: older)
        #expect(known.olderRules == [1, Int(DeviceFold.rules) - 1])
        // Later states keep the note.
        known = try DeviceFold().state(base: DeviceFold().checkpoint(of: known))
        #expect(known.olderRules == [1, Int(DeviceFold.rules) - 1])
        known.olderRules = []
        #expect(known == state)
    }

    @Test func `a header without a payload is malformed, not damaged`() {
        var bytes = StateHeader.magic
        bytes += StateHeader.bigEndian(DeviceFold.format) + StateHeader.bigEndian(DeviceFold.rules)
        bytes += StateHeader.bigEndian(UInt32(0))
        bytes += StateHeader.bigEndian(CRC32C.checksum(bytes[...]))
        #expect(bytes.count == 16)
        #expect(throws: UnreadableState.malformed(format: Int(DeviceFold.format))) {
            try DeviceFold().state(base: bytes)
        }
        #expect(throws: UnreadableState.damaged) { try DeviceFold().state(base: Array(bytes.prefix(15))) }
    }

    @Test func `a truncated state of format 2 is malformed`() {
        #expect(throws: UnreadableState.malformed(format: 2)) { try DeviceFold().state(base: [2]) }
    }

    @Test func `a state of the previous rules reads the same, but is no checkpoint`() throws {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        let bytes = DeviceFold().checkpoint(of: device.state)
        let older = try #require(DeviceFold.underOlderRules(bytes))
        let mark = DeviceFold.checkpointMark
        #expect(Array(bytes[..<4]) == mark.magic && Array(bytes[6..<8]) == mark.rules)
        #expect(Array(older[6..<8]) == StateHeader.bigEndian(DeviceFold.rules - 1))
        #expect(DeviceFold().state(checkpoint: older) == nil)
        var state = try DeviceFold().state(base: older)
        #expect(state.olderRules == [Int(DeviceFold.rules) - 1])
        state.olderRules = []
        #expect(state == device.state)
    }
}
