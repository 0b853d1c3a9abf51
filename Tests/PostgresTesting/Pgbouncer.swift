#if canImport(FoundationEssentials)
    import FoundationEssentials
#endif
import Foundation

/// Runs pgbouncer between a test and a database, on a local port.
///
/// Debian has it in the package pgbouncer.
package final class Pgbouncer: @unchecked Sendable {
    private static let path = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    package static var isInstalled: Bool { path != nil }

    private let process = Process()
    private let folder: TestFolder
    /// libpq keyword string that leads through pgbouncer.
    package let connectionString: String

    /// - Parameters:
    ///   - database: a database on the test process's server.
    ///   - mode: `session`, `transaction` or `statement`.
    package init(_ database: TestDatabase, mode: String) throws {
        guard let path = Pgbouncer.path, let port = Pgbouncer.freePort() else { throw CocoaError(.fileNoSuchFile) }
        folder = TestFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        // If root starts it, pgbouncer becomes the server's user, the only one that can enter the socket's folder.
        let user = geteuid() == 0 ? "user = postgres" : ""
        try """
        [databases]
        \(database.name) = \(database.connectionString)
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = \(port)
        unix_socket_dir =
        auth_type = any
        pool_mode = \(mode)
        \(user)

        """.write(toFile: folder.path + "/pgbouncer.ini", atomically: true, encoding: .utf8)
        connectionString = "host=127.0.0.1 port=\(port) user=census dbname=\(database.name)"
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-q", folder.path + "/pgbouncer.ini"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<400 where !Pgbouncer.isTaken(port) { usleep(25_000) }
    }

    deinit {
        // Not terminate(), because the process inherits a blocked SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        folder.remove()
    }

    private static func freePort() -> UInt16? {
        withSocket { socket in
            var address = loopback(0)
            guard bound(socket, &address) else { return nil }
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let named = withUnsafeMutableBytes(of: &address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { getsockname(socket, $0.baseAddress, &length) }
            }
            return named == 0 ? UInt16(bigEndian: address.sin_port) : nil
        }
    }

    private static func isTaken(_ port: UInt16) -> Bool {
        withSocket { socket in
            var address = loopback(port)
            return !bound(socket, &address)
        }
    }

    private static func withSocket<T>(_ body: (Int32) -> T) -> T {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        defer { close(descriptor) }
        return body(descriptor)
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    private static func bound(_ socket: Int32, _ address: inout sockaddr_in) -> Bool {
        withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                bind(socket, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
