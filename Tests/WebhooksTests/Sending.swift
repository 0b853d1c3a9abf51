import CensusCore
import Foundation
import PostgresTesting
import Synchronization
import Testing

@testable import CensusStore
@testable import Webhooks

/// One request, to receivers of all kinds.
@Suite struct `Sending` {
    /// Only reached if something is wrong, even on a busy machine.
    private static let generous: Duration = .seconds(100)

    private static func delivery(_ message: WebhookMessage = .opened, at: Timestamp = .now) -> WebhookDelivery {
        WebhookDelivery(
            webhookNumber: 1, messageID: WebhookRegistry.newMessageID(), type: message.type,
            payload: message.body(.standard, console: nil),
            attempt: 1, target: nil, begunAt: at)
    }

    private static func target(_ url: String, allowsPrivate: Bool = true) -> WebhookDelivery.Target {
        .init(url: url, secret: WebhookSecret(), allowsPrivate: allowsPrivate)
    }

    private static func send(
        _ url: String, allowsPrivate: Bool = true, resolver: HostResolver = .system, limit: Duration = generous
    ) async -> SendResult {
        await WebhookSender(version: "1", resolver: resolver, limit: limit)
            .send(delivery(), to: target(url, allowsPrivate: allowsPrivate))
    }

    private static func send(_ answer: Receiver.Answer, limit: Duration = generous) async throws -> SendResult {
        let receiver = try Receiver(answer)
        defer { receiver.close() }
        return await send("http://127.0.0.1:\(receiver.port)/", limit: limit)
    }

    @Test(arguments: [200, 204, 301, 404, 410, 500, 599])
    func `the response's status is the result`(status: Int) async throws {
        #expect(try await Self.send(.status(status)) == .answered(status: status, retryAfter: nil))
    }

    @Test(arguments: [Receiver.Answer.nothing, .crumbs])
    func `a receiver that sends nothing, or never finishes its response, times out`(
        answer: Receiver.Answer
    ) async throws {
        let begun = ContinuousClock.now
        #expect(try await Self.send(answer, limit: .seconds(1)) == .failed(.timedOut))
        let took = ContinuousClock.now - begun
        #expect(took > .milliseconds(900) && took < .seconds(60))
    }

    @Test func `an endless body is not read`() async throws {
        let receiver = try Receiver(.endlessBody)
        defer { receiver.close() }
        let result = await Self.send("http://127.0.0.1:\(receiver.port)/")
        #expect(result == .answered(status: 200, retryAfter: nil))
        #expect(try await eventually { receiver.ended == 1 })
        // Only what the system and the client buffer.
        #expect(receiver.sent < 50_000_000)
    }

    @Test func `a redirect is not followed`() async throws {
        let (elsewhere, receiver) = (try Receiver(), try Receiver())
        defer { [elsewhere, receiver].forEach { $0.close() } }
        for status in [301, 302, 303, 307, 308] {
            receiver.answer(.status(status, headers: ["Location": "http://127.0.0.1:\(elsewhere.port)/"]))
            let result = await Self.send("http://127.0.0.1:\(receiver.port)/")
            #expect(result == .answered(status: status, retryAfter: nil))
        }
        #expect(elsewhere.connections == 0)
    }

    @Test(arguments: [
        ("SSH-2.0-OpenSSH_9.2\r\n", DeliveryFailure.noHTTP), ("", .closed), ("HTTP/1.1 2", .noHTTP),
    ])
    func `a response that isn't HTTP is an error`(bytes: String, failure: DeliveryFailure) async throws {
        #expect(try await Self.send(.bytes(bytes)) == .failed(failure))
    }

    @Test func `a response with a head of many megabytes is an error`() async throws {
        let head =
            "HTTP/1.1 200 OK\r\n" + String(repeating: "x-a: \(String(repeating: "a", count: 8_000))\r\n", count: 2_000)
        #expect(try await Self.send(.bytes(head)) == .failed(.noHTTP))
    }

