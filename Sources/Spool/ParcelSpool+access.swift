internal import CensusCore
internal import Foundation
internal import GRDB

extension ParcelSpool {
    /// Runs one transaction to its end, even if its caller is cancelled: half of one is of no use.
    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws(SpoolError) -> T {
        try await uncancelled { try await $0.write(body) }
    }

    func withoutTransaction<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws(SpoolError) -> T {
        try await uncancelled { try await $0.writeWithoutTransaction(body) }
    }

    private func uncancelled<T: Sendable>(
        _ body: @escaping @Sendable (DatabaseQueue) async throws -> T
    ) async throws(SpoolError) -> T {
        let database = database
        let result = await Task { () -> Result<T, SpoolError> in
            do {
                return .success(try await body(database))
            } catch {
                // The next caller finds it mended.
                if (error as? DatabaseError)?.isDamageOrClosed == true { self.mend(database) }
                return .failure(SpoolError(error))
            }
        }.value
        return try result.get()
    }
}

extension SpoolError {
    init(_ error: any Error) {
        switch error {
        case let error as SpoolError: self = error
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL: self = .diskFull
        case let error as DatabaseError: self = .broken(code: error.extendedResultCode.rawValue)
        default: self = .broken(code: 0)
        }
    }
}

extension Pseudonym {
    var data: Data { bytes.data }
}

extension [UInt8] {
    var data: Data { Data(self) }
}
