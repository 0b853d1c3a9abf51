internal import CensusStore
internal import HTTPTypes
internal import NIOCore

/// Reads reports and pages: few at a time and with a short timeout, because phones have priority.
struct StoreReading: Sendable {
    let store: Store
    let admission: Admission
    /// For one response.
    let patience: Duration

    /// - Parameters:
    ///   - reader: the key whose turn it takes.
    ///   - patience: nil: ``patience``.
    /// - Throws: ``Problem``: 503 when its turn doesn't come in time, or the store is unavailable or too slow; or the question's
    ///   own.
    func read<T: Sendable>(
        for reader: KeyHash, within patience: Duration? = nil, _ question: @escaping @Sendable (Store) async throws -> T
    ) async throws -> T {
        do { return try await ask(for: reader, within: patience, question) } catch let error as StoreError {
            throw Problem(error)
        }
    }

    /// The same, for callers that tell errors of the store apart.
    ///
    /// - Parameter patience: nil: ``patience``.
    /// - Throws: ``StoreError`` if the store is unavailable or too slow; ``Problem``: 503 when its turn doesn't come in time; or
    ///   the question's own.
    func ask<T: Sendable>(
        for reader: KeyHash, within patience: Duration? = nil, _ question: @escaping @Sendable (Store) async throws -> T
    ) async throws -> T {
        let outcome: Result<T, Problem> = try await admission.read(for: reader) {
            try await store.within(patience ?? self.patience) { store in
                // If it were thrown here, it would pass for an error of the store.
                do {
                    return .success(try await question(store))
                } catch let problem as Problem {
                    return .failure(problem)
                }
            }
        }
        return try outcome.get()
    }
}

extension Response {
    /// A response for one key, which no cache may store.
    init(unkept body: ByteBuffer, contentType: String = "application/json") {
        self.init(
            status: .ok, headers: [.contentType: contentType, .cacheControl: "private, no-store"],
            body: body)
    }
}
