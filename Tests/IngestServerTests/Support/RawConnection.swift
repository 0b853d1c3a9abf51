import Glibc

/// A TCP connection on which a test writes arbitrary bytes.
///
/// Its socket never blocks. The task sleeps until data arrives, so hundreds of connections fit the cooperative pool.
final class RawConnection {
    enum Failure: Error {
        case cannotConnect(Int32)
        /// The other side closed or reset the connection.
        case closed
        /// Too little data arrived in time, or none.
        case silent
    }

    /// Generous, because only a failing test waits this long.
    static let patience: Duration = .seconds(30)

    private let socket: Int32
    private var buffer: [UInt8] = []

    /// - Parameter ipAddress: In network byte order.
    init(port: Int, address ipAddress: UInt32 = UInt32(0x7F00_0001).bigEndian) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = ipAddress
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(socket)
            throw Failure.cannotConnect(errno)
        }
        var isOn: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(socket) }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        var start = 0
        let deadline = ContinuousClock.now + RawConnection.patience
        while start < bytes.count {
            let sent = bytes.withUnsafeBytes { bytes in
                Glibc.send(
                    socket, bytes.baseAddress?.advanced(by: start), bytes.count - start,
                    Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if sent > 0 {
                start += sent
            } else if errno == EAGAIN || errno == EINTR {
                guard ContinuousClock.now < deadline else { throw Failure.silent }
                try await Task.sleep(for: .milliseconds(1))
            } else {
                throw Failure.closed
            }
        }
    }

    /// Makes the receive buffer tiny, so the kernel keeps almost nothing of an unread response.
    func takeLittle() { take(16_384) }

    /// Enlarges the receive buffer. With a tiny one the rest arrives in pieces, after ever rarer window probes.
    func takeMuch() { take(1 << 20) }

    private func take(_ bytes: Int32) {
        var bytes = bytes
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Closes the sending side.
    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Whether the server ends the connection. Discards everything that it still sends.
    func isEnded(within limit: Duration = patience) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            do {
                try await receive(until: deadline)
            } catch Failure.closed {
                return true
            } catch Failure.silent {
                return false
            }
        }
        return false
    }

    /// Everything that the server still sends before it ends the connection.
    func rest(within limit: Duration = patience) async throws -> [UInt8] {
        let deadline = ContinuousClock.now + limit
        do {
            while true { try await receive(until: deadline) }
        } catch Failure.closed {
            return buffer
        }
    }

    /// Reads one response, and leaves a second one for the next call.
    ///
    /// - Parameter toHead: Whether the request was a HEAD. Its response has no body, despite its content length.
    func response(toHead: Bool = false, within limit: Duration = patience) async throws -> RawResponse {
        let deadline = ContinuousClock.now + limit
        let end = Array("\r\n\r\n".utf8)
        var headEnd = buffer.firstRange(of: end)
        while headEnd == nil {
            try await receive(until: deadline)
            headEnd = buffer.firstRange(of: end)
        }
        let head = String(decoding: buffer[..<(headEnd?.lowerBound ?? 0)], as: UTF8.self)
        buffer.removeFirst(headEnd?.upperBound ?? 0)
        var response = try RawResponse(head: head)
        if toHead || response.status == 304 || response.status == 204 { return response }
        let length = Int(response.headers["content-length"] ?? "") ?? 0
        while buffer.count < length { try await receive(until: deadline) }
        response.body = Array(buffer[..<length])
        buffer.removeFirst(length)
        return response
    }

    private func receive(until deadline: ContinuousClock.Instant) async throws {
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(socket, &piece, piece.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                buffer.append(contentsOf: piece[..<count])
                return
            }
            if count == 0 { throw Failure.closed }
            guard errno == EAGAIN || errno == EINTR else { throw Failure.closed }
            guard ContinuousClock.now < deadline else { throw Failure.silent }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

extension RawConnection {
    /// An IPv4 address of this machine that isn't loopback, in network byte order.
    static var ownAddress: UInt32? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let interface = entry?.pointee, let name = interface.ifa_addr, name.pointee.sa_family == AF_INET
            else {
                continue
            }
            let address = name.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr.s_addr }
            if UInt32(bigEndian: address) >> 24 != 127 { return address }
        }
        return nil
    }
}
