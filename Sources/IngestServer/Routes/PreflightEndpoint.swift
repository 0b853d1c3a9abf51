internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore
internal import Pages

/// `POST /v1/preflight`: returns what `widget-census preflight` prints for a manifest, or with `drop` for a kind, and its exit
/// status. Stores nothing.
struct PreflightEndpoint: Sendable {
    let intake: ManifestIntake
    let reading: StoreReading
    /// For reading the devices.
    let patience: Duration
    /// The program's.
    let version: String
    /// Pipelines often ask about the same release at once, and each reading takes every device that holds something.
    private let impacts = SharedAnswers<Release, ReleaseImpact>(goodFor: .seconds(5))

    init(intake: ManifestIntake, reading: StoreReading, patience: Duration, version: String) {
        (self.intake, self.reading, self.patience, self.version) = (intake, reading, patience, version)
    }

    func respond(to request: Request, from visitor: Visitor) async throws -> Response {
        let question = try Question(request.query)
        let today = ReportingZone.utc.day(of: .now)
        if let drop = question.drop {
            guard request.announced == .none else {
                throw Problem.invalidQuery("drop needs no manifest: leave out the body, or drop")
            }
            if let app = question.app, !app.hasBytes(of: visitor.key.appID) { throw Problem.wrongApp }
            return response(
                PreflightReport(
                    verdict: try await verdict(on: drop, question, visitor, today), on: drop, file: "-",
                    location: drop.location, actor: question.by, server: question.server, version: version, today: today
                ),
                question)
        }
        return try await intake.read(request, from: visitor) { manifest, bytes in
            let verdict = try await verdict(on: .manifest(manifest), question, visitor, today)
            return response(
                PreflightReport(
                    verdict: verdict, on: .manifest(manifest), file: question.file ?? "-",
                    location: question.file ?? ComingRelease.manifest(manifest).location,
                    places: ManifestPlaces(bytes), actor: question.by, server: question.server, version: version,
                    today: today), question)
        }
    }

    /// Other requests share what was read of the devices; acknowledgements and settings are the newest.
    ///
    /// - Throws: ``Problem`` 404 if nobody knows the kind, or the family.
    private func verdict(
        on release: ComingRelease, _ question: Question, _ visitor: Visitor, _ today: Day
    ) async throws -> PreflightVerdict {
        let appID = visitor.key.appID
        let impact = try await impacts.answer(to: Release(appID: Text(appID), release: release)) {
            [reading, patience] in
            try await reading.read(for: visitor.hash, within: patience) { store in
                let app = try await store.apps.app(appID)
                if case .dropping(let kind, _) = release, try await !store.kinds.knows(kind.text, of: app) {
                    throw Problem.unknownKind
                }
                do throws(StoreError) {
                    return try await store.installedBase.impact(of: release, app: app)
                } catch  where error.fault == .request {
                    throw Problem.unknownFamily(error)
                }
            }
        }
        return try await reading.read(for: visitor.hash) { store in
            try await store.installedBase.verdict(
                on: impact, app: store.apps.app(appID), allowance: question.allowance,
                allowsUnknown: question.allowsUnknown, today: today)
        }
    }

    private func response(_ report: PreflightReport, _ question: Question) -> Response {
        var response = Response(
            unkept: ByteBuffer(string: report.text(as: question.format)), contentType: question.format.contentType)
        response.headers[.censusExitStatus] = "\(report.verdict.exitStatus)"
        return response
    }

    private struct Release: Hashable {
        var appID: Text
        var release: ComingRelease
    }

    /// What the query asks for.
    private struct Question {
        private static let parameters = ["format", "allow_loss", "allow_unknown", "file", "by", "server"]
        private static let parametersOfDrop = ["drop", "family", "app"]

        var format = PreflightFormat.json
        var allowance = PreflightAllowance()
        var allowsUnknown = false
        /// Nil: the body is a manifest.
        var drop: ComingRelease?
        /// With ``drop``: if given, it must be the key's.
        var app: String?
        /// The manifest's path in its repository, for annotations and for the command that acknowledges a finding.
        var file: String?
        var by = "NAME"
        /// The service's address as the caller knows it, for that command.
        var server: String?

        /// - Throws: ``Problem`` 400.
        init(_ query: String?) throws {
            let fields = try FormFields(query: query, parameters: Question.parameters + Question.parametersOfDrop)
            drop = ComingRelease(dropping: fields["drop"], family: fields["family"])
            app = fields["app"]
            if drop == nil, let stray = Question.parametersOfDrop.first(where: { fields[$0] != nil }) {
                throw Problem.invalidQuery("\(stray) needs drop; without drop, the manifest says it")
            }
            if let text = fields["format"] {
                guard let format = PreflightFormat(rawValue: text) else {
                    throw Problem.invalidQuery(
                        "format must be one of \(PreflightFormat.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                self.format = format
            }
            if drop != nil, format == .sarif || fields["file"] != nil {
                throw Problem.invalidQuery("drop has no manifest, so it can't have file or format=sarif")
            }
            if let text = fields["allow_loss"] {
                guard let allowance = PreflightAllowance(text) else {
                    throw Problem.invalidQuery("allow_loss must be \(PreflightAllowance.inWords)")
                }
                self.allowance = allowance
            }
            if let text = fields["allow_unknown"] {
                guard text == "true" || text == "false" else {
                    throw Problem.invalidQuery("allow_unknown must be true or false")
                }
                allowsUnknown = text == "true"
            }
            file = fields["file"]
            server = fields["server"]
            by = fields["by"] ?? by
            guard [file, server].allSatisfy({ ($0?.utf8.count ?? 0) <= 4_096 }), by.utf8.count <= 1_000 else {
                throw Problem.invalidQuery("file, server or by is too long")
            }
        }
    }
}

extension PreflightFormat {
    fileprivate var contentType: String {
        switch self {
        case .json: "application/json"
        case .sarif: "application/sarif+json"
        case .markdown: "text/markdown; charset=utf-8"
        case .junit: "application/xml; charset=utf-8"
        case .text, .github: "text/plain; charset=utf-8"
        }
    }
}

extension Problem {
    static func unknownFamily(_ error: StoreError) -> Problem {
        Problem(.notFound, "unknown_family", error.description)
    }

    static let wrongApp = Problem(
        .forbidden, "wrong_app",
        "this key is for another app than the parameter app; use a key of that app, or leave the parameter out")

    static let unknownKind = Problem(
        .notFound, "unknown_kind",
        "the app never had such a kind; check its spelling, for example in the report live_kinds")
}
