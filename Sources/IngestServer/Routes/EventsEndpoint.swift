internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore

/// `POST /v1/events`: decodes a batch, stores it, and responds after COMMIT. `POST /v1/validate`: the same response with all
/// warnings, without storing anything.
struct EventsEndpoint: Sendable {
    let admission: Admission
    let reader: BodyReader
    let batches: BatchReader
    let committer: BatchCommitter
    let authenticator: Authenticator
    let now: @Sendable () -> Timestamp

    func respond(
        to request: Request, from visitor: Visitor, keeps: Bool = true
    ) async throws -> Response {
        guard request.isJSON else { throw Problem.notJSON }
        let reservation = admission.reservation(visitor.hash)
        defer { reservation.end() }
        let batch = try await read(request, visitor, reservation, keeps)
        guard keeps else { return try batch.answer(mostWarnings: .max) }
        try await committer.commit(batch)
        return try batch.answer(mostWarnings: EventsEndpoint.mostWarnings)
    }

    /// The largest body that is decoded on its connection's event loop.
    private static let plainBytes = 4 << 10

    /// Admits a plain report. The connection then collects its body and calls ``store(_:of:from:on:_:)``.
    ///
    /// - Returns: nil for any other request.
    /// - Throws: ``Problem``: 429 for a key over its rate limit.
    func plainSender(of request: Request) throws -> Visitor? {
        guard request.method == .post, let bytes = request.announced.bytes,
            (1...EventsEndpoint.plainBytes).contains(bytes),
            request.isJSON, (try? reader.isCompressed(request)) != nil
        else { return nil }
        return try authenticator.known(.write, of: request)
    }

    /// Stores a plain report.
    ///
    /// - Parameter answer: called on the event loop, now or later.
    /// - Returns: nil; or, if it turns out not to be a plain report, the request with the decoded batch.
    /// - Throws: ``Problem``.
    func store(
        _ body: ByteBuffer, of request: Request, from visitor: Visitor, on loop: any EventLoop,
        _ answer: @escaping @Sendable (Result<Response, Problem>) -> Void
    ) throws -> Request? {
        let reservation = admission.reservation(visitor.hash)
        defer { reservation.end() }
        let sent = SentBody(bytes: Array(body.readableBytesView), isCompressed: try reader.isCompressed(request))
        let batch: ReadBatch
        switch try batches.readAtOnce(sent, of: visitor, received: now(), reservation) {
        case .read(let read): batch = read
        case .unread(let content):
            var request = request
            (request.visitor, request.batch) = (visitor, content)
            return request
        }
        let held = reservation.handOn()
        try committer.commit(batch, on: loop) { [committer] result in
            // Now, not when the closure is released, which can be much later.
            held.end()
            do {
                if case .failure(let error) = result { throw Problem(error) }
                committer.count(batch)
                answer(.success(try batch.answer(mostWarnings: EventsEndpoint.mostWarnings)))
            } catch {
                answer(.failure(error as? Problem ?? .away))
            }
        }
        return nil
    }

    /// Few, because a phone gets them with every batch.
    private static let mostWarnings = 10

    /// A separate function, so that the body is freed before the commit, which can take long.
    private func read(
        _ request: Request, _ visitor: Visitor, _ reservation: Admission.Reservation,
        _ keeps: Bool
    ) async throws -> ReadBatch {
        if let batch = request.batch { return try await batches.read(batch, of: visitor, reservation) }
        let body = try await reader.read(request, reservation)
        return try await batches.read(body, of: visitor, received: now(), reservation, keeps: keeps)
    }
}

extension ReadBatch {
    /// The response, once the batch is stored or validated.
    func answer(mostWarnings: Int) throws -> Response {
        let warnings = warnings.prefix(mostWarnings)
        guard accepted > 0 else {
            var problem = Problem(
                .unprocessableContent, "all_refused", "every event was rejected; see `rejected`", pointer: "/events",
                refused: refused)
            problem.warnings = Array(warnings)
            throw problem
        }
        var json = JSONObject()
        json.add("accepted", accepted)
        json.add("rejected", refused)
        if !warnings.isEmpty { json.add("warnings", Array(warnings)) }
        return Response(
            status: .accepted, headers: [.contentType: "application/json"], body: json.buffer)
    }
}

extension Request {
    /// Whether `Content-Type` is JSON, with or without parameters such as `charset`.
    var isJSON: Bool {
        guard let type = headers[.contentType] else { return false }
        if type == "application/json" { return true }
        let essence = type.prefix { $0 != ";" }.lowercased()
        return essence.filter { $0 != " " && $0 != "\t" } == "application/json"
    }
}
