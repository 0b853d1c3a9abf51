extension Store {
    /// Runs work that a caller waits for. After the limit it is cancelled, and the store counts as away.
    ///
    /// - Parameter limit: for everything, including the wait for a connection. A server that does not answer a cancellation
    ///   takes half a second more.
    package func within<T: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable (Store) async throws -> T
    ) async throws(StoreError) -> T {
        let result = await withTaskGroup(of: Result<T, any Error>?.self) { group in
            group.addTask {
                do { return .success(try await work(self)) } catch { return .failure(error) }
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let result else {
            throw StoreError(.away, "PostgreSQL did not answer in time: it is away, locked or too slow; try again")
        }
        return try await StoreError.wrapping {
            return try result.get()
        }
    }
}
