internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore

/// `GET /v1/reports` lists the reports. `GET /v1/reports/NAME` returns what `widget-census report NAME` prints, for the key's
/// app.
struct ReportsEndpoint: Sendable {
    private static let parameters = ["since", "until", "kind", "format"]
    /// A longer response would take the memory that bodies need.
    private static let mostRows = 100_000

    enum Format: String {
        case json, ndjson, csv

        var contentType: String {
            switch self {
            case .json: "application/json"
            case .ndjson: "application/x-ndjson"
            case .csv: "text/csv; charset=utf-8; header=present"
            }
        }

        func text(_ table: ReportTable) -> String {
            switch self {
            case .json: table.json
            case .ndjson: table.ndjson
            case .csv: table.csv
            }
        }
    }

    /// What a request asks for.
    struct Question: Sendable {
        var report: ReportDescription
        var app: String
        var since: NamedDay?
        var until: NamedDay?
        var kind: String?
        var format: Format
    }

    let reading: StoreReading

    func respond(to request: Request, name: String, from visitor: Visitor) async throws -> Response {
        try await respond(
            to: try ReportsEndpoint.question(name, request.query, app: visitor.key.appID), for: visitor.hash)
    }

    /// The reports with their columns, for programs that build queries or forms.
    func list(_ request: Request) throws -> Response {
        _ = try FormFields(query: request.query, parameters: [])
        var json = JSONBuilder()
        json.array(ReportDescription.all) { json, report in report.write(to: &json) }
        return Response(unkept: ByteBuffer(bytes: json.bytes))
    }

    /// - Parameter reader: the key whose turn it takes.
    func respond(to question: Question, for reader: KeyHash) async throws -> Response {
        let table = try await reading.read(for: reader) { store in
            let filter = try await store.reports.filter(
                app: question.app, since: question.since, until: question.until, kind: question.kind)
            return try await store.reports.read(
                question.report.name, filter, atMost: ReportsEndpoint.mostRows + 1)
        }
        guard table.rows.count <= ReportsEndpoint.mostRows else {
            throw Problem(
                .unprocessableContent, "too_many_rows",
                "the report has more than \(ReportsEndpoint.mostRows.grouped) rows; ask for fewer days or for one kind")
        }
        return Response(
            unkept: ByteBuffer(string: question.format.text(table)), contentType: question.format.contentType)
    }

    /// - Throws: ``Problem``: 404 for an unknown report, 400 for a filter that it doesn't have. Ignoring a filter would return
    ///   wrong numbers.
    static func question(_ name: String, _ query: String?, app: String) throws -> Question {
        guard let report = ReportDescription.all.first(where: { $0.name == name }) else {
            throw Problem(
                .notFound, "unknown_report",
                "unknown report; the reports are \(ReportReader.names.joined(separator: ", "))")
        }
        let fields = try FormFields(query: query, parameters: parameters)
        func day(_ name: String) throws -> NamedDay? {
            guard let text = fields[name] else { return nil }
            guard report.hasDays else { throw invalid("this report has no days; leave out \(name)") }
            guard let day = NamedDay(text) else {
                throw invalid("\(name) must be a day: \(NamedDay.forms)")
            }
            return day
        }
        if fields["kind"] != nil, !report.hasKinds {
            throw invalid("this report has no kinds; leave out kind")
        }
        guard let format = fields["format"].map(Format.init) ?? .json else {
            throw invalid("format must be json, ndjson or csv")
        }
        return Question(
            report: report, app: app, since: try day("since"), until: try day("until"), kind: fields["kind"],
            format: format)
    }

    private static func invalid(_ message: String) -> Problem { .invalidQuery(message) }
}

extension ReportDescription {
    fileprivate func write(to json: inout JSONBuilder) {
        json.object { json in
            json.member("name", name)
            json.member("answer", answer)
            json.member("grain", grain)
            json.member("filters", (hasDays ? ["since", "until"] : []) + (hasKinds ? ["kind"] : []))
            json.member("columns") { json in
                json.array(columns) { json, column in
                    json.object { json in
                        json.member("name", column.name)
                        json.member("meaning", column.meaning)
                    }
                }
            }
        }
    }
}

extension FormFields {
    /// - Throws: ``Problem`` 400 if a query has other parameters, or one without a value.
    init(query: String?, parameters: [String]) throws {
        guard let fields = FormFields((query ?? "").utf8) else {
            throw Problem.invalidQuery("the query is not URL-encoded UTF-8")
        }
        guard fields.strangers(to: parameters).isEmpty else {
            guard !parameters.isEmpty else { throw Problem.invalidQuery("this path has no parameters") }
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
