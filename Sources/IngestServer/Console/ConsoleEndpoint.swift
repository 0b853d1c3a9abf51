internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore
internal import Pages

/// The web console: pages for people, with their own access rules, headers and error pages.
struct ConsoleEndpoint: Sendable {
    /// The read-only pages.
    static let shown: [Link.Place] = [.overview, .kind, .losses, .quirks, .coverage, .status]

    /// The largest form.
    private static let formBytes = 8 << 10
    /// The largest form of an act: a reason has up to 1,000 characters, and each of its bytes can take nine.
    private static let actBytes = 64 << 10
    /// The key under which admission reserves memory for bodies from visitors without a key.
    private static let forms = KeyHash([UInt8](repeating: 0, count: 32))

    let access: ConsoleAccess
    let reading: ConsoleReading
    let reports: ReportsEndpoint
    let admission: Admission
    let reader: BodyReader
    /// For the forms of acts.
    let actReader: BodyReader
    let actPatience: Duration

    init(
        access: ConsoleAccess, reading: ConsoleReading, reports: ReportsEndpoint, admission: Admission,
        actPatience: Duration
    ) {
        self.access = access
        self.reading = reading
        self.reports = reports
        self.admission = admission
        var limits = Limits()
        limits.bodyBytes = ConsoleEndpoint.formBytes
        reader = BodyReader(limits: limits, remedy: "fill in the form on the page again")
        limits.bodyBytes = ConsoleEndpoint.actBytes
        actReader = BodyReader(limits: limits, remedy: "write a shorter reason")
        self.actPatience = actPatience
    }

    /// Whether the console's paths exist.
    var isOn: Bool { access.options.access != .off }

    /// Answers with a read-only page.
    func show(_ place: Link.Place, _ request: Request) async throws -> Response {
        try await answer(request) { visitor in
            guard let visitor else { return loginFirst(request) }
            let fields = try fields(request)
            let (page, app) = try await reading.page(
                place, fields, for: visitor, token: access.formToken(of: visitor))
            return html(page, try await frame(visitor, app))
        }
    }

    /// A report of one app as a file, for visitors without a key at hand.
    func report(_ request: Request) async throws -> Response {
        try await answer(request) { visitor in
            guard let visitor else { return loginFirst(request) }
            let app = try await reading.app(fields(request)["app"], for: visitor)
            let name = request.lastPathSegment
            let query = (request.query ?? "").split(separator: "&").filter { !$0.hasPrefix("app=") }
            let question = try ReportsEndpoint.question(name, query.joined(separator: "&"), app: app.id)
            var response = try await reports.respond(to: question, for: visitor.reader)
            let file = "\(question.report.name).\(question.format.rawValue)"
            response.headers[.contentDisposition] = "attachment; filename=\"\(file)\""
            return response
        }
    }

    /// The form for a device id, and the device's history.
    func device(_ request: Request) async throws -> Response {
        try await answer(request) { visitor in
            guard let visitor else { return loginFirst(request) }
            let app = try await reading.app(fields(request)["app"], for: visitor)
            var answer = DevicePage.Answer.none
            if request.method == .post {
                try ConsoleAccess.requireOwnPage(request)
                answer = try await reading.explain(try await form(request)["device"], of: app, for: visitor)
            }
            return html(DevicePage(app: app.id, answer: answer).page, try await frame(visitor, app.id))
        }
    }

    func login(_ request: Request) async throws -> Response {
        try await answer(request, needsVisitor: false) { _ in
            guard request.method == .post else {
                return html(
                    .login(then: ConsoleEndpoint.inside(try fields(request)["then"]), fault: nil), Frame(apps: []))
            }
            try ConsoleAccess.requireOwnPage(request)
            let form = try await form(request)
            let then = ConsoleEndpoint.inside(form["then"])
            let hash: KeyHash
            do {
                guard let text = form["key"] else { throw Problem(.forbidden, "no_key", "no key was entered") }
                hash = Key(text: text).hash
                _ = try await access.authenticator.visitor(with: hash, ConsoleAccess.roles)
            } catch var problem as Problem where problem.status == .forbidden {
                problem.page = .login(then: then, fault: "Login failed: \(problem.message).")
                throw problem
            }
            let session = ConsoleSession(key: hash, endsAt: access.now() + ConsoleSession.length)
            var response = redirect(to: then)
            response.headers[.setCookie] = session.header(
                secret: access.secret, isSecure: access.isSecure(request, from: request.peer))
            return response
        }
    }

    func logout(_ request: Request) async throws -> Response {
        try await answer(request, needsVisitor: false) { _ in
            try ConsoleAccess.requireOwnPage(request)
            var response = redirect(to: Link(.login).text)
            response.headers[.setCookie] = ConsoleSession.end(
                isSecure: access.isSecure(request, from: request.peer))
            return response
        }
    }

    func style() -> Response { ConsoleEndpoint.file(ConsoleEndpoint.stylesheet, "text/css; charset=utf-8") }

