internal import AsyncHTTPClient
internal import CensusCore
package import CensusStore
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import NIOSSL

/// Posts a message to a receiver, and reads only the status and headers of the response.
///
/// It resolves the host once and connects to the exact address that it checked, under the host's name (Host, SNI, certificate).
/// So a name that resolves differently a moment later has no effect (docs/decisions/0040-webhooks.md).
package struct WebhookSender: Sendable {
    /// The time for everything: the lookup, the connection, the request and the head of the response.
    package static let limit: Duration = .seconds(15)
    /// The most addresses of a host to try, each for its share of the time.
    private static let mostAddresses = 3

    private let version: String
    private let resolver: HostResolver
    private let tls: TLSConfiguration
    private let limit: Duration

    /// - Parameters:
    ///   - version: this program's.
    ///   - limit: for tests.
    package init(
        version: String, resolver: HostResolver = .system, tls: TLSConfiguration = .makeClientConfiguration(),
        limit: Duration = limit
    ) {
        self.version = version
        self.resolver = resolver
        self.tls = tls
        self.limit = limit
    }

    /// Takes at most ``limit``. If the task is cancelled, returns a failure.
    package func send(_ delivery: WebhookDelivery, to target: WebhookDelivery.Target) async -> SendResult {
        let begun = ContinuousClock.now
        let url: WebhookURL
        do throws(WebhookURL.Fault) {
            url = try WebhookURL(target.url, allowsInsecure: true)
        } catch {
            return .failed(.address(error.description))
        }
        let resolved = await within(limit) { [resolver] () -> Result<[IPAddress], DeliveryFailure> in
            do throws(DeliveryFailure) {
                return .success(try await resolver.addresses(of: url.host, allowsPrivate: target.allowsPrivate))
            } catch {
                return .failure(error)
            }
        }
        guard let resolved else { return .failed(.timedOut) }
        let addresses: [IPAddress]
        switch resolved {
        case .success(let found): addresses = found
        case .failure(let failure): return .failed(failure)
        }
        var result = SendResult.failed(.timedOut)
        for address in addresses.prefix(WebhookSender.mostAddresses) {
            let left = limit - (ContinuousClock.now - begun)
            guard left > .zero else { return .failed(.timedOut) }
            var hasConnected = true
            (result, hasConnected) = await post(delivery, url, target.secret, at: address, within: left)
            if hasConnected { return result }
        }
        return result
    }

    /// - Returns: also whether there was a connection; if there was, no other address is tried.
    private func post(
        _ delivery: WebhookDelivery, _ url: WebhookURL, _ secret: WebhookSecret, at address: IPAddress,
        within left: Duration
    ) async -> (SendResult, hasConnected: Bool) {
        // A client for each message, because only a whole client has a DNS override.
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration(url, address, left))
        var request = HTTPClientRequest(url: url.text)
        request.method = .POST
        request.headers = headers(delivery, secret)
        request.body = .bytes(ByteBuffer(string: delivery.payload))
        let outcome: (SendResult, Bool)
        do {
            // The body is not read, because it can be endless. Shutting down the client closes the connection.
            let response = try await client.execute(request, timeout: .nanoseconds(left.nanoseconds))
            let retryAfter = response.headers.first(name: "retry-after").flatMap {
                Duration(retryAfter: $0, now: delivery.begunAt)
            }
            outcome = (.answered(status: Int(response.status.code), retryAfter: retryAfter), true)
        } catch {
            outcome = (.failed(DeliveryFailure(error)), !hasFailedToConnect(error))
        }
        try? await client.shutdown()
        return outcome
    }

    private func hasFailedToConnect(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .connectTimeout
        case let error as IOError:
            [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT, ETIMEDOUT].contains(error.errnoCode)
        default: false
        }
    }

    private func configuration(
        _ url: WebhookURL, _ address: IPAddress, _ left: Duration
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .nanoseconds(min(left, limit / WebhookSender.mostAddresses).nanoseconds)))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        if IPAddress(url.host) == nil { configuration.dnsOverride = [url.host: "\(address)"] }
        // The override doesn't prove where the connection went, so check.
        configuration.http1_1ConnectionDebugInitializer = { channel in
            guard let peer = channel.remoteAddress?.ipAddress, IPAddress(peer) == address else {
                return channel.eventLoop.makeFailedFuture(DeliveryFailure.elsewhere)
            }
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        return configuration
    }

    private func headers(_ delivery: WebhookDelivery, _ secret: WebhookSecret) -> HTTPHeaders {
        [
            "content-type": "application/json", "user-agent": "widget-census/\(version)",
            "webhook-id": delivery.messageID, "webhook-timestamp": "\(delivery.seconds)",
            "webhook-signature": secret.signature(
                id: delivery.messageID, seconds: delivery.seconds, payload: delivery.payload),
        ]
    }
}

/// Runs work that can't be cancelled, such as a system lookup, and returns nil without waiting for it after the limit.
private func within<T: Sendable>(_ limit: Duration, _ work: @escaping @Sendable () async -> T) async -> T? {
    let (results, result) = AsyncStream.makeStream(of: T?.self)
    let working = Task { result.yield(await work()) }
    let waiting = Task {
        try? await Task.sleep(for: limit)
        result.yield(nil)
    }
    defer {
        working.cancel()
        waiting.cancel()
    }
    for await first in results { return first }
    return nil
}

extension Duration {
    fileprivate var nanoseconds: Int64 { microseconds * 1_000 }
}

extension DeliveryFailure {
    /// Translates an error of the HTTP client.
    package init(_ error: any Error) {
        switch error {
        case let failure as DeliveryFailure: self = failure
        case let error as HTTPClientError:
            switch error {
            case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
                .getConnectionFromPoolTimeout:
                self = .timedOut
            case .remoteConnectionClosed: self = .closed
            case .cancelled: self = .other("it was cancelled")
            default: self = .other(error.shortDescription)
            }
        case let error as IOError: self = .unreachable(String(cString: strerror(error.errnoCode)))
        case let error as NIOConnectionError:
            guard let first = error.connectionErrors.first else {
                self = .unresolved("no address was found for \(error.host)")
                return
            }
            self.init(first.error)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: self = .tls
        case is HTTPParserError: self = .noHTTP
        case is CancellationError: self = .other("it was cancelled")
        default: self = .other("\(type(of: error))")
        }
    }
}
