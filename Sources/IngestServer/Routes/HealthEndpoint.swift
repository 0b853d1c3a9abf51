internal import CensusStore
internal import HTTPTypes
internal import Logging
internal import NIOCore
internal import Spool

/// `/livez`: the process answers. `/readyz`: it can do its work. That takes a PostgreSQL that accepts our writes, the right
/// schema, all workers of a cluster and commits that succeed, or else a spool with room.
struct HealthEndpoint: Sendable {
    let store: Store
    let spool: BatchSpool?
    let commits: CommitHealth
    let faults: FaultLog
    let patience: Duration
    let logger: Logger
    /// Anybody may ask, as often as they like: all who ask at the same time share one look at the store.
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

    /// What PostgreSQL says while it is away may name internal machines: that is for the log.
    private func problem(_ error: StoreError) -> Problem {
        // To find out takes as long as the look: a balancer does not wait for it.
        Task { await faults.failed("not ready", "not ready") { ["reason": "\(await store.cause(of: error))"] } }
        switch error.fault {
        case .away: return .away
        case .setUp: return Problem(.serviceUnavailable, "store_unfit", error.description, headers: [.retryAfter: "30"])
        case .ours, .request, .data:
            return Problem(.serviceUnavailable, "wrong_schema", error.description, headers: [.retryAfter: "30"])
        }
    }

    /// - Parameters:
    ///   - level: the spool's; the store's state is reported only if there is one.
    ///   - isDistributed: reported only if it is known.
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

/// Makes one answer for all who ask while it is being made.
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
