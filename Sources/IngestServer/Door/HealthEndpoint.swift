internal import CensusStore
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// `/livez`: the process answers. `/readyz`: it can do its work, which takes PostgreSQL and the right schema.
struct HealthEndpoint: Sendable {
    let store: Store
    let patience: Duration
    let logger: Logger

    func live() -> Response { HealthEndpoint.ok }

    func ready() async throws -> Response {
        do throws(StoreError) {
            try await store.within(patience) { store in
                try await Migrator(store: store, logger: logger).requireCurrent()
            }
        } catch {
            guard !error.isStoreAway else { throw Problem.away }
            throw Problem(.serviceUnavailable, "wrong_schema", error.description, headers: [.retryAfter: "30"])
        }
        return HealthEndpoint.ok
    }

    private static var ok: Response {
        var json = JSONObject()
        json.add("status", "ok")
        return Response(
            status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: json.buffer))
    }
}
