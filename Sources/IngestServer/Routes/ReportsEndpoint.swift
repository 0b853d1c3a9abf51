internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore

/// `GET /v1/reports/NAME`: returns what `widget-census report NAME` prints, for the key's app.
struct ReportsEndpoint: Sendable {
    private static let parameters = ["since", "until", "kind", "format"]
    /// A longer response would take the memory that bodies need.
    private static let mostRows = 100_000

    enum Format: String {
        case json, csv

        var contentType: String {
            switch self {
            case .json: "application/json"
            case .csv: "text/csv; charset=utf-8; header=present"
            }
        }
    }

    let reading: StoreReading

    func respond(to request: Request, name: String, from visitor: Visitor) async throws -> Response {
        let (report, filter, format) = try ReportsEndpoint.question(name, request.query, app: visitor.key.appID)
        return try await respond(report, filter, format, to: visitor.hash)
    }

    /// - Parameter reader: the key whose turn it takes.
    func respond(
        _ report: ReportDescription, _ filter: ReportFilter, _ format: Format, to reader: KeyHash
    ) async throws -> Response {
        let table = try await reading.read(for: reader) { store in
            try await store.reports.read(report.name, filter, atMost: ReportsEndpoint.mostRows + 1)
        }
        guard table.rows.count <= ReportsEndpoint.mostRows else {
            throw Problem(
                .unprocessableContent, "too_many_rows",
                "the report has more than \(ReportsEndpoint.mostRows.grouped) rows; ask for fewer days or for one kind")
        }
        return Response(
            unkept: ByteBuffer(string: format == .csv ? table.csv : table.json), contentType: format.contentType)
    }

    /// - Throws: ``Problem``: 404 for an unknown report, 400 for a filter that it doesn't have. Ignoring a filter would return
    ///   wrong numbers.
    static func question(
        _ name: String, _ query: String?, app: String
    ) throws -> (ReportDescription, ReportFilter, Format) {
        guard let report = ReportDescription.all.first(where: { $0.name == name }) else {
            throw Problem(
                .notFound, "unknown_report",
                "unknown report; the reports are \(ReportReader.names.joined(separator: ", "))")
        }
        let fields = try FormFields(query: query, parameters: parameters)
        func day(_ name: String) throws -> Day? {
            guard let text = fields[name] else { return nil }
            guard report.hasDays else { throw invalid("this report has no days; leave out \(name)") }
            guard let day = Day(text) else { throw invalid("\(name) must be a day, such as 2026-11-21") }
            return day
        }
        if fields["kind"] != nil, !report.hasKinds {
            throw invalid("this report has no kinds; leave out kind")
        }
        guard let format = fields["format"].map(Format.init) ?? .json else {
            throw invalid("format must be json or csv")
        }
        let filter = ReportFilter(
            app: app, since: try day("since"), until: try day("until"), kind: fields["kind"])
        return (report, filter, format)
    }

    private static func invalid(_ message: String) -> Problem { .invalidQuery(message) }
}

extension FormFields {
    /// - Throws: ``Problem`` 400 if a query has other parameters, or one without a value.
    init(query: String?, parameters: [String]) throws {
        guard let fields = FormFields((query ?? "").utf8) else {
            throw Problem.invalidQuery("the query is not URL-encoded UTF-8")
        }
        guard fields.strangers(to: parameters).isEmpty else {
            let listed = parameters.joined(separator: ", ")
            throw Problem.invalidQuery("the parameters are \(listed), each at most once; the key decides the app")
        }
        // Probably an unset variable in a script.
        if let empty = fields.fields.first(where: \.value.isEmpty) {
            throw Problem.invalidQuery("\(empty.name) is empty; give it a value or leave it out")
        }
        self = fields
    }
}

extension Problem {
    static func invalidQuery(_ message: String) -> Problem { Problem(.badRequest, "invalid_query", message) }
}
