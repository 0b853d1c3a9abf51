import Glibc

/// A TCP socket whose connections the kernel accepts and nothing reads.
final class SilentListener: Sendable {
    let socket: Int32
    let port: UInt16

    init() throws {
        (socket, port) = try Self.listen()
    }

    deinit { close(socket) }

    static func listen() throws -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && Glibc.listen(socket, 64) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard isListening else { throw SocketError(code: errno) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }
}

struct SocketError: Error {
    var code: Int32
}
