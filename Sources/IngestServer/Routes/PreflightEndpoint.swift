internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore
internal import Pages

/// `POST /v1/preflight`: returns what `widget-census preflight` prints for a manifest, and its exit status. Stores nothing.
struct PreflightEndpoint: Sendable {
    let intake: ManifestIntake
    let reading: StoreReading
    /// The program's.
    let version: String

    func respond(to request: Request, from visitor: Visitor) async throws -> Response {
        let question = try Question(request.query)
        let today = ReportingZone.utc.day(of: .now)
        return try await intake.read(request, from: visitor) { manifest, bytes in
            let verdict = try await reading.read(for: visitor.hash) { store in
                try await store.installedBase.preflight(
                    manifest, app: store.apps.app(visitor.key.appID), allowance: question.allowance,
                    allowsUnknown: question.allowsUnknown, today: today)
            }
            let report = PreflightReport(
                verdict: verdict, file: question.file ?? "-", location: question.file ?? "manifest.json",
                places: ManifestPlaces(bytes), actor: question.by, version: version, today: today)
            var response = Response(
                unkept: ByteBuffer(string: report.text(as: question.format)), contentType: question.format.contentType)
            response.headers[.censusExitStatus] = "\(verdict.exitStatus)"
            return response
        }
    }

    /// What the query asks for.
    private struct Question {
        private static let parameters = ["format", "allow_loss", "allow_unknown", "file", "by"]

        var format = PreflightFormat.json
        var allowance = PreflightAllowance()
        var allowsUnknown = false
        /// The manifest's path in its repository, for annotations and for the command that acknowledges a finding.
        var file: String?
        var by = "NAME"

        /// - Throws: ``Problem`` 400.
        init(_ query: String?) throws {
            let fields = try FormFields(query: query, parameters: Question.parameters)
            if let text = fields["format"] {
                guard let format = PreflightFormat(rawValue: text) else {
                    throw Problem.invalidQuery(
                        "format must be one of \(PreflightFormat.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                self.format = format
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
            by = fields["by"] ?? by
            guard (file?.utf8.count ?? 0) <= 4_096, by.utf8.count <= 1_000 else {
                throw Problem.invalidQuery("file or by is too long")
            }
        }
    }
}

extension PreflightFormat {
    fileprivate var contentType: String {
        switch self {
        case .json: "application/json"
        case .sarif: "application/sarif+json"
        case .junit: "application/xml; charset=utf-8"
        case .text, .github: "text/plain; charset=utf-8"
        }
    }
}
        case .markdown: "text/markdown; charset=utf-8"