    func script() -> Response { ConsoleEndpoint.file(ConsoleEndpoint.hoverScript, "text/javascript; charset=utf-8") }

    /// A file that is the same for everybody. Browsers cache it forever, because its URL changes with it.
    private static func file(_ body: ByteBuffer, _ contentType: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: contentType, .cacheControl: "public, max-age=31536000, immutable",
                .xContentTypeOptions: "nosniff",
            ],
            body: body)
    }

    // Shared by all answers.
    private static let stylesheet = ByteBuffer(string: Stylesheet.text)
    private static let hoverScript = ByteBuffer(string: HoverScript.text)
}

extension ConsoleEndpoint {
    /// Identifies the visitor, and answers.
    func answer(
        _ request: Request, needsVisitor: Bool = true,
        _ body: (ConsoleVisitor?) async throws -> Response
    ) async throws -> Response {
        do {
            let visitor =
                needsVisitor ? try await access.visitor(of: request, from: request.peer) : nil
            if case .key(let visitor, _) = visitor { request.caller.note(visitor.hash) }
            return try await body(visitor).guarded
        } catch let error as StoreError where error.fault == .request {
            throw Problem(.notFound, "not_found", error.description)
        } catch let error as StoreError {
            throw Problem(error)
        }
    }

    /// Whether a path belongs to the console, so that people get a page even if nothing is there.
    func owns(_ path: String) -> Bool { isOn && (path == "/console" || path.hasPrefix("/console/")) }

    /// An error page.
    func trouble(_ problem: Problem, _ request: Request) -> Response {
        let title =
            switch problem.status {
            case .serviceUnavailable: "Temporarily unavailable"
            case .notFound: "Not found"
            case .tooManyRequests: "Too many requests"
            case .forbidden: "Not allowed"
            case .conflict: "Nothing was changed"
            default: "Request failed"
            }
        let message =
            switch problem.message {
            case Problem.away.message: ConsoleEndpoint.away
            case Problem.notFound.message: "Page not found. The console starts at /console."
            default: problem.message.sentence
            }
        // An act has no page of its own to open again.
        let isAct = [Link.Place.preview, .act].map(\.rawValue).contains(request.path)
        let again = problem.status == .serviceUnavailable && !isAct ? request.target : nil
        var response = html(
            problem.page ?? .trouble(title, message, again: again), Frame(apps: []), status: problem.status)
        response.headers.fill(from: problem.headers)
        return response.guarded
    }

    func html(_ page: Page, _ frame: Frame, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ByteBuffer(string: page.document(in: frame).description))
    }

    func frame(_ visitor: ConsoleVisitor, _ app: String?) async throws -> Frame {
        Frame(apps: try await reading.apps(of: visitor), app: app, hasSession: !visitor.seesAll)
    }

    private static let away =
        "PostgreSQL is unavailable or too slow, so there are no numbers to show. Devices send their events again later: nothing is lost."

    func loginFirst(_ request: Request) -> Response {
        redirect(to: Link(.login).with("then", request.method == .get ? request.target : nil).text)
    }

    private func redirect(to address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address])
    }

    func fields(_ request: Request) throws -> FormFields {
        guard let fields = FormFields((request.query ?? "").utf8) else {
            throw Problem(.badRequest, "invalid_query", "the URL is not URL-encoded UTF-8")
        }
        return fields
    }

    /// - Parameter reader: the limits of its size.
    func form(_ request: Request, _ reader: BodyReader? = nil) async throws -> FormFields {
        guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true else {
            throw Problem(
                .unsupportedMediaType, "wrong_content_type", "Content-Type must be application/x-www-form-urlencoded")
        }
        let reservation = admission.reservation(ConsoleEndpoint.forms)
        defer { reservation.end() }
        let body = try await (reader ?? self.reader).read(request, reservation)
        guard !body.isCompressed, let fields = FormFields(body.bytes) else {
            throw Problem(.badRequest, "invalid_form", "the form is not URL-encoded UTF-8")
        }
        return fields
    }

    /// A URL within the console. Any other becomes the first page, because a link must not lead elsewhere after the login.
    static func inside(_ address: String?) -> String {
        guard let address, address == "/console" || address.hasPrefix("/console?") || address.hasPrefix("/console/"),
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
            // Neither ".." nor an encoded form of it.
            address.utf8.prefix(while: { $0 != UInt8(ascii: "?") }).allSatisfy({ !".%".utf8.contains($0) }),
            !address.hasPrefix("/console/log")
        else { return Link(.overview).text }
        return address
    }
}

extension Response {
    /// Adds the headers of every answer, which forbid inline scripts, content from elsewhere, framing and caching. The one
    /// script can't turn a text into markup or code.
    fileprivate var guarded: Response {
        var response = self
        response.headers.fill(from: Response.guards)
        return response
    }

    private static let guards: Headers = [
        .contentSecurityPolicy:
            """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; \
        base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """,
        .xContentTypeOptions: "nosniff", HTTPField.Name(validated: "Referrer-Policy"): "no-referrer",
        .cacheControl: "private, no-store",
    ]
}

extension String {
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
