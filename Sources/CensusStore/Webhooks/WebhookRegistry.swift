package import CensusCore
internal import Crypto
internal import Postgres

/// A webhook as `webhooks list` shows it.
package struct WebhookRecord: Hashable, Sendable, Decodable {
    package var number: Int64
    /// Can contain a secret of the receiver's, so never show or log it as it is.
    package var url: String
    package var form: WebhookMessage.Form
    /// The URL of the console, for links in messages; nil: they have none.
    package var consoleURL: String?
    package var allowsPrivate: Bool
    package var addedAt: Timestamp
    package var addedBy: String
    /// When it last accepted a message.
    package var deliveredAt: Timestamp?
    /// The first failure since then.
    package var failingSince: Timestamp?
    /// The result of the last attempt.
    package var lastStatus: Int?
    package var lastError: String?
    /// When it answered that it was gone. Nothing is sent to it until a test succeeds.
    package var goneAt: Timestamp?
    /// Messages that are still to be delivered.
    package var waiting: Int
    /// Messages given up in the last weeks.
    package var givenUp: Int
}

/// An attempt to deliver one message to one webhook.
package struct WebhookDelivery: Hashable, Sendable, Decodable {
    package var webhookNumber: Int64
    /// The same at every attempt.
    package var messageID: String
    package var type: String
    package var payload: String
    /// 1 for the first.
    package var attempt: Int
    /// Where to; nil when the webhook was removed in the meantime.
    package var target: Target?
    /// By the database's clock.
    package var begunAt: Timestamp

    package struct Target: Hashable, Sendable, Decodable {
        package var url: String
        package var secret: WebhookSecret
        package var allowsPrivate: Bool
    }

    package var seconds: Int64 { begunAt.microseconds / 1_000_000 }
}

/// How an attempt ended.
package enum WebhookOutcome: Hashable, Sendable {
    case delivered(status: Int)
    /// - Parameter retryIn: nil if the message is given up.
    case failed(status: Int?, reason: String, retryIn: Duration?)
    /// The receiver wants no more messages.
    case gone(status: Int, reason: String)
}

