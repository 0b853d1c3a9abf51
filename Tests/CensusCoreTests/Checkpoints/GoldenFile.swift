import Foundation

@testable import CensusCore

/// A compressed text file next to the tests.
struct GoldenFile: Sendable {
    /// The exit status of gzip.
    struct Failed: Error {
        var status: Int32
    }

    let name: String

    private var url: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name).gz")
    }

    /// CRC-32C of the file, in hexadecimal. It reveals an accidental edit.
    var checksum: String {
        get throws { String(CRC32C.checksum(Array(try Data(contentsOf: url))[...]), radix: 16) }
    }

    func text() throws -> String {
        String(decoding: try GoldenFile.gzip(["-dc"], Data(contentsOf: url)), as: UTF8.self)
    }

    func write(_ text: String) throws {
        // Without a name and time, so that equal texts make equal files.
        try GoldenFile.gzip(["-9nc"], Data(text.utf8)).write(to: url)
    }

    private static func gzip(_ arguments: [String], _ input: Data) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (folder.appending(path: "input"), folder.appending(path: "output"))
        try input.write(to: source)
        try Data().write(to: target)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip"] + arguments
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput = try FileHandle(forWritingTo: target)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
        return try Data(contentsOf: target)
    }
}
