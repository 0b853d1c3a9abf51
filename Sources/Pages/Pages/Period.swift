package import CensusCore

/// The days that a page shows: the last ones, or from one day to another.
package struct Period: Sendable, Hashable {
    /// A URL asks for days that can't be shown.
    package struct Fault: Error {
        package var message: String
    }

    /// How many of the last days people can choose.
    static let spans = [30, 90, 180, 365]
    private static let usual = 90
    /// More would make pages heavy.
    static let most = 731

    package private(set) var first: Day
    package let last: Day
    /// How many of the last days; nil if the first and the last day were chosen.
    let span: Int?
    /// Whether it ends with the last day that has numbers.
    private let isLatest: Bool

    package init(_ first: Day, _ last: Day) {
        self.first = first
        self.last = last
        span = nil
        isLatest = false
    }

    /// - Parameters:
    ///   - days: the URL's number of last days; 90 if it is none of ``spans``.
    ///   - from: the URL's first day, instead.
    ///   - to: the URL's last day, instead.
    ///   - end: the last day with numbers.
    package init(days: String?, from: String?, to: String?, through end: Day) throws(Fault) {
        func day(_ name: String, _ text: String?) throws(Fault) -> Day? {
            guard let text else { return nil }
            guard let day = Day(text) else { throw Fault(message: "`\(name)` must be a day, such as 2026-11-21") }
            return day
        }
        let (from, to) = (try day("from", from), try day("to", to))
        last = min(to ?? end, end)
        isLatest = last == end
        if from == nil, to == nil {
            let span = days.flatMap { Int($0) }.flatMap { Period.spans.contains($0) ? $0 : nil } ?? Period.usual
            self.span = span
            first = last - (span - 1)
            return
        }
        span = nil
        first = from ?? last - (Period.usual - 1)
        guard first <= last else { throw Fault(message: "`from` (\(first)) must not be after the last day (\(last))") }
        guard last.daysSince1970 - first.daysSince1970 < Period.most else {
            throw Fault(message: "a page shows at most \(Period.most) days; choose a later `from` or an earlier `to`")
        }
    }

    /// Whether to mark what happened on a day; also after the last day, if no later one has numbers.
    func shows(_ day: Day) -> Bool { day >= first && (isLatest || day <= last) }

    /// Without the days before the first closed one, which have no numbers.
    func beginning(with closed: Set<Day>) -> Period {
        closed.min().map { beginning(at: $0) } ?? self
    }

    /// The same last days, from a later day on.
    func beginning(at day: Day) -> Period {
        var period = self
        period.first = min(last, max(first, day))
        return period
    }

    /// The link with these days.
    func on(_ link: Link) -> Link {
        guard let span else { return link.with("from", first).with("to", last) }
        return link.with("days", span == Period.usual ? nil : "\(span)")
    }

    /// Other numbers of days, and a link that always shows the same days.
    func choices(_ link: (Period) -> Link) -> [Phrase] {
        let spans = Period.spans.reduce("" as Phrase) { phrase, days in
            days == span
                ? "\(phrase) \(current: "\(days) days")"
                : "\(phrase) \("\(days) days", to: link(Period(span: days, through: last)))"
        }
        let days: Phrase = "\(first) to \(last)"
        return [spans, span == nil ? days : "\(days) · \("link to exactly these days", to: link(Period(first, last)))"]
    }

    /// Fields for the first and the last day.
    var fields: [Filters.Field] {
        let control = Filters.Control.day("2000-01-01", "2100-01-01")
        return [
            Filters.Field(name: "from", label: "From", value: span == nil ? first.description : "", control: control),
            Filters.Field(name: "to", label: "To", value: span == nil ? last.description : "", control: control),
        ]
    }

    private init(span: Int, through last: Day) {
        self.span = span
        self.last = last
        first = last - (span - 1)
        isLatest = false
    }
}
