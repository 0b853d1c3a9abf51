internal import CensusCore
internal import Postgres

/// A webhook that a message is for.
struct WebhookReceiver: Decodable {
    @Bytewise var appID: String
    var number: Int64
    private var form: WebhookMessage.Form
    private var consoleURL: String?
    /// Whether the last message about nights said that one failed.
    var isToldOfFailure: Bool

    func body(of message: WebhookMessage) -> String { message.body(form, console: consoleURL) }
}

/// Something that failed in a night.
package struct NightFailure: Hashable, Sendable {
    /// Nil: for all apps.
    package var appID: String?
    /// What failed and why, without data.
    package var reason: String

    package init(appID: String? = nil, reason: String) {
        self.appID = appID
        self.reason = reason
    }
}

extension Transaction {
    /// Queues a message for each webhook of an app, to be delivered once the transaction is committed.
    ///
    /// - Returns: the number of webhooks.
    @discardableResult
    func enqueue(_ message: WebhookMessage, appNumber: Int32) async throws -> Int {
        let receivers = try await rows(
            SQL.WebhookRegistry.receivers, [appNumber, nil as Int64?], as: WebhookReceiver.self)
        try await enqueue(message, for: receivers)
        return receivers.count
    }

    private func enqueue(_ message: WebhookMessage, for receivers: [WebhookReceiver]) async throws {
        guard !receivers.isEmpty else { return }
        try await run(
            SQL.WebhookRegistry.enqueue,
            [
                WebhookRegistry.newMessageID(), message.type, receivers.map(\.number),
                receivers.map { $0.body(of: message) },
            ])
    }

    /// Queues messages for the webhooks that don't know yet that nights fail for their app, or that they no longer do.
    ///
    /// - Parameter appNumber: the only app of the night; nil: all apps.
    func report(_ failures: [NightFailure], appNumber: Int32?) async throws {
        let receivers = try await rows(
            SQL.WebhookRegistry.receivers, [appNumber, nil as Int64?], as: WebhookReceiver.self)
        for (app, receivers) in Dictionary(grouping: receivers, by: { Text($0.appID) }) {
            let reasons = failures.filter { $0.appID.map { $0.hasBytes(of: app.text) } ?? true }.map(\.reason)
            let told = receivers.filter { $0.isToldOfFailure == reasons.isEmpty }
            guard !told.isEmpty else { continue }
            let message = WebhookMessage(.night(NightMessage(appID: app.text, failures: reasons)), at: .now)
            try await enqueue(message, for: told)
            try await run(SQL.WebhookRegistry.noteNight, [told.map(\.number), !reasons.isEmpty])
        }
    }
}
