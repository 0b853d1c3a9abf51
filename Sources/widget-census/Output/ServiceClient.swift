internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Webhooks

/// Sends requests to a running service.
struct ServiceClient {
    private let client: HTTPClient
    private let server: URL
    private let key: String

    struct Answer {
        var status: Int
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        subscript(name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// What the service says is wrong; nil if it accepted the request.
        var problem: String? {
            struct Problem: Decodable { var code, message: String }
            guard !(200..<300).contains(status) else { return nil }
            let problem = try? JSONDecoder().decode(Problem.self, from: Data(body))
            return problem.map { "\(status) \($0.code): \($0.message)" } ?? "status \(status)"
        }
    }

    /// No answer is longer.
    private static let mostBytes = 64 << 20

    /// - Throws: ``Unreachable`` if there is no answer, or what `use` throws.
    static func with<T>(_ server: URL, key: String, _ use: (ServiceClient) async throws -> T) async throws -> T {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Otherwise the client retries an unreachable server until the timeout.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let result = try await use(ServiceClient(client: client, server: server, key: key))
            try await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    /// The same, with the key from a file.
    ///
    /// - Throws: ``UsageError`` if the file has none, too.
    static func with<T>(
        _ server: URL, keyFile: String, _ use: (ServiceClient) async throws -> T
    ) async throws -> T {
        let key = String(decoding: try ManifestFile.bytes(of: keyFile), as: UTF8.self).filter { !$0.isWhitespace }
        guard !key.isEmpty else { throw UsageError("\(keyFile) has no key") }
        return try await with(server, key: key, use)
    }

    /// A query of the parameters that have a value.
    static func query(_ parameters: [(String, String?)]) -> String {
        var query = URLComponents()
        query.queryItems = parameters.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        // A plus would be read as a space.
        return (query.percentEncodedQuery ?? "").replacingOccurrences(of: "+", with: "%2B")
    }

    /// As ``post(_:_:)``.
    ///
    /// - Throws: ``Unreachable`` if the service can't answer now; ``UsageError`` if it rejects the key or the request.
    func ask(_ path: String, _ body: [UInt8]?) async throws -> Answer {
        let answer = try await post(path, body)
        guard let problem = answer.problem else { return answer }
        // Only these can be different the next time.
        guard [408, 429].contains(answer.status) || answer.status >= 500 else {
            throw UsageError("\(server) answered \(problem)")
        }
        throw Unreachable(server: server, reason: problem)
    }

    /// - Parameters:
    ///   - path: with a query, if there is one.
    ///   - body: JSON.
    func post(_ path: String, _ body: [UInt8]?) async throws -> Answer {
        let base = server.absoluteString
        var request = HTTPClientRequest(url: (base.hasSuffix("/") ? String(base.dropLast()) : base) + path)
        request.method = .POST
        request.headers = ["authorization": "Bearer \(key)"]
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(body)
        }
        do {
            let response = try await client.execute(request, timeout: .seconds(60))
            // Read to the end, so that the connection can be reused.
            let buffer = try await response.body.collect(upTo: ServiceClient.mostBytes)
            return Answer(
                status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
                body: Array(buffer.readableBytesView))
        } catch {
            if error is CancellationError { throw error }
            throw Unreachable(server: server, reason: "\(DeliveryFailure(error))")
        }
    }
}

/// A server that does not answer; a retry can succeed.
struct Unreachable: ExplainedError {
    var server: URL
    var reason: String

    var description: String {
        "\(server) does not answer: \(reason). Check that the service runs there, then try again"
    }
}
