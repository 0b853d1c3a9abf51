import Foundation
import PostgresTesting

extension TestFolder {
    /// Copies the folder's contents, with owners and modes. No server may run in it.
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
