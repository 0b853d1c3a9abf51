internal import CensusStore
internal import EmbeddedPostgres
internal import Logging
internal import ServiceLifecycle
internal import Services

/// Restarts our private PostgreSQL if it dies while the service runs.
struct EmbeddedRevival: Service {
    private static let interval: Duration = .seconds(1)

    let embedded: EmbeddedServer
    let store: Store
    let logger: Logger

    func run() async throws {
        await ServiceLoop(every: EmbeddedRevival.interval, restsFirst: true).run {
            guard await isAway() else { return }
            do {
                try await embedded.revive()
            } catch {
                logger.error("could not restart the private PostgreSQL", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func isAway() async -> Bool {
        do throws(StoreError) {
            try await store.ping()
            return false
        } catch {
            return error.isStoreAway && !Task.isCancelled
        }
    }
}
