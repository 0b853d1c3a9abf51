package import CensusCore
package import CensusStore

/// What somebody should look at first, the most urgent first.
package struct Attention: Sendable {
    struct Item: Sendable {
        var what: HTML
        /// What to do about it.
        var advice: HTML
    }

    package var incidents: [LossIncident]
    package var nights: [NightOutcome]
    package var notClosed: String?
    package var refusals: [RefusalCount]
    package var coverage: [CoverageDay]
    package var lastClosed: Day?
    /// The last day that has ended in the app's zone.
    package var lastEnded: Day

    /// More than this share of reads failing is no accident.
    private static let manyFailures = 0.02

    package init(
        incidents: [LossIncident], nights: [NightOutcome], notClosed: String?, refusals: [RefusalCount],
        coverage: [CoverageDay], lastClosed: Day?, lastEnded: Day
    ) {
        self.incidents = incidents
        self.nights = nights
        self.notClosed = notClosed
        self.refusals = refusals
        self.coverage = coverage
        self.lastClosed = lastClosed
        self.lastEnded = lastEnded
    }

    func html(app: String) -> HTML {
        let items = items(app: app)
        guard !items.isEmpty else {
            return """
                <p class="calm">Nothing needs attention: no loss is open, the last night did not fail, \
                and little was refused or could not be read.</p>
                """
        }
        return
            "<ul class=\"attention\">\(items.html { "<li><p><strong>\($0.what)</strong></p><p>\($0.advice)</p></li>" })</ul>"
    }

    func items(app: String) -> [Item] { losses(app) + failedNights + [lateNight].compactMap { $0 } + doubts(app) }

    private func losses(_ app: String) -> [Item] {
        incidents.filter { $0.state == .open }.map { incident in
            Item(
                what: "An update takes a kind away: \(incident.headline).",
                advice: """
                    To do: \(incident.advice). \
                    <a href="\(Link(.losses).with("app", app))">The figures, and how to acknowledge it</a>
                    """)
        }
    }

    private var failedNights: [Item] {
        var items: [Item] = []
        if let notClosed {
            items.append(
                Item(
                    what: "The last night could not close this app's days.",
                    advice: "It said: \(notClosed). The next <code>widget-census nightly</code> tries again."))
        } else if let failure = nights.first?.failure {
            items.append(
                Item(
                    what: "The last night failed.",
                    advice: "It said: \(failure). Run it again: <code>widget-census nightly</code>"))
        }
        return items
    }

    private var lateNight: Item? {
        guard let lastClosed else {
            return Item(
                what: "No day is closed yet.",
                advice: "Pages by day are empty until the first night: <code>widget-census nightly</code>")
        }
        // A night has a day to come.
        guard lastClosed + 1 < lastEnded else { return nil }
        return Item(
            what: "The last closed day is \(lastClosed.spoken).",
            advice: "\(lastEnded.spoken) has ended, too: <code>widget-census nightly</code> closes what is missing.")
    }

    private func doubts(_ app: String) -> [Item] {
        var items: [Item] = []
        let link: HTML = "<a href=\"\(Link(.coverage).with("app", app))\">Coverage and refusals</a>"
        let refused = refusals.reduce(0) { $0 + $1.events }
        if refused > 0, let first = refusals.first {
            items.append(
                Item(
                    what: "\(refused.counted("event")) refused in the last seven days, most of them for \(first.code).",
                    advice: "A sender was told: \(first.example). \(link)"))
        }
        if let day = coverage.last, let share = day.failedShare, share > Attention.manyFailures {
            items.append(
                Item(
                    what: "\(share.asPercentage) of the reads of \(day.day.spoken) failed.",
                    advice:
                        "\(day.readsFailed.grouped) of \(day.reads.grouped): those devices keep their last list. \(link)"
                ))
        }
        return items
    }
}
