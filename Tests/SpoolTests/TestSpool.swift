import CensusCore
import CensusStore
import Foundation
import GRDB
import PostgresTesting

@testable import Spool

/// A spool in its own folder, in memory, where syncing takes no time.
struct TestSpool {
    let folder = TestFolder(isInMemory: true)

    var path: String { folder.path }

    func open(limit: Int = 64 << 20, segmentBytes: Int = 4 << 20) throws -> BatchSpool {
        try BatchSpool(folder: path, limit: limit, program: "1.2.3", segmentBytes: segmentBytes)
    }

    /// Copies the files to another folder, as a power cut now would leave them.
    func cut() throws -> TestSpool {
        let other = TestSpool()
        try FileManager.default.createDirectory(
            atPath: other.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(other.path)/\(name)")
        }
        return other
    }

    var byteCount: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: path).reduce(0) { sum, name in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
                return sum + (attributes[.size] as? Int ?? 0)
            }
        }
    }

    /// Whether any of the files contains the bytes.
    func holds(_ bytes: [UInt8]) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: path).contains { name in
            try Data(contentsOf: URL(filePath: "\(path)/\(name)")).range(of: Data(bytes)) != nil
        }
    }

    func holds(_ device: Pseudonym) throws -> Bool {
        try holds(device.bytes)
    }
}

extension BatchSpool {
    /// Runs SQL on the segment that new batches go to.
    func execute(_ sql: String) throws {
        _ = try use(segments.count - 1) { try $0.writeWithoutTransaction { try $0.execute(sql: sql) } }
    }

    func value(of sql: String) throws -> String? {
        try use(segments.count - 1) { try $0.inDatabase { try String.fetchOne($0, sql: sql) } }
    }
}

extension BatchRows {
    private static let sampleWarning =
        "many devices send this id: all of them count as one; make one of your own and keep it over reinstalls"

    /// A device's batch with events of this name, one rejected event and, if requested, a failed read.
    static func sample(
        _ name: String, device: String = "device", names: KnownNames = KnownNames(), padding: Int = 0,
        hasRead: Bool = false
    ) throws -> BatchRows {
        let configuration = String(repeating: "x", count: min(padding, 200))
        let copies = max(padding / 200, 1)
        var events = (0..<copies).map { number in
            #"{"id":"\#(name)-\#(number)","type":"widget_opened","at":"2026-11-21T09:00:00Z","#
                + #""widget":{"kind":"weather","family":"systemSmall","configuration":"\#(configuration)"}}"#
        }
        if hasRead {
            events.append(
                #"{"id":"\#(name)-read","type":"widgets_reported","at":"2026-11-21T08:44:00Z","#
                    + #""error":{"domain":"CHSErrorDomain","code":1101}}"#)
        }
        let json = """
            {"sent_at":"2026-11-21T10:00:00Z","app":{"id":"com.example.weather","version":"1.0"},
            "device":{"id":"\(device)","platform":"ios","os_version":"17.1"},
            "installation":{"id":"installation"},"events":[\(events.joined(separator: ",")),17]}
            """
        guard let received = Timestamp(rfc3339: "2026-11-21T10:00:00Z") else { preconditionFailure("no time") }
        var batch = try BatchDecoder(limits: Limits()).decode(Array(json.utf8), received: received)
        // Golden bytes contain it, so it doesn't follow the program's wording.
        for index in batch.warnings.indices { batch.warnings[index].message = sampleWarning }
        return BatchRows(batch, names: names, appNumber: 7, secret: try .test, received: received)
    }
}

extension Secret {
    static var test: Secret { get throws { try Secret("a secret of the tests") } }
}
