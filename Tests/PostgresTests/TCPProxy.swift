import Glibc
import PostgresTesting
import Synchronization

/// Passes bytes between TCP clients and the test server's Unix socket, until told to misbehave.
final class TCPProxy: Sendable {
    private enum Mode {
        case forward
        /// Accepts connections and keeps them open, but passes nothing on.
        case stall
        /// Resets each connection after this many bytes from the client.
        case reset(Int)
    }

    private struct State {
        var mode = Mode.forward
        var isStopped = false
    }

    let connectionString: String
    private let path: String
    private let listener: Int32
    private let state = Mutex(State())

    init(to database: TestDatabase) async throws {
        let value = { (key: String) -> String in
            let match = try Regex("\(key)='?([^' ]+)'?").firstMatch(in: database.connectionString)
            return match?.output[1].substring.map(String.init) ?? ""
        }
        path = "\(try value("host"))/.s.PGSQL.\(try value("port"))"
        let (socket, port) = try SilentListener.listen()
        listener = socket
        connectionString =
            "host=127.0.0.1 port=\(port) user=\(try value("user")) dbname=\(database.name) sslmode=disable"
        Self.startThread { [self] in run() }
    }

    func stall() { state.withLock { $0.mode = .stall } }
    func resume() { state.withLock { $0.mode = .forward } }
    func reset(after bytes: Int) { state.withLock { $0.mode = .reset(bytes) } }
    func stop() { state.withLock { $0.isStopped = true } }

    /// One thread serves all connections, because a test has few.
    private func run() {
        var pairs: [(client: Int32, server: Int32, seen: Int)] = []
        while !state.withLock({ $0.isStopped }) {
            let mode = state.withLock { $0.mode }
            var sockets = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            if case .stall = mode {
                // Read nothing.
            } else {
                sockets += pairs.flatMap { [$0.client, $0.server] }.map {
                    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                }
            }
            guard poll(&sockets, UInt(sockets.count), 10) > 0 else { continue }
            for index in pairs.indices.reversed() where sockets.count > 1 {
                let fromClient =
                    sockets[1 + 2 * index].revents != 0 ? pass(pairs[index].client, pairs[index].server) : 0
                let fromServer =
                    sockets[2 + 2 * index].revents != 0 ? pass(pairs[index].server, pairs[index].client) : 0
                pairs[index].seen += max(fromClient ?? 0, 0)
                var isOver = fromClient == nil || fromServer == nil
                if case .reset(let limit) = mode, pairs[index].seen > limit { isOver = true }
                guard isOver else { continue }
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(
                    pairs[index].client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                close(pairs[index].client)
                close(pairs[index].server)
                pairs.remove(at: index)
            }
            if sockets[0].revents != 0 { pairs.append((accept(listener, nil, nil), connectToServer(), 0)) }
        }
        for pair in pairs {
            close(pair.client)
            close(pair.server)
        }
        close(listener)
    }

    /// - Returns: the number of bytes passed on; nil at the end of the stream.
    private func pass(_ source: Int32, _ target: Int32) -> Int? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(source, &buffer, buffer.count)
        guard count > 0 else { return nil }
        var start = 0
        while start < count {
            let sent = buffer.withUnsafeBytes {
                send(target, $0.baseAddress?.advanced(by: start), count - start, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return nil }
            start += sent
        }
        return count
    }

    private func connectToServer() -> Int32 {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        _ = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return socket
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, Unmanaged.passRetained(Box(body)).toOpaque())
        pthread_detach(thread)
    }
}
