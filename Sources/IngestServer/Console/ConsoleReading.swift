internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import Pages

/// Reads data for pages, with few connections and short timeouts, because devices have priority.
struct ConsoleReading: Sendable {
    let reading: StoreReading
    let secret: Secret
    /// This program's version.
    let version: String
    let now: @Sendable () -> Timestamp

    /// - Parameter token: for the forms of a visitor who can act.
    /// - Returns: the page, and the id of its app.
    func page(
        _ place: Link.Place, _ fields: FormFields, for visitor: ConsoleVisitor, token: String?
    ) async throws -> (Page, String?) {
        let apps = try await apps(of: visitor)
        guard let id = fields["app"] ?? (apps.count == 1 ? apps.first : nil) else {
            return (try await reading.ask(for: visitor.reader) { try await AppsPage.read(apps, in: $0) }.page, nil)
        }
        let app = try await app(id, for: visitor)
        let page = try await reading.read(for: visitor.reader) { store in
            try await self.page(place, fields, app, visitor, token, store)
        }
        return (page, app.id)
    }

    /// The ids of the apps that a visitor may see.
    func apps(of visitor: ConsoleVisitor) async throws -> [String] {
        switch visitor {
        case .key(let visitor, _): [visitor.key.appID]
        case .person, .anybody:
            try await reading.ask(for: visitor.reader) { try await $0.apps.all().map(\.id).sorted() }
        }
    }

    /// - Throws: ``Problem``: 403 for an app that the visitor may not see, whether it exists or not.
    func app(_ id: String?, for visitor: ConsoleVisitor) async throws -> App {
        var id = id
        if id == nil, case .key(let visitor, _) = visitor { id = visitor.key.appID }
        guard let id else { throw Problem(.badRequest, "invalid_query", "the URL has no `app`") }
        guard visitor.sees(id) else { throw Problem(.forbidden, "wrong_app", "your key belongs to another app") }
        return try await reading.ask(for: visitor.reader) { try await $0.apps.app(id) }
    }

    func explain(_ id: String?, of app: App, for visitor: ConsoleVisitor) async throws -> DevicePage.Answer {
        guard let id else { return .fault("No id was entered.") }
        if let fault = RawID.fault(of: id) { return .fault("The device's id \(fault).") }
        let name = secret.device(id, app: app.id)
        return try await reading.read(for: visitor.reader) { store in
            DevicePage.Answer(try await DeviceHistory.explanation(of: name, app: app, in: store))
        }
    }

    private func page(
        _ place: Link.Place, _ fields: FormFields, _ app: App, _ visitor: ConsoleVisitor, _ token: String?,
        _ store: Store
    ) async throws -> Page {
        switch place {
        case .overview, .preview, .act, .login, .logout: try await overview(fields, app, visitor, store)
        case .kind: try await kind(fields, app, token, store)
        case .losses: try await losses(app, token, store)
        case .quirks: try await QuirksPage.read(app, in: store).page
        case .coverage: try await CoveragePage.read(app, period(fields, app, store), in: store).page
        case .device: DevicePage(app: app.id, answer: .none).page
        case .status:
            StatusPage(
                try await store.status.read(only: visitor.seesAll ? nil : app), version: version,
                schema: Migrator.currentVersion, app: app.id, connections: visitor.seesAll ? store.connections : nil
            ).page
        }
    }

    /// The last day that has ended in the app's zone.
    private func lastEnded(_ app: App) -> Day {
        (ReportingZone(identifier: app.zone) ?? .utc).day(of: now()) - 1
    }

    /// The days that the URL asks for.
    private func period(_ fields: FormFields, _ app: App, _ store: Store) async throws -> Period {
        let end = try await lastDay(app, store)
        do {
            return try Period(days: fields["days"], from: fields["from"], to: fields["to"], through: end)
        } catch {
            throw Problem.invalidQuery(error.message)
        }
    }

    /// The last day that a page shows.
    private func lastDay(_ app: App, _ store: Store) async throws -> Day {
        try await store.console.lastClosedDay(appNumber: app.number) ?? lastEnded(app)
    }

    private func overview(
        _ fields: FormFields, _ app: App, _ visitor: ConsoleVisitor, _ store: Store
    ) async throws -> Page {
        var filter = OverviewPage.Filter(try await period(fields, app, store))
        filter.search = fields["q"]
        filter.order = fields["sort"].flatMap(OverviewPage.Order.init) ?? .common
        filter.ownScale = fields["scale"] == "own"
        filter.surface = fields["surface"]
        filter.page = fields["page"].flatMap { Int($0) } ?? 1
        return try await OverviewPage.read(app, filter, isAlone: !visitor.seesAll, in: store).page
    }

    private func losses(_ app: App, _ token: String?, _ store: Store) async throws -> Page {
        var page = try await LossesPage.read(app, in: store)
        page.token = token
        return page.page
    }

    private static let parametersOfKind = [
        "app", "kind", "surface", "days", "from", "to", "beside", "limit", "limit_share", "ready_days", "coverage",
    ]

    private func kind(_ fields: FormFields, _ app: App, _ token: String?, _ store: Store) async throws -> Page {
        guard let kind = fields["kind"] else {
            throw Problem(.badRequest, "invalid_query", "the URL has no `kind`")
        }
        // A misspelled limit must not pass for the app's own.
        let strangers = fields.strangers(to: ConsoleReading.parametersOfKind)
        guard strangers.isEmpty else {
            throw Problem.invalidQuery(
                "the URL has unknown or repeated parameters: \(strangers.joined(separator: ", "))")
        }
        let surface = fields["surface"] ?? Surface.widget.rawValue
        let limits: AppSettings
        do { limits = try ConsoleAct.limits { fields[$0] } } catch { throw Problem.invalidQuery(error.sentence) }
        guard var page = try await KindPage.all(of: kind, on: surface, app: app, trying: limits, in: store).first else {
            throw Problem(.notFound, "not_found", "no device of \(app.id) has reported that kind on that surface")
        }
        page.token = token
        try await page.readHistory(period(fields, app, store), beside: fields["beside"], of: app, in: store)
        return page.page
    }
}
