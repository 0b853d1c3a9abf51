import CensusCore
import CensusStore
import Foundation
import IngestServer
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The nodes' clock.
final class TrialClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ time: Timestamp) { self.time = Mutex(time) }

    var now: Timestamp { time.withLock { $0 } }

    func set(_ now: Timestamp) { time.withLock { $0 = now } }
}

/// One node: its store and its server.
struct TrialNode: Sendable {
    /// The server's answer.
    private struct Policy: Decodable {
        struct Report: Decodable {
            var id: String
        }

        var kinds: [String: String]
        var reasons: [String: String]
        var report: Report?
        var valid_until: String?
    }

    struct Unexpected: Error, CustomStringConvertible {
        var description: String
    }

    let store: Store
    let names: NameLimiter
    let port: Int
    let key: Key
    private let session: URLSession

    init(store: Store, port: Int, key: Key) {
        self.store = store
        self.port = port
        self.key = key
        names = NameLimiter(store: store)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    /// Asks the server.
    ///
    /// - Returns: how its answer differs from the expected one; nil if it doesn't.
    func difference(from expected: TrialDevice.Expected) async throws -> String? {
        guard let url = URL(string: "http://127.0.0.1:\(port)/v1/gallery-policy") else { return "no address" }
        var request = URLRequest(url: url)
        request.setValue("Bearer \(key.text)", forHTTPHeaderField: "Authorization")
        request.setValue(expected.device, forHTTPHeaderField: "Census-Device")
        // If the machine is too busy for an answer in time, ask again.
        for _ in 0..<20 {
            let (data, response) = try await session.data(for: request)
            guard (response as? HTTPURLResponse)?.statusCode == 200 else { continue }
            let policy = try JSONDecoder().decode(Policy.self, from: data)
            if policy.reasons.values.contains(GalleryReason.policyStale.rawValue) {
                guard !policy.kinds.values.contains("hide") else { return "a stale answer says hide" }
                try await Task.sleep(for: .milliseconds(300))
                continue
            }
            let isAsExpected =
                policy.kinds == expected.answers && policy.reasons == expected.reasons
                && policy.report?.id == expected.report && policy.valid_until == expected.validUntil
            return isAsExpected
                ? nil : "\(expected.device), \(expected.at): the server answered \(policy), not \(expected)"
        }
        throw Unexpected(description: "the server does not answer")
    }
}
