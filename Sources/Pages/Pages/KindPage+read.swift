internal import CensusCore
package import CensusStore

extension KindPage {
    /// One page for each surface on which the kind was seen.
    ///
    /// - Parameters:
    ///   - surface: only this one; nil: all.
    ///   - limits: tries these in place of the app's; other settings are ignored.
    package static func all(
        of kind: String, on surface: String? = nil, app: App, trying limits: AppSettings = AppSettings(),
        in store: Store
    ) async throws(StoreError) -> [KindPage] {
        var app = app
        app.readiness = limits.limits(from: app.readiness)
        let listed = try await store.kinds.all(appNumber: app.number).filter {
            $0.kind.hasBytes(of: kind) && (surface == nil || $0.place == surface)
        }
        // Only kinds with a decision have a verdict.
        let isJudged = listed.contains { $0.lifecycle != .active }
        let verdicts = isJudged ? try await store.decisions.verdicts(on: app) : []
        let supposed = try await store.decisions.supposed(listed, of: app)
        let settings = try await store.apps.acts(appNumber: app.number)
        let accepted = try await store.acknowledgements.all(app: app)
        let incidents = try await store.losses.incidents(of: app)
        let lossActs = try await store.losses.acts(of: app, on: kind)
        var pages: [KindPage] = []
        for listed in listed {
            let place = listed.place
            pages.append(
                KindPage(
                    app: app.id, listed: listed,
                    judged: verdicts.first { $0.surface == place && $0.kind.hasBytes(of: kind) },
                    supposed: supposed.first { $0.surface == place && $0.kind.hasBytes(of: kind) },
                    incidents: incidents.filter { $0.surface == place && $0.kind.hasBytes(of: kind) },
                    holders: try await store.decisions.holders(of: kind, surface: place, appNumber: app.number),
                    acts: try await store.kinds.acts(on: kind, surface: place, appNumber: app.number),
                    settings: settings, accepted: accepted.last(on: kind, surface: place),
                    acknowledgements: accepted.all(on: kind, surface: place),
                    lossActs: lossActs.on(kind, surface: place),
                    tried: limits))
        }
        return pages
    }

    /// Reads the data for charts.
    ///
    /// - Parameter beside: a kind to compare it with, as ``KindHistory/Place/text``.
    package mutating func readHistory(
        _ period: Period, beside: String?, of app: App, in store: Store
    ) async throws(StoreError) {
        let (last, console) = (period.last, store.console)
        let place = KindHistory.Place(surface: surface, kind: kind)
        let cells = try await store.reports.cells(
            app: app.id, since: period.first, until: last, surface: surface, kind: kind)
        let closed = try await console.closedDays(appNumber: app.number, since: period.first, until: last)
        var shown = period.beginning(with: closed)
        // The day before the first device shows the rise from zero.
        if period.span != nil, let start = cells.map(\.day).min() { shown = shown.beginning(at: start - 1) }
        let first = shown.first
        let ended = try await store.reports.cells(app: app.id, since: last, until: last)
        history = KindHistory(
            period: shown, series: CountSeries(cells, closed: closed, from: first, through: last),
            marks: try await console.marks(appNumber: app.number, since: first).filter {
                period.shows($0.day) && $0.isAbout(kind, surface)
            },
            families: try await console.families(
                app: app, surface: surface, kind: kind, on: holders.first?.day ?? last),
            changes: try await console.changes(app: app, surface: surface, kind: kind, since: first, until: last),
            ghosts: try await console.ghosts(app: app, surface: surface, kind: kind, since: first, until: last),
            others: ended.sorted { ($1.possible, $0.kind) < ($0.possible, $1.kind) }
                .map { KindHistory.Place(surface: $0.surface.rawValue, kind: $0.kind) }
                .filter { !$0.text.hasBytes(of: place.text) }
                .prefix(KindHistory.mostOthers).map(\.self))
        if let other = beside.flatMap({ KindHistory.Place($0) }), !other.text.hasBytes(of: place.text) {
            try await store.kinds.require(other.kind, of: app)
            let cells = try await store.reports.cells(
                app: app.id, since: first, until: last, surface: other.surface, kind: other.kind)
            history?.other = (other, CountSeries(cells, closed: closed, from: first, through: last))
        }
    }
}
