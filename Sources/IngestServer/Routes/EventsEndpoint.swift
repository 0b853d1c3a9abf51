internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// `POST /v1/events`: read, decode, refuse or keep, and answer after COMMIT.
struct EventsEndpoint: Sendable {
    let room: BodyRoom
    let reader: BodyReader
    let batches: BatchReader
    let commits: GroupCommit
    let load: DoorLoad
    let metrics: DoorMetrics
    let now: @Sendable () -> Timestamp

    func respond(to request: Request, context: DoorContext, from visitor: Visitor) async throws -> Response {
        guard request.isJSON else { throw Problem.notJSON }
        let claim = try room.claim(visitor.hash)
        defer { claim.end() }
        let batch = try await read(request, context, visitor, claim)
        load.enter()
        defer { load.leave() }
        do throws(GroupCommit.Failure) {
            // Commit before answering: an acknowledged event must survive a crash.
            try await commits.commit(batch.parcel)
        } catch {
            switch error {
            case .full: throw Problem.busy
            case .store(let error): throw Problem(error)
            }
        }
        return try answer(batch)
    }

    /// A function of its own, so that the body is freed before the commit, which may take long.
    private func read(
        _ request: Request, _ context: DoorContext, _ visitor: Visitor, _ claim: BodyRoom.Claim
    ) async throws -> ReadBatch {
        let body = try await reader.read(request, context, claim)
        return try await batches.read(body, of: visitor, received: now(), claim)
    }

    private func answer(_ batch: ReadBatch) throws -> Response {
        metrics.countRefused(batch.refused)
        guard batch.accepted > 0 else {
            throw Problem(
                .unprocessableContent, "all_refused", "every event was refused; see `rejected`", pointer: "/events",
                refused: batch.refused)
        }
        var json = JSONObject()
        json.add("accepted", batch.accepted)
        json.add("rejected", batch.refused)
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

/// How many batches wait to be committed, so that other work on this machine knows how far to step back.
package final class DoorLoad: Sendable {
    private let count = Atomic<Int>(0)

    package var waiting: Int { count.load(ordering: .relaxed) }

    func enter() { count.wrappingAdd(1, ordering: .relaxed) }

    func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}
