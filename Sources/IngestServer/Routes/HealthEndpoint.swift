internal import CensusStore
internal import HTTPTypes
internal import Logging
internal import NIOCore
internal import Spool

/// `/livez`: the process responds. `/readyz`: the server can accept batches. For that, PostgreSQL must accept writes and have
/// the right schema, all workers of a cluster must be up, and commits must succeed. Otherwise the spool must have room.
struct HealthEndpoint: Sendable {
    let store: Store
    let spool: BatchSpool?
    let commits: CommitHealth
    let faults: FaultLog
    let patience: Duration
    let logger: Logger
    /// Anybody can call this at any rate, so concurrent requests share one check of the store.
    private let looks = SharedLook()

    func live() -> Response { HealthEndpoint.ok }

    func ready() async throws -> Response { try await looks.share { try await look() } }

    private func look() async throws -> Response {
        let isDistributed: Bool
        do throws(StoreError) {
            isDistributed = try await store.within(patience) { store in
                try await Migrator(store: store, logger: logger).requireCurrent()
                try await store.deployment.requireWritable()
                let isDistributed = try await store.deployment.isDistributed()
                if isDistributed { try await store.deployment.requireWorkers() }
                return isDistributed
            }
            if let failure = commits.recentFailure() { throw failure }
        } catch {
            if error.isStoreAway, let level = spool?.level {
                guard level.takesMore else { throw Problem.spoolFull }
                return HealthEndpoint.ok(store: "away", level)
            }
            throw problem(error)
        }
        return HealthEndpoint.ok(store: "up", spool?.level, isDistributed: isDistributed)
    }

    /// PostgreSQL's message while it is unavailable might name internal machines, so it goes only to the log.
    private func problem(_ error: StoreError) -> Problem {
        // Finding the cause takes as long as the check did, and the load balancer needn't wait for it.
        Task { await faults.failed("not ready", "not ready") { ["reason": "\(await store.cause(of: error))"] } }
        switch error.fault {
        case .away: return .away
        case .setUp: return Problem(.serviceUnavailable, "store_unfit", error.description, headers: [.retryAfter: "30"])
        case .ours, .request, .data:
            return Problem(.serviceUnavailable, "wrong_schema", error.description, headers: [.retryAfter: "30"])
        }
    }

    /// - Parameters:
    ///   - level: the spool's. The store's state is in the response only if there is a spool.
    ///   - isDistributed: in the response only if true.
    private static func ok(
        store: String, _ level: SpoolLevel? = nil, isDistributed: Bool = false
    ) -> Response {
        var json = JSONObject()
        json.add("status", "ok")
        if isDistributed { json.add("distributed", true) }
        if let level {
            var spool = JSONObject()
            spool.add("batches", level.batches)
            spool.add("bytes", level.bytes)
            spool.add("limit", level.limit)
            json.add("store", store)
            json.add("spool", spool)
        }
        return answer(json)
    }

    private static var ok: Response { ok(store: "up") }

    private static func answer(_ json: JSONObject) -> Response {
        Response(status: .ok, headers: [.contentType: "application/json"], body: json.buffer)
    }
}

/// Gives all concurrent callers the result of one check.
private actor SharedLook {
    private var current: Task<Response, any Error>?

    func share(_ look: @escaping @Sendable () async throws -> Response) async throws -> Response {
        if let current { return try await current.value }
        let task = Task { try await look() }
        current = task
        defer { current = nil }
        return try await task.value
    }
}
