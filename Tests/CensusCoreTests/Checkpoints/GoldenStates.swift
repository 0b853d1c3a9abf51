import Foundation
import Testing

@testable import CensusCore

/// States as programs wrote them in each format, and what is folded onto them (docs/decisions/0013-checkpoints.md).
///
/// To rewrite the unreleased format and rules, run `WRITE_GOLDEN=1 swift test --filter 'Golden states'`.
@Suite struct `Golden states` {
    static let formats = Array(2...Int(DeviceFold.format))

    /// CRC-32C of each released file. These files are never rewritten.
    static let released = [
        "format-2.states": "8384715d",
        "format-2.outcomes-of-rules-2": "749472ae",
    ]

    /// Fields that a format had and the state no longer has, by format.
    static let retired: [Int: Set<String>] = [:]

    @Test(arguments: released.keys.sorted()) func `released files never change`(name: String) throws {
        #expect(try GoldenFile(name: name).checksum == Self.released[name], "\(name).gz was edited: restore it")
    }

    @Test(arguments: formats) func `a state reads the same as when it was written`(format: Int) throws {
        try writeIfAsked(format)
        let devices = try GoldenDevice.all(in: GoldenFile(name: "format-\(format).states").text())
        #expect(devices.count == 200)
        let labels = Set(devices.flatMap { $0.state.map(\.label) }).subtracting(Self.retired[format] ?? [])
        for device in devices {
            let state = try device.fold.state(base: device.bytes)
            let (wanted, found) = (device.state, ReadableState(state).lines)
            #expect(
                found.filter { labels.contains($0.label) }.map { Text("\($0.label): \($0.value)") }
                    == wanted.filter { labels.contains($0.label) }.map { Text("\($0.label): \($0.value)") },
                "format \(format), device \(device.number)")
            #expect(state.olderRules == (format == 2 ? [2] : []))
        }
    }

    @Test(arguments: formats) func `folding later observations gives the recorded outcome`(format: Int) throws {
        try writeIfAsked(format)
        let devices = try GoldenDevice.all(in: GoldenFile(name: "format-\(format).states").text())
        let wanted = try Self.outcomes(of: format).text()
        let found = try Self.outcomes(devices)
        guard Text(wanted) != Text(found) else { return }
        let lines = [wanted, found].map { $0.split(separator: "\n").map { Text(String($0)) } }
        let first = zip(lines[0], lines[1]).first { $0 != $1 }
        Issue.record(
            """
            The outcomes have changed. If rules \(DeviceFold.rules) were released, raise DeviceFold.rules. Then, if \
            you meant this change, rewrite the outcomes (WRITE_GOLDEN=1). The first difference: \
            \(first.map { "\($0.text)\nis now\n\($1.text)" } ?? "their length")
            """)
    }

    /// Every state has the number of its rules, so no outcome may change without a new number.
    @Test func `no outcome is released for rules newer than the program's`() {
        for name in Self.released.keys where name.contains("outcomes") {
            let rules = name.split(separator: "-").last.flatMap { UInt16($0) }
            #expect(rules.map { $0 <= DeviceFold.rules } == true, "\(name)")
        }
    }

    private static func outcomes(of format: Int) -> GoldenFile {
        GoldenFile(name: "format-\(format).outcomes-of-rules-\(DeviceFold.rules)")
    }

    private static func outcomes(_ devices: [GoldenDevice]) throws -> String {
        var text = "rules\t\(DeviceFold.rules)\n"
        for device in devices {
            text += "device\t\(device.number)\n"
            let state = device.fold.fold(device.later, onto: try device.fold.state(base: device.bytes))
            for line in ReadableState(state).lines where line.label != "olderRules" {
                text += "state\t\(line.label)\t\(line.value)\n"
            }
        }
        return text
    }

    /// Never rewrites a released file.
    private func writeIfAsked(_ format: Int) throws {
        guard ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" else { return }
        let states = GoldenFile(name: "format-\(format).states")
        if Self.released[states.name] == nil {
            let devices = try (0..<200).map { number in
                var device = GoldenDevice(random: number)
                device.state = ReadableState(try device.fold.state(base: device.bytes)).lines
                return device
            }
            try states.write(devices.map(\.text).joined())
        }
        let outcomes = Self.outcomes(of: format)
        if Self.released[outcomes.name] == nil {
            try outcomes.write(Self.outcomes(GoldenDevice.all(in: states.text())))
        }
    }
}
