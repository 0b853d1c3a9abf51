internal import CensusStore
internal import EmbeddedPostgres
internal import Logging
internal import ServiceLifecycle
internal import Services

/// Starts our own PostgreSQL again when it has died under the service.
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
                logger.error("the private PostgreSQL does not start", metadata: ["reason": "\(error)"])
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
