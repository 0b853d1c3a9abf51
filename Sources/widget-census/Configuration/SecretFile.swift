internal import CensusCore
internal import Foundation

/// The secret of an embedded database, made by itself and kept beside it, readable by its owner alone.
struct SecretFile {
    private let path: String

    init(in folder: String) {
        self.path = folder + "/secret"
    }

    /// Reads the secret, making it when there is none; of several processes that make it at once one wins.
    func text() throws -> String {
        if let text = read() { return text }
        let made = (0..<32).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
        // Written aside and linked, so that nobody ever reads half of it.
        let aside = path + ".\(ProcessInfo.processInfo.processIdentifier)"
        let file = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw UsageError("the secret cannot be written to \(aside): \(reason)") }
        defer { unlink(aside) }
        let bytes = Array((made + "\n").utf8)
        let written = write(file, bytes, bytes.count)
        guard written == bytes.count, fsync(file) == 0, close(file) == 0 else {
            throw UsageError("the secret cannot be written to \(aside): \(reason)")
        }
        _ = link(aside, path)
        guard let text = read() else { throw UsageError("the secret in \(path) cannot be read: \(reason)") }
        return text
    }

    private func read() -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private var reason: String { String(cString: strerror(errno)) }
}
