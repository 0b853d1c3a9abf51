internal import CensusCore
internal import CensusStore

extension Matter {
    /// - Parameters:
    ///   - page: the page's app; other apps are named. Nil: all are named.
    ///   - incidents: of that app, with the figures behind its losses.
    init(_ concern: Concern, on page: String?, incidents: [LossIncident] = []) {
        let isOwn = page.map { concern.appID?.hasBytes(of: $0) ?? true } ?? false
        let figures = isOwn ? incidents.filter { $0.state == .open && $0.kind.hasBytes(of: concern.kind ?? "") } : []
        self.init(
            app: isOwn ? nil : concern.appID, sentence: concern.sentence,
            more: figures.map { "\($0.headline.capitalizingFirst). What to do: \($0.advice)." },
            link: concern.link(on: page), command: concern.command)
    }
}

extension Concern {
    /// The page that has the figures.
    fileprivate func link(on page: String?) -> Phrase? {
        guard let app = appID ?? page else { return nil }
        return switch subject {
        case .loss: "\("Figures, and how to acknowledge the loss", to: Link(.losses).with("app", app))"
        case .reads, .refused: "\("Coverage and refusals", to: Link(.coverage).with("app", app))"
        case .database, .night, .setAside, .reconciliation, .spool, .webhooks: nil
        }
    }
}