/// The receivers of messages about an app, and the messages still to be delivered.
///
/// A message is queued in the transaction that it reports (``Transaction/enqueue(_:appNumber:)``), and claimed by one node at a
/// time. If a node dies before it records the outcome, another one takes the message over, so a receiver can get it twice with
/// the same id.
package struct WebhookRegistry: Sendable {
    let database: Database

    /// How long an attempt can last before other nodes assume that it failed. Longer than any attempt takes.
    private static let lease: Duration = .seconds(60)
    /// How many attempts at once a node makes to one host, no matter how many webhooks point to it, so that a host that hangs
    /// does not take all places.
    private static let attemptsAtOnce = 4
    /// How long finished deliveries are kept.
    private static let keptFor: Duration = .days(42)

    /// - Parameter consoleURL: the URL of the console without its path, for links in messages; nil: none.
    /// - Returns: its number, and its secret, which is shown only once.
    package func add(
        url: String, form: WebhookMessage.Form = .standard, consoleURL: String? = nil, allowsPrivate: Bool,
        by actor: String, app: App
    ) async throws(StoreError) -> (number: Int64, secret: WebhookSecret) {
        let secret = WebhookSecret()
        let number = try await database.value(
            SQL.WebhookRegistry.add,
            [app.number, url, ByteArray(secret.bytes), allowsPrivate, actor, form.rawValue, consoleURL], as: Int64.self)
        guard let number else { throw StoreError(.ours, "the webhook that was added has no number") }
        return (number, secret)
    }

    /// An app's webhooks, in the order in which they were added.
    package func all(app: App) async throws(StoreError) -> [WebhookRecord] {
        try await database.rows(SQL.WebhookRegistry.all, [app.number])
    }

    /// Removes a webhook with its address and secret, and gives up the messages that wait for it.
    ///
    /// - Returns: false if the app has no webhook with that number.
    package func remove(_ number: Int64, by actor: String, app: App) async throws(StoreError) -> Bool {
        try await database.run(SQL.WebhookRegistry.remove, [app.number, number, actor]) > 0
    }

    /// Queues a message for one webhook, gone or not, and begins to deliver it: the caller sends it and calls
    /// ``finish(_:_:now:)``.
    ///
    /// - Returns: nil if the app has no webhook with that number.
    package func begin(
        _ message: WebhookMessage, to number: Int64, app: App
    ) async throws(StoreError) -> WebhookDelivery? {
        let receivers = try await database.rows(
            SQL.WebhookRegistry.receivers, [app.number, number], as: WebhookReceiver.self)
        guard let receiver = receivers.first else { return nil }
        return try await database.rows(
            SQL.WebhookRegistry.begin,
            [
                app.number, number, WebhookRegistry.newMessageID(), message.type, receiver.body(of: message),
                WebhookRegistry.lease.microseconds,
            ], as: WebhookDelivery.self
        ).first
    }

    /// Begins to deliver what is due, at most one message for each webhook. The caller sends them and calls
    /// ``finish(_:_:now:)`` for each.
    ///
    /// - Parameters:
    ///   - underway: webhooks to which this node is sending. They get no other message until that attempt has ended.
    ///   - now: nil: the database's time.
    package func claim(
        atMost limit: Int, underway: [Int64] = [], now: Timestamp? = nil
    ) async throws(StoreError) -> [WebhookDelivery] {
        let parameters: [(any PostgresCodable)?] = [
            now, limit, WebhookRegistry.lease.microseconds, underway, WebhookRegistry.attemptsAtOnce,
        ]
        return try await database.rows(SQL.WebhookRegistry.claim, parameters)
    }

    /// Records how an attempt ended, unless other nodes already assume that it failed.
    package func finish(
        _ delivery: WebhookDelivery, _ outcome: WebhookOutcome, now: Timestamp? = nil
    ) async throws(StoreError) {
        let end = AttemptEnd(outcome)
        try await database.transaction("WebhookRegistry.finish") { transaction in
            let finished = try await transaction.query(
                SQL.WebhookRegistry.finish,
                [
                    delivery.webhookNumber, delivery.messageID, delivery.attempt, now, end.isDelivered,
                    end.retryIn?.microseconds, end.status, end.reason,
                ])
            guard !finished.isEmpty else { return }
            try await transaction.run(
                SQL.WebhookRegistry.mark,
                [delivery.webhookNumber, now, end.isDelivered, end.isGone, end.status, end.reason])
            guard end.isGone else { return }
            try await transaction.run(SQL.WebhookRegistry.giveUp, [delivery.webhookNumber, now])
        }
    }

    /// How many deliveries wait, and to how many webhooks the last attempt failed.
    package func health() async throws(StoreError) -> (waiting: Int, failing: Int) {
        struct Health: Decodable { var waiting, failing: Int }
        let health = try await database.rows(SQL.WebhookRegistry.health, as: Health.self).first
        return (health?.waiting ?? 0, health?.failing ?? 0)
    }

    /// Deletes deliveries that ended some weeks ago.
    package func sweep(now: Timestamp = .now) async throws(StoreError) {
        try await database.run(SQL.WebhookRegistry.sweep, [now - WebhookRegistry.keptFor])
    }

    /// 128 random bits.
    static func newMessageID() -> String {
        "msg_" + SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }.hexadecimal
    }
}

/// An outcome as columns.
private struct AttemptEnd {
    var isDelivered = false
    var isGone = false
    var status: Int?
    var reason: String?
    var retryIn: Duration?

    init(_ outcome: WebhookOutcome) {
        switch outcome {
        case .delivered(let status):
            self.isDelivered = true
            self.status = status
        case .failed(let status, let reason, let retryIn):
            self.status = status
            self.reason = reason
            self.retryIn = retryIn
        case .gone(let status, let reason):
            self.isGone = true
            self.status = status
            self.reason = reason
        }
    }
}
