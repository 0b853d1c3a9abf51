internal import CensusStore
internal import HTTPTypes
internal import NIOCore

/// Reads for the holders of keys: few at once and in little time, since phones come first.
struct StoreReading: Sendable {
    let store: Store
    let admission: Admission
    /// For one answer.
    let patience: Duration

    /// - Parameter reader: whose turn it is read in.
    /// - Throws: ``Problem``: 503 when there is no place in time, and when the store is away or too slow.
    func read<T: Sendable>(
        for reader: KeyHash, _ question: @escaping @Sendable (Store) async throws -> T
    ) async throws -> T {
        do {
            return try await admission.read(for: reader) { try await store.within(patience, question) }
        } catch let error as StoreError {
            throw Problem(error)
        }
    }
}

extension Response {
    /// What was read for one key, and no cache keeps.
    init(unkept body: ByteBuffer, contentType: String = "application/json") {
        self.init(
            status: .ok, headers: [.contentType: contentType, .cacheControl: "private, no-store"],
            body: body)
    }
}
