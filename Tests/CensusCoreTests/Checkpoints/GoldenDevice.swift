import Foundation
import SeededRandom
import Testing

@testable import CensusCore

/// One device of a golden file: its state as bytes of some format and in readable form, and its later observations.
///
/// Each line of the text has fields separated by tabs. A device begins with the line `device`.
struct GoldenDevice {
    var number: Int
    var fold: DeviceFold
    var bytes: [UInt8]
    var state: [(label: String, value: String)]
    var later: [Observation]

    /// The devices of a file, in its order.
    static func all(in text: String) throws -> [GoldenDevice] {
        var devices: [GoldenDevice] = []
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if fields[0] == "device" {
                devices.append(try GoldenDevice(fields))
                continue
            }
            let last = devices.endIndex - 1
            try #require(last >= 0)
            switch fields[0] {
            case "bytes": devices[last].bytes = Array(try #require(Data(base64Encoded: fields[1])))
            case "state": devices[last].state.append((fields[1], fields[2]))
            case "later": devices[last].later.append(try Observation(golden: fields))
            default: Issue.record("a line begins with \(fields[0])")
            }
        }
        return devices
    }

    var text: String {
        var lines = [
            [
                "device", "\(number)", "\(fold.window.days)", fold.window.zone.identifier,
                fold.doubtedBuilds.sorted().joined(separator: ","),
            ],
            ["bytes", Data(bytes).base64EncodedString()],
        ]
        lines += state.map { ["state", $0.label, $0.value] }
        lines += later.map(\.golden)
        return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    private init(_ fields: [String]) throws {
        number = try #require(Int(fields[1]))
        fold = DeviceFold(
            window: ActivityWindow(
                days: try #require(Int(fields[2])), zone: try #require(ReportingZone(identifier: fields[3]))),
            doubtedBuilds: Set(fields[4].split(separator: ",").map(String.init)))
        (bytes, state, later) = ([], [], [])
    }

    /// A device as the current program writes it: a random history, cut at a random time.
    init(random number: Int) {
        let history = RandomHistory(UInt64(number), collides: number.isMultiple(of: 4))
        var random = Seeded(~UInt64(number))
        let sorted = history.observations.sorted()
        let time = random.pick(sorted).at
        let state = history.fold(sorted.filter { $0.at <= time })
        self.number = number
        fold = history.fold
        bytes = fold.checkpoint(of: state)
        self.state = []
        later = sorted.filter { $0.at > time }
    }
}

extension Observation {
    fileprivate var golden: [String] {
        let said = circumstances
        return [
            "later", id, "\(occurredAt.microseconds)", "\(at.microseconds)", installation.bytes.hexadecimal,
            surface.rawValue, said.platform.rawValue, said.osVersion ?? "-", said.osBuild ?? "-", said.appVersion,
            said.channel, said.bootedAt.map { "\($0.microseconds)" } ?? "-",
            said.firstLaunchedAt.map { "\($0.microseconds)" } ?? "-", said.galleryPolicy.map { "\($0)" } ?? "-",
            event.type.rawValue, String(decoding: event.content, as: UTF8.self), said.rebooted.map { "\($0)" } ?? "-",
        ]
    }

    fileprivate init(golden fields: [String]) throws {
        func time(_ index: Int) throws -> Timestamp { Timestamp(microseconds: try #require(Int64(fields[index]))) }
        func optional(_ index: Int) -> String? { fields[index] == "-" ? nil : fields[index] }
        let digits = try #require(UInt64(fields[4].suffix(16), radix: 16))
        self.init(
            id: fields[1], occurredAt: try time(2), at: try time(3),
            installation: Pseudonym(high: try #require(UInt64(fields[4].prefix(16), radix: 16)), low: digits),
            surface: try #require(Surface(rawValue: fields[5])),
            circumstances: Circumstances(
                platform: try #require(Platform(rawValue: fields[6])), osVersion: optional(7), osBuild: optional(8),
                appVersion: fields[9], channel: fields[10],
                bootedAt: try optional(11).map { _ in try time(11) },
                // Format 2 has no such field.
                rebooted: fields.count > 16 ? optional(16).map { $0 == "true" } : nil,
                firstLaunchedAt: try optional(12).map { _ in try time(12) },
                galleryPolicy: try optional(13).map { try #require(Int64($0)) }),
            event: try Event(try #require(EventType(rawValue: fields[14])), content: Array(fields[15].utf8)))
    }
}
