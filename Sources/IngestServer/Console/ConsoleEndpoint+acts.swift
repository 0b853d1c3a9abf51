internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import Pages

// Acts of people: a form leads to a preview, and confirming the preview carries the act out. Only POST requests with the
// visitor's own token reach either.
extension ConsoleEndpoint {
    /// Shows what an act would do. Changes nothing.
    func preview(_ request: Request) async throws -> Response {
        try await acting(request) { visitor, actor, app, form in
            let act = try ConsoleEndpoint.act(of: app, fields(request), entries: form)
            let preview = try await carryOut(act, for: visitor) { store in
                try await act.preview(by: actor, of: app, in: store)
            }
            return (preview.page(token: access.formToken(of: visitor) ?? ""), .ok)
        }
    }

    /// Carries out an act that somebody has confirmed.
    func act(_ request: Request) async throws -> Response {
        try await acting(request) { visitor, actor, app, form in
            guard let entries = FormFields((form["entries"] ?? "").utf8) else {
                throw Problem(.badRequest, "invalid_form", "the form is not URL-encoded UTF-8")
            }
            let act = try ConsoleEndpoint.act(of: app, fields(request), entries: entries)
            let result = try await carryOut(act, for: visitor, isWriting: true) { store in
                try await act.take(by: actor, seen: form["seen"].flatMap { Int64($0) } ?? -1, of: app, in: store)
            }
            return (result.page, result.isRefused ? .conflict : .ok)
        }
    }

    /// Admits a manager with a form from one of the console's pages.
    private func acting(
        _ request: Request,
        _ body: (ConsoleVisitor, _ actor: String, App, FormFields) async throws -> (Page, HTTPResponse.Status)
    ) async throws -> Response {
        try await answer(request) { visitor in
            try ConsoleAccess.requireOwnPage(request)
            guard let visitor else { return loginFirst(request) }
            guard let actor = visitor.actor else { throw ConsoleEndpoint.mayNotAct }
            let app = try await reading.app(fields(request)["app"], for: visitor)
            let form = try await form(request, actReader)
            guard access.isFormToken(form["token"], of: visitor) else { throw ConsoleEndpoint.staleForm }
            let (page, status) = try await body(visitor, actor, app, form)
            return html(page, try await frame(visitor, app.id), status: status)
        }
    }

    /// - Throws: ``Problem``: 422 for a field that isn't filled in as it must be.
    private static func act(of app: App, _ query: FormFields, entries: FormFields) throws -> ConsoleAct {
        do {
            return try ConsoleAct(app: app.id, query: { query[$0] }, entry: { entries[$0] })
        } catch {
            var problem = Problem(.unprocessableContent, "invalid_form", error.sentence)
            let kind = query["kind"].map { Link(.kind).with("app", app.id).with("kind", $0) }
            problem.page = .trouble(
                "Nothing was changed", "\(error.sentence.capitalizingFirst).",
                back: kind?.with("surface", query["surface"]) ?? Link(.overview).with("app", app.id))
            throw problem
        }
    }

    private func carryOut<T: Sendable>(
        _ act: ConsoleAct, for visitor: ConsoleVisitor, isWriting: Bool = false,
        _ work: @escaping @Sendable (Store) async throws -> T
    ) async throws -> T {
        do {
            return try await reading.reading.ask(for: visitor.reader, within: actPatience, work)
        } catch let error as StoreError where error.fault == .request {
            var problem = Problem(.notFound, "not_found", error.description)
            problem.page = .trouble("Nothing was changed", "\(error.description).", back: act.origin)
            throw problem
        } catch let error as StoreError where isWriting {
            var problem = Problem(error)
            problem.page = .trouble(
                "Not known",
                "PostgreSQL is unavailable or busy, and did not say whether the act was recorded. Look at the page: if its "
                    + "decisions don't have the act, try again. Acting twice changes nothing more.", back: act.origin)
            throw problem
        }
    }

    private static let mayNotAct = Problem(
        .forbidden, "wrong_role",
        "you can look, but not act: acting needs a key with the role manage, which an operator makes with `keys add --role "
            + "manage`, or a proxy that says so; see docs/guides/console.md")

    private static let staleForm = Problem(
        .forbidden, "stale_form",
        "the form is too old, or from another session; nothing was changed. Open its page again and resubmit it")
}
