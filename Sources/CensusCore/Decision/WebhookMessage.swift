/// A message to webhooks, in the format that Standard Webhooks recommends.
public struct WebhookMessage: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        case massLoss(MassLossMessage)
        /// Somebody is testing a webhook of this app.
        case test(appID: String)
    }

    public var content: Content
    /// When it happened, possibly long before the delivery.
    public var at: Timestamp

    public init(_ content: Content, at: Timestamp) {
        self.content = content
        self.at = at
    }

    /// A stable name on the wire.
    public var type: String {
        switch content {
        case .massLoss(let loss):
            switch loss.state {
            case .open: "mass_loss.opened"
            case .acknowledged: "mass_loss.acknowledged"
            case .closed: "mass_loss.closed"
            }
        case .test: "webhook.test"
        }
    }

    /// The body that is signed and sent. It is built once, because a retry must send the same bytes.
    public var json: String {
        var json = JSONBuilder()
        json.object { json in
            json.member("type", type)
            json.member("timestamp", at.description)
            json.member("data") { json in
                switch content {
                case .massLoss(let loss): loss.write(to: &json)
                case .test(let appID): json.object { $0.member("app_id", appID) }
                }
            }
        }
        return json.text
    }
}
