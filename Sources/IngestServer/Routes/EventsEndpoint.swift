internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import Hummingbird

/// `POST /v1/events`: read, decode, refuse or keep, and answer after COMMIT. `POST /v1/validate`: the same answer with all
/// warnings, and nothing is kept.
struct EventsEndpoint: Sendable {
    let admission: Admission
    let reader: BodyReader
    let batches: BatchReader
    let committer: BatchCommitter
    let now: @Sendable () -> Timestamp

    func respond(
        to request: Request, context: ConnectionContext, from visitor: Visitor, keeps: Bool = true
    ) async throws -> Response {
        guard request.isJSON else { throw Problem.notJSON }
        let reservation = admission.reservation(visitor.hash)
        defer { reservation.end() }
        let batch = try await read(request, context, visitor, reservation, keeps)
        guard keeps else { return try batch.answer(mostWarnings: .max) }
        try await committer.commit(batch)
        return try batch.answer(mostWarnings: EventsEndpoint.mostWarnings)
    }

    /// A phone that keeps making a mistake gets these with every batch.
    private static let mostWarnings = 10

    /// A function of its own, so that the body is freed before the commit, which may take long.
    private func read(
        _ request: Request, _ context: ConnectionContext, _ visitor: Visitor, _ reservation: Admission.Reservation,
        _ keeps: Bool
    ) async throws -> ReadBatch {
        let body = try await reader.read(request, context, reservation)
        return try await batches.read(body, of: visitor, received: now(), reservation, keeps: keeps)
    }
}

extension ReadBatch {
    /// Once it is stored, or if the sender only asked.
    func answer(mostWarnings: Int) throws -> Response {
        let warnings = warnings.prefix(mostWarnings)
        guard accepted > 0 else {
            var problem = Problem(
                .unprocessableContent, "all_refused", "every event was refused; see `rejected`", pointer: "/events",
                refused: refused)
            problem.warnings = Array(warnings)
            throw problem
        }
        var json = JSONObject()
        json.add("accepted", accepted)
        json.add("rejected", refused)
        if !warnings.isEmpty { json.add("warnings", Array(warnings)) }
        return Response(
            status: .accepted, headers: [.contentType: "application/json"], body: .init(byteBuffer: json.buffer))
    }
}

extension Request {
    /// Parameters such as `charset` may follow.
    var isJSON: Bool {
        guard let type = headers[.contentType] else { return false }
        if type == "application/json" { return true }
        let essence = type.prefix { $0 != ";" }.lowercased()
        return essence.filter { $0 != " " && $0 != "\t" } == "application/json"
    }
}
