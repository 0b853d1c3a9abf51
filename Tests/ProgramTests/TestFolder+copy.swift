import Foundation
import PostgresTesting

extension TestFolder {
    /// Copies all that is in it, with owners and modes; no server may run there.
    func copy() async throws -> TestFolder {
        let other = TestFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/cp")
        process.arguments = ["-a", path, other.path]
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
        return other
    }
}
