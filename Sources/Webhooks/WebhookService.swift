package import CensusCore
package import CensusStore
package import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// Delivers the queued messages to webhooks while the service runs.
package struct WebhookService: Service {
    private static let interval: Duration = .seconds(5)
    /// The most attempts at once, each to a different webhook.
    private static let crowd = 16
    /// The time between two checks for due messages while attempts are under way.
    private static let pause: Duration = .seconds(1)

    private let store: Store
    private let sender: WebhookSender
    private let logger: Logger

    package init(store: Store, sender: WebhookSender, logger: Logger) {
        self.store = store
        self.sender = sender
        self.logger = logger
    }

    package func run() async throws {
        let isWaiting = Atomic<Bool>(false)
        await ServiceLoop(every: WebhookService.interval).run {
            do throws(StoreError) {
                try await deliver()
                if isWaiting.exchange(false, ordering: .relaxed) { logger.notice("webhook deliveries work again") }
            } catch {
                guard !isWaiting.exchange(true, ordering: .relaxed), !Task.isCancelled else { return }
                logger.warning("webhook deliveries are waiting for the store", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// Attempts to deliver every message that is due.
    ///
    /// - Parameter now: if nil, the database's clock counts.
    /// - Returns: the number of attempts.
    @discardableResult
    package func deliver(now: Timestamp? = nil) async throws(StoreError) -> Int {
        let outcome = await withTaskGroup(of: Happening.self) { group in
            var round = DeliveryRound(places: WebhookService.crowd)
            var underway: [Int64] = []
            while true {
                switch round.next(isStopping: Task.isCancelled) {
                case .claim(let free):
                    do throws(StoreError) {
                        let claimed = try await store.webhooks.claim(atMost: free, underway: underway, now: now)
                        for delivery in claimed {
                            underway.append(delivery.webhookNumber)
                            group.addTask { .ended(delivery.webhookNumber, await self.failure(of: delivery, now: now)) }
                        }
                        round.claimed(claimed.count)
                    } catch {
                        round.failed(error)
                    }
                case .pause:
                    group.addTask {
                        try? await Task.sleep(for: WebhookService.pause)
                        return .paused
                    }
                case .wait:
                    switch await group.next() {
                    case .ended(let webhook, let hindrance):
                        underway.removeAll { $0 == webhook }
                        round.ended(hindrance)
                    case .paused, nil: round.paused()
                    }
                case .end:
                    group.cancelAll()
                    return round.failure.map { Result<Int, StoreError>.failure($0) } ?? .success(round.attempts)
                }
            }
        }
        return try outcome.get()
    }

    private enum Happening: Sendable {
        case ended(Int64, StoreError?)
        case paused
    }

    /// Attempts a delivery, and returns the error that prevented recording its outcome.
    private func failure(of delivery: WebhookDelivery, now: Timestamp?) async -> StoreError? {
        do throws(StoreError) {
            try await attempt(delivery, now: now)
            return nil
        } catch {
            return error
        }
    }

    private func attempt(_ delivery: WebhookDelivery, now: Timestamp?) async throws(StoreError) {
        guard let target = delivery.target else {
            let removed = WebhookOutcome.failed(status: nil, reason: "the webhook was removed", retryIn: nil)
            return try await store.webhooks.finish(delivery, removed, now: now)
        }
        let result = await sender.send(delivery, to: target)
        // It is unknown whether the message arrived, so the next node sends it again with the same id.
        if Task.isCancelled { return }
        let outcome = DeliverySchedule.outcome(
            of: result, attempt: delivery.attempt, chance: Double.random(in: 0..<1))
        try await store.webhooks.finish(delivery, outcome, now: now)
        log(outcome, delivery, target)
    }

    private func log(_ outcome: WebhookOutcome, _ delivery: WebhookDelivery, _ target: WebhookDelivery.Target) {
        var metadata: Logger.Metadata = [
            "webhook": "\(delivery.webhookNumber)", "message": "\(delivery.messageID)", "type": "\(delivery.type)",
            "attempt": "\(delivery.attempt)",
            // The rest of the URL can be secret.
            "host": "\((try? WebhookURL(target.url, allowsInsecure: true).host) ?? "?")",
        ]
        switch outcome {
        case .delivered(let status):
            metadata["status"] = "\(status)"
            logger.info("a webhook was delivered", metadata: metadata)
        case .failed(_, let reason, let retryIn?):
            metadata["reason"] = "\(reason)"
            metadata["again_in_seconds"] = "\(retryIn.components.seconds)"
            logger.warning("a webhook was not delivered; it will be retried", metadata: metadata)
        case .failed(_, let reason, nil):
            metadata["reason"] = "\(reason)"
            logger.error("a webhook message was given up", metadata: metadata)
        case .gone(_, let reason):
            metadata["reason"] = "\(reason)"
            logger.error("a webhook was switched off because its receiver is gone (410)", metadata: metadata)
        }
    }
}
