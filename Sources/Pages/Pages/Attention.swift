package import CensusStore
internal import CensusCore

/// What somebody should look at first, the most urgent first: what `widget-census status` says, with the figures behind losses.
package struct Attention: Sendable {
    package var concerns: [Concern]
    /// The incidents of the page's app, including those that are not open.
    package var incidents: [LossIncident]

    package init(_ concerns: [Concern], incidents: [LossIncident] = []) {
        self.concerns = concerns
        self.incidents = incidents
    }

    /// - Parameter app: the one that the page is about; others are named.
    func html(app: String) -> HTML {
        guard !concerns.isEmpty else { return "<p class=\"calm\">Nothing needs attention.</p>" }
        return "<ul class=\"attention\">\(concerns.html { item($0, app) })</ul>"
    }

    private func item(_ concern: Concern, _ app: String) -> HTML {
        let isOther = concern.appID.map { !$0.hasBytes(of: app) } ?? false
        let name: HTML = isOther ? "\(concern.appID ?? ""): " : .empty
        let figures = isOther ? [] : incidents.filter { $0.state == .open && $0.kind.hasBytes(of: concern.kind ?? "") }
        return """
            <li><p><strong>\(name)\(isOther ? concern.sentence : concern.sentence.capitalizingFirst).</strong></p>
            \(figures.html { "<p>\($0.headline.capitalizingFirst). To do: \($0.advice).</p>" })\(link(concern, app))<p><code>\(concern.command.description)</code></p></li>
            """
    }

    /// The address of the page that has the figures.
    private func link(_ concern: Concern, _ app: String) -> HTML {
        let about = concern.appID ?? app
        return switch concern.subject {
        case .loss: "<p><a href=\"\(Link(.losses).with("app", about))\">The figures, and how to acknowledge it</a></p>"
        case .reads, .refused: "<p><a href=\"\(Link(.coverage).with("app", about))\">Coverage and refusals</a></p>"
        case .database, .night, .setAside, .reconciliation, .spool, .webhooks: .empty
        }
    }
}
