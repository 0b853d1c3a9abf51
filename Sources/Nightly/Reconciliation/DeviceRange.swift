internal import CensusCore
internal import CensusStore

/// A range of device ids: a sweep's part of all devices.
struct DeviceRange: Hashable, Sendable {
    /// Exclusive lower bound; nil starts at the first device.
    let after: Pseudonym?
    /// Inclusive upper bound.
    let through: Pseudonym

    static let all = DeviceRange(after: nil, through: .last)

    /// Splits the range into parts with about as many devices each, because ids are hashes.
    func parts(_ count: Int) -> [DeviceRange] {
        let start = after?.high ?? 0
        let width = (through.high - start) / UInt64(count)
        func border(_ part: Int) -> Pseudonym { Pseudonym(high: start + UInt64(part) * width, low: 0) }
        return (0..<count).map { part in
            DeviceRange(
                after: part == 0 ? after : border(part), through: part == count - 1 ? through : border(part + 1))
        }
    }

    /// Runs several sweeps at once, each over its own part of the devices: while one waits for the store, another folds.
    ///
    /// - Throws: the first error, once all sweeps have ended.
    func sideBySide(
        _ count: Int, sweep: @escaping @Sendable (DeviceRange) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        let outcome = await withTaskGroup(of: Result<Void, StoreError>.self) { group in
            for part in parts(count) {
                group.addTask {
                    do throws(StoreError) {
                        return .success(try await sweep(part))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(Result<Void, StoreError>.success(())) { all, one in
                if case .failure = all { all } else { one }
            }
        }
        try outcome.get()
    }
}