    @Test func `a closed port is unreachable`() async throws {
        let receiver = try Receiver()
        receiver.close()
        let result = await Self.send("http://127.0.0.1:\(receiver.port)/")
        #expect(result == .failed(.unreachable("Connection refused")))
    }

    @Test func `every delivery rejects private addresses unless they are allowed`() async throws {
        let receiver = try Receiver()
        defer { receiver.close() }
        for host in ["127.0.0.1", "localhost", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"] {
            let result = await Self.send("http://\(host):\(receiver.port)/", allowsPrivate: false)
            guard case .failed(.forbidden) = result else {
                Issue.record("\(host): \(result)")
                continue
            }
        }
        #expect(receiver.connections == 0)
    }

    /// DNS rebinding: the name resolves to a public address for the check, and to this machine for the connection.
    @Test func `a name is resolved once, and the connection uses that address`() async throws {
        let receiver = try Receiver()
        defer { receiver.close() }
        let asked = Mutex<[String]>([])
        let found: [[UInt8]] = [[127, 0, 0, 1], [10, 0, 0, 1], [10, 0, 0, 2]]
        let resolver = HostResolver { host throws(DeliveryFailure) in
            asked.withLock { asked in
                asked.append(host)
                return [IPAddress(bytes: found[min(asked.count, found.count) - 1])]
            }
        }
        let url = "http://hooks.example.test:\(receiver.port)/a"
        #expect(await Self.send(url, resolver: resolver) == .answered(status: 200, retryAfter: nil))
        #expect(asked.withLock { $0 } == ["hooks.example.test"])
        #expect(receiver.requests.first?.headers["host"] == "hooks.example.test:\(receiver.port)")
        // The second look-up finds a private address, so no connection is made.
        guard
            case .failed(.forbidden(address: "10.0.0.1", _)) = await Self.send(
                url, allowsPrivate: false, resolver: resolver)
        else {
            Issue.record("it was not refused")
            return
        }
        #expect(receiver.connections == 1)
    }

    /// glibc reads the first two as 127.0.0.1, and our own grammar as names.
    @Test(arguments: ["127.1", "2130706433", "HOOKS.Example.TEST", "a_b.example.test", "x.example.test."])
    func `the connection uses the resolved address, however the host is spelled`(host: String) async throws {
        // The receiver listens on another loopback address than these spellings mean.
        let receiver = try Receiver(address: "127.0.0.9")
        defer { receiver.close() }
        let resolver = HostResolver { _ throws(DeliveryFailure) in [IPAddress(bytes: [127, 0, 0, 9])] }
        let result = await Self.send("http://\(host):\(receiver.port)/", resolver: resolver)
        #expect(result == .answered(status: 200, retryAfter: nil))
    }

    @Test func `dead addresses are skipped if there are others`() async throws {
        let receiver = try Receiver(address: "127.0.0.9")
        defer { receiver.close() }
        let resolver = HostResolver { _ throws(DeliveryFailure) in
            [[127, 0, 0, 7], [127, 0, 0, 8], [127, 0, 0, 9]].map(IPAddress.init(bytes:))
        }
        let result = await Self.send("http://hooks.example.test:\(receiver.port)/", resolver: resolver)
        #expect(result == .answered(status: 200, retryAfter: nil))
        #expect(receiver.requests.count == 1)
    }

    @Test func `a look-up that hangs times out`() async throws {
        let resolver = HostResolver { _ throws(DeliveryFailure) in
            // Like the system's look-up, this one can't be cancelled.
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + 60) { continuation.resume() }
            }
            return []
        }
        let begun = ContinuousClock.now
        let result = await Self.send("http://a.example/", resolver: resolver, limit: .milliseconds(500))
        #expect(result == .failed(.timedOut))
        #expect(ContinuousClock.now - begun < .seconds(60))
    }
}
