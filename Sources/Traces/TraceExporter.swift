internal import AsyncHTTPClient
package import Foundation
package import Logging
internal import NIOCore
internal import NIOHTTP1
internal import ServiceLifecycle
internal import Synchronization

/// Sends ended trace spans to an OTLP/HTTP collector, in batches. Nobody waits for it: what doesn't fit its queue is dropped.
package final class TraceExporter: Service {
    package static let capacity = 2_048
    package static let batch = 512
    private static let interval: Duration = .seconds(5)
    /// For one attempt.
    private static let limit: TimeAmount = .seconds(10)
    private static let pauseBeforeRetry: Duration = .seconds(1)
    /// For what is left when the program ends.
    private static let flushLimit: Duration = .seconds(5)
    /// The statuses after which OTLP lets a client try again.
    private static let temporary: Set = [429, 502, 503, 504]

    /// Fails at once if nobody listens; the default waits for a connection until the limit.
    private static let client = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private struct Queue {
        var spans: [EndedSpan] = []
        var lost = 0
    }

    private let queue = Mutex(Queue())
    private let isAway = Atomic<Bool>(false)
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let version: String
    private let logger: Logger
    private let post: @Sendable (Data) async throws -> Int

    /// - Parameter post: sends a message, and returns the response's status.
    package init(version: String, logger: Logger, post: @escaping @Sendable (Data) async throws -> Int) {
        self.version = version
        self.logger = logger
        self.post = post
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// - Parameter collector: its base URL, to which `/v1/traces` is added.
    package convenience init(collector: URL, version: String, logger: Logger) {
        var request = HTTPClientRequest(url: collector.appending(path: "v1/traces").absoluteString)
        request.method = .POST
        request.headers = ["content-type": "application/json", "user-agent": "widget-census/\(version)"]
        self.init(version: version, logger: logger) { [request] message in
            var request = request
            request.body = .bytes(message)
            // The body is not read, because it can be endless.
            return Int(try await TraceExporter.client.execute(request, timeout: TraceExporter.limit).status.code)
        }
    }

    /// Spans that no collector got: the queue was full, or two attempts failed.
    package var lost: Int { queue.withLock { $0.lost } }

    func add(_ span: EndedSpan) {
        let isBatch = queue.withLock { queue in
            guard queue.spans.count < TraceExporter.capacity else {
                queue.lost += 1
                return false
            }
            queue.spans.append(span)
            return queue.spans.count.isMultiple(of: TraceExporter.batch)
        }
        if isBatch { signal.yield() }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [self] in
                    while (try? await Task.sleep(for: TraceExporter.interval)) != nil { signal.yield() }
                }
                for await _ in signals { await export() }
                group.cancelAll()
            }
        }
        await flush()
    }

    /// Sends what is queued as the program ends, in a task of its own, because the caller's might have been cancelled.
    package func flush() async {
        let sending = Task { await export() }
        let timer = Task {
            try await Task.sleep(for: TraceExporter.flushLimit)
            sending.cancel()
        }
        await sending.value
        timer.cancel()
        let left = queue.withLock { queue in
            defer { queue.spans = [] }
            queue.lost += queue.spans.count
            return queue.spans.count
        }
        if left > 0 {
            logger.warning("the program ends without sending its last trace spans", metadata: ["spans": "\(left)"])
        }
    }

    /// Sends batch after batch, until the queue is empty or a batch has failed.
    private func export() async {
        while case let batch = queue.withLock({ Array($0.spans.prefix(TraceExporter.batch)) }), !batch.isEmpty {
            let failure = await failure(of: batch)
            // A cancelled batch stays queued, and is sent when the program ends.
            if failure != nil, Task.isCancelled { return }
            queue.withLock { queue in
                queue.spans.removeFirst(batch.count)
                if failure != nil { queue.lost += batch.count }
            }
            note(failure)
            if failure != nil { return }
        }
    }

    /// - Returns: nil if the collector has accepted the batch, at the first attempt or the second.
    private func failure(of batch: [EndedSpan]) async -> String? {
        var reason = ""
        do {
            let message = try JSONEncoder().encode(TraceMessage(batch, version: version))
            for attempt in 1...2 {
                if attempt > 1 { try await Task.sleep(for: TraceExporter.pauseBeforeRetry) }
                do {
                    let status = try await post(message)
                    if (200..<300).contains(status) { return nil }
                    reason = "status \(status)"
                    guard TraceExporter.temporary.contains(status) else { return reason }
                } catch {
                    reason = "\(error)"
                }
            }
        } catch {
            reason = "\(error)"
        }
        return reason
    }

    /// Logs only the beginning and the end of an outage.
    private func note(_ failure: String?) {
        let wasAway = isAway.exchange(failure != nil, ordering: .relaxed)
        if let failure, !wasAway {
            logger.warning("the collector accepts no trace spans; they are dropped", metadata: ["reason": "\(failure)"])
        } else if failure == nil, wasAway {
            logger.notice("the collector accepts trace spans again")
        }
    }
}
