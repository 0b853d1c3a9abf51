import Glibc
import Synchronization
import Foundation

/// A receiver of webhooks on a local port. It keeps the requests and returns the configured response.
final class Receiver: Sendable {
    struct Request: Hashable, Sendable {
        var line: String
        /// Names in lower case.
        var headers: [String: String]
        var body: String

        var id: String { headers["webhook-id"] ?? "" }
    }

    enum Answer: Sendable {
        case status(Int, headers: [String: String] = [:])
        /// These bytes, then the end of the connection.
        case bytes(String)
        /// Nothing, until the sender gives up.
        case nothing
        /// A byte of an endless head from time to time.
        case crumbs
        /// A valid head, then an endless body.
        case endlessBody
    }

    private struct State {
        var answer: Answer
        var requests: [Request] = []
        var connections = 0
        var ended = 0
        var sent = 0
    }

    let port: Int
    private let listening: Int32
    private let state: Mutex<State>

    init(_ answer: Answer = .status(200), address: String = "127.0.0.1") throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = inet_addr(address)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                bind(socket, place, length) == 0 && listen(socket, 64) == 0 && getsockname(socket, place, &length) == 0
            }
        }
        guard isListening else { throw CannotListen(code: errno) }
        listening = socket
        port = Int(UInt16(bigEndian: place.sin_port))
        state = Mutex(State(answer: answer))
        Thread.detachNewThread { [self] in
            // Only closed here, because another receiver can get the number of a closed socket at once.
            defer { Glibc.close(listening) }
            while case let connection = accept(listening, nil, nil), connection >= 0 {
                state.withLock { $0.connections += 1 }
                Thread.detachNewThread { [self] in serve(connection) }
            }
        }
    }

    struct CannotListen: Error { var code: Int32 }

    /// Stops listening, so that connections are refused.
    func close() { shutdown(listening, Int32(SHUT_RDWR)) }

    func answer(_ answer: Answer) { state.withLock { $0.answer = answer } }

    var requests: [Request] { state.withLock { $0.requests } }
    var connections: Int { state.withLock { $0.connections } }
    /// Connections that have ended.
    var ended: Int { state.withLock { $0.ended } }
    /// Bytes sent of endless bodies.
    var sent: Int { state.withLock { $0.sent } }

    private func serve(_ connection: Int32) {
        defer {
            Glibc.close(connection)
            state.withLock { $0.ended += 1 }
        }
        guard let request = read(connection) else { return }
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answer
        }
        switch answer {
        case .status(let status, let headers):
            let lines = headers.map { "\($0): \($1)\r\n" }.joined()
            _ = send(connection, "HTTP/1.1 \(status) Answer\r\n\(lines)content-length: 2\r\n\r\nok")
        case .bytes(let text): _ = send(connection, text)
        case .nothing:
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
        case .crumbs:
            _ = send(connection, "HTTP/1.1 200 OK\r\nx-long: ")
            while send(connection, "a") { usleep(50_000) }
        case .endlessBody:
            _ = send(connection, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
            let chunk = "ffff\r\n" + String(repeating: "a", count: 0xFFFF) + "\r\n"
            while send(connection, chunk) { state.withLock { $0.sent += chunk.utf8.count } }
        }
    }

    private func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            if let request = Receiver.request(in: bytes) { return request }
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            bytes += piece[..<count]
        }
    }

    private static func request(in bytes: [UInt8]) -> Request? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.last?.trimmingCharacters(in: .whitespaces)
        }
        let body = bytes[end.upperBound...]
        guard body.count >= Int(headers["content-length"] ?? "") ?? 0 else { return nil }
        return Request(line: lines[0], headers: headers, body: String(decoding: body, as: UTF8.self))
    }

    private func send(_ connection: Int32, _ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
