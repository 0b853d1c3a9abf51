/// A message to webhooks.
public struct WebhookMessage: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        case massLoss(MassLossMessage.Occasion, MassLossMessage)
        case readiness(ReadinessMessage)
        case night(NightMessage)
        /// Somebody is testing a webhook of this app.
        case test(appID: String)
    }

    /// What a receiver understands.
    public enum Form: String, Hashable, Sendable, CaseIterable, Decodable {
        /// The format that Standard Webhooks recommends, as docs/reference/webhook.schema.json defines it.
        case standard
        /// A text for people, as chat services take it that are compatible with Slack's incoming webhooks.
        case slack
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
        case .massLoss(let occasion, _): "mass_loss.\(occasion.rawValue)"
        case .readiness(let message): message.isReady ? "kind.ready" : "kind.not_ready"
        case .night(let message): message.failures.isEmpty ? "night.recovered" : "night.failed"
        case .test: "webhook.test"
        }
    }

    /// The body that is signed and sent. It is built once, because a retry must send the same bytes.
    ///
    /// - Parameter console: the URL of the console without its path; nil: no link.
    public func body(_ form: Form, console: String?) -> String {
        let link = console.map { $0 + place }
        var json = JSONBuilder()
        json.object { json in
            switch form {
            case .standard:
                json.member("type", type)
                json.member("timestamp", at.description)
                json.member("data") { json in
                    json.object { json in
                        writeMembers(to: &json)
                        json.member("summary", summary)
                        json.member("console_url", link)
                    }
                }
            case .slack:
                let linked = link.map { "\n<\($0.escapedForSlack)|Open the console>" } ?? ""
                json.member("text", summary.escapedForSlack + linked)
            }
        }
        return json.text
    }

    /// The message in sentences for people.
    public var summary: String {
        switch content {
        case .massLoss(let occasion, let loss): loss.summary(occasion)
        case .readiness(let message): message.summary
        case .night(let message): message.summary
        case .test(let appID): "This is a test message of Widget Census for \(appID)."
        }
    }

    private func writeMembers(to json: inout JSONBuilder) {
        switch content {
        case .massLoss(_, let loss): loss.writeMembers(to: &json)
        case .readiness(let message): message.writeMembers(to: &json)
        case .night(let message): message.writeMembers(to: &json)
        case .test(let appID): json.member("app_id", appID)
        }
    }

    /// The console's page about the message.
    private var place: String {
        switch content {
        case .massLoss(_, let loss): ConsolePath.losses(app: loss.appID)
        case .readiness(let message):
            ConsolePath.kind(message.kind, surface: message.surface.rawValue, app: message.appID)
        case .night(let message): ConsolePath.status(app: message.appID)
        case .test(let appID): ConsolePath.overview(app: appID)
        }
    }
}

extension String {
    /// Slack reads these three characters as the beginning of links and entities.
    fileprivate var escapedForSlack: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
