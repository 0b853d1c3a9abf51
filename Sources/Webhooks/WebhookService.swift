package import CensusCore
package import CensusStore
package import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// Delivers what was queued for webhooks, for as long as the service runs.
package struct WebhookService: Service {
    private static let interval: Duration = .seconds(5)
    /// Attempts under way at once, each to another webhook.
    private static let crowd = 16

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
                if isWaiting.exchange(false, ordering: .relaxed) { logger.notice("webhooks are delivered again") }
            } catch {
                guard !isWaiting.exchange(true, ordering: .relaxed), !Task.isCancelled else { return }
                logger.warning("webhooks wait", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// Makes an attempt at everything that is due.
    ///
    /// - Parameter now: nil: by the database's clock.
    /// - Returns: how many attempts there were.
    @discardableResult
    package func deliver(now: Timestamp? = nil) async throws(StoreError) -> Int {
        let outcome = await withTaskGroup(of: Step.self) { group in
            var (attempts, underway) = (0, 0)
            var failure: StoreError?
            var pauses = false
            repeat {
                // A receiver that hangs holds its own place: the others are free for what has become due.
                if failure == nil, !Task.isCancelled {
                    do throws(StoreError) {
                        let free = WebhookService.crowd - underway
                        for delivery in free > 0 ? try await store.webhooks.claim(atMost: free, now: now) : [] {
                            group.addTask { .ended(await self.failure(of: delivery, now: now)) }
                            (attempts, underway) = (attempts + 1, underway + 1)
                        }
                    } catch {
                        failure = error
                    }
                }
                guard underway > 0 else { break }
                if !pauses {
                    pauses = true
                    group.addTask {
                        try? await Task.sleep(for: .seconds(1))
                        return .pause
                    }
                }
                switch await group.next() {
                case .ended(let hindrance):
                    underway -= 1
                    failure = failure ?? hindrance
                case .pause, nil: pauses = false
                }
            } while true
            group.cancelAll()
            return failure.map { Result<Int, StoreError>.failure($0) } ?? .success(attempts)
        }
        return try outcome.get()
    }

    private enum Step: Sendable {
        case ended(StoreError?)
        /// Time to look for what has become due.
        case pause
    }

    /// What prevented recording how the attempt ended.
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
        // Nobody knows whether it arrived: the next node sends it again, with the same id.
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
            // The rest of the address may be secret.
            "host": "\((try? WebhookURL(target.url, allowsInsecure: true).host) ?? "?")",
        ]
        switch outcome {
        case .delivered(let status):
            metadata["status"] = "\(status)"
            logger.info("a webhook was delivered", metadata: metadata)
        case .failed(_, let reason, let retryIn?):
            metadata["reason"] = "\(reason)"
            metadata["again_in_seconds"] = "\(retryIn.components.seconds)"
            logger.warning("a webhook was not delivered; trying again", metadata: metadata)
        case .failed(_, let reason, nil):
            metadata["reason"] = "\(reason)"
            logger.error("a webhook was given up", metadata: metadata)
        case .gone(_, let reason):
            metadata["reason"] = "\(reason)"
            logger.error("nothing more is sent to a webhook: its receiver is gone", metadata: metadata)
        }
    }
}
