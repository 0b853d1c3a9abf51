internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation
internal import Webhooks

struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Report mass losses, verdicts and failed nights over HTTPS.",
        examples: [
            "widget-census webhooks add --app com.example.weather \\\n"
                + "  https://hooks.example.com/census > webhook.secret",
            "widget-census webhooks list --app com.example.weather",
            "widget-census webhooks test --app com.example.weather 1",
            "widget-census webhooks remove --app com.example.weather 1",
        ],
        discussion: """
            Messages are signed according to Standard Webhooks; docs/guides/webhooks.md shows how to check the signature.
            `serve` delivers them, and retries for more than a day.
            """,
        subcommands: [Add.self, List.self, Test.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a URL, and print its secret once.",
            examples: [
                "widget-census webhooks add --app com.example.weather \\\n"
                    + "  https://hooks.example.com/census > webhook.secret",
                "widget-census webhooks add --app com.example.weather --form slack \\\n"
                    + "  --console https://census.example.com \\\n"
                    + "  https://hooks.slack.com/services/T000/B000/XXXX > webhook.secret",
                "widget-census webhooks add --app com.example.weather \\\n"
                    + "  --allow-private --allow-insecure http://10.0.0.7:8080/census",
            ],
            discussion: """
                The secret is printed alone on standard output. The URL's host must have a public address, now and whenever a
                message is sent.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(.url, "The URL to post messages to.") var url: String
        @Option(.app, "The app.", name: "app id") var app: String
        @Option(help: "What the receiver understands: standard (JSON) or slack.")
        var form = WebhookMessage.Form.standard
        @Option(.console, "The console's URL, for links in messages.", name: "url") var console: String?
        @Flag(help: "Allow addresses in a private network or on this machine.") var allowPrivate = false
        @Flag(help: "Allow a URL that begins with http://.") var allowInsecure = false
        @OptionGroup var actor: ActorOption

        func run() async throws {
            let url = try await checked()
            let (number, secret) = try await common.census { census in
                try await census.store.webhooks.add(
                    url: url.text, form: form, consoleURL: console, allowsPrivate: allowPrivate, by: actor.name,
                    app: census.store.apps.app(app))
            }
            print(secret.text)
            let next: ShellCommand = "widget-census webhooks test --app \(app) \(number)"
            Terminal.say("added webhook \(number); next: \(next)")
        }

        /// Rejects a bad URL now, instead of when the first loss must be reported.
        private func checked() async throws -> WebhookURL {
            do {
                let url = try WebhookURL(url, allowsInsecure: allowInsecure)
                _ = try await HostResolver.system.addresses(of: url.host, allowsPrivate: allowPrivate)
                return url
            } catch let fault as WebhookURL.Fault {
                throw UsageError("\(fault)")
            } catch let failure as DeliveryFailure {
                throw UsageError("the URL is refused: \(failure)")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List an app's webhooks and their deliveries; URLs are shortened.",
            examples: ["widget-census webhooks list --app com.example.weather"])

        @OptionGroup var common: CommonOptions
        @Option(.app, "The app.", name: "app id") var app: String
        @OptionGroup var output: TableOptions

        func run() async throws {
            let webhooks = try await common.census(onlyReads: true) { census in
                try await census.store.webhooks.all(app: census.store.apps.app(app))
            }
            output.write(ReportTable(webhooks))
            let adding: ShellCommand = "widget-census webhooks add --app \(app) URL"
            if webhooks.isEmpty { Terminal.say("no rows: add a webhook with `\(adding)`") }
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Send one test message now, and print the answer.",
            examples: ["widget-census webhooks test --app com.example.weather 1"],
            discussion: """
                The message is sent once. The exit status is 1 if it can't be delivered. After a webhook has answered 410 Gone, a
                successful test makes it receive losses again.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(.webhook, "The webhook's number in `webhooks list`.") var webhook: Int64
        @Option(.app, "The app.", name: "app id") var app: String

        func run() async throws {
            let sender = WebhookSender(version: WidgetCensus.version)
            let (outcome, took) = try await common.census { census in
                let webhooks = census.store.webhooks
                let app = try await census.store.apps.app(app)
                let message = WebhookMessage(.test(appID: app.id), at: .now)
                guard let delivery = try await webhooks.begin(message, to: webhook, app: app),
                    let target = delivery.target
                else { throw NoWebhook(number: webhook, app: app.id).refusal }
                let begun = ContinuousClock.now
                let result = await sender.send(delivery, to: target)
                let took = ContinuousClock.now - begun
                var outcome = DeliverySchedule.outcome(of: result, attempt: delivery.attempt, chance: 0)
                if case .failed(let status, let reason, _) = outcome {
                    outcome = .failed(status: status, reason: reason, retryIn: nil)
                }
                try await webhooks.finish(delivery, outcome)
                return (outcome, took)
            }
            let time = String(format: "%.2f s", took / .seconds(1))
            switch outcome {
            case .delivered(let status): print("delivered: the receiver answered \(status) after \(time)")
            case .failed(_, let reason, _), .gone(_, let reason):
                throw Refusal("not delivered: \(reason) (\(time))")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a webhook, with its URL, its secret and the messages waiting for it.",
            examples: ["widget-census webhooks remove --app com.example.weather 1"])

        @OptionGroup var common: CommonOptions
        @Argument(.webhook, "The webhook's number in `webhooks list`.") var webhook: Int64
        @Option(.app, "The app.", name: "app id") var app: String
        @OptionGroup var actor: ActorOption

        func run() async throws {
            let isRemoved = try await common.census { census in
                try await census.store.webhooks.remove(webhook, by: actor.name, app: census.store.apps.app(app))
            }
            guard isRemoved else { throw NoWebhook(number: webhook, app: app).refusal }
            print("removed webhook \(webhook)")
        }
    }
}

extension Accepted<String> {
    /// The console's URL, with or without its path. Parsed without it.
    fileprivate static let console = Accepted("the console's URL, such as https://census.example.com") { text in
        var text = text
        for end in ["/", "/console", "/"] where text.hasSuffix(end) { text.removeLast(end.count) }
        guard let url = try? WebhookURL(text, allowsInsecure: true).text, !url.contains("?") else { return nil }
        return url.hasSuffix("/") ? String(url.dropLast()) : url
    }
}

private struct NoWebhook {
    var number: Int64
    var app: String

    var refusal: Refusal {
        Refusal("\(app) has no webhook \(number): see `\(ShellCommand("widget-census webhooks list --app \(app)"))`")
    }
}

extension ReportTable {
    fileprivate init(_ webhooks: [WebhookRecord]) {
        self.init(
            webhooks,
            [
                .number("webhook", \.number), .text("state", \.state), .text("url", \.maskedURL),
                .text("form", \.form.rawValue), .text("console", \.consoleURL),
                .time("last_delivery", \.deliveredAt), .number("waiting", \.waiting),
                .time("failing_since", \.failingSince), .number("last_status", \.lastStatus),
                .text("last_error", \.lastError), .number("given_up", \.givenUp),
                .text("allows_private") { $0.allowsPrivate ? "yes" : "no" }, .text("added_by", \.addedBy),
                .time("added_at", \.addedAt),
            ],
            spare: [
                "added_at", "added_by", "console", "form", "allows_private", "last_status", "given_up", "failing_since",
            ])
    }
}

extension WebhookRecord {
    fileprivate var state: String { goneAt != nil ? "gone" : failingSince != nil ? "failing" : "active" }

    fileprivate var maskedURL: String { (try? WebhookURL(url, allowsInsecure: true).masked) ?? "not an address" }
}
