internal import CensusCore
internal import EmbeddedPostgres
internal import Foundation

/// The secret of a private PostgreSQL: generated, stored next to the database, and readable only by its owner.
struct SecretFile {
    private let folder: String
    private var path: String { folder + "/secret" }

    init(in folder: String) {
        self.folder = folder
    }

    /// Creates the secret. If several processes do so at once, one wins and all use its secret.
    func make() throws -> String {
        let made = (0..<32).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
        // Written under another name and then linked, so that no process reads a partial secret.
        let aside = path + ".\(ProcessInfo.processInfo.processIdentifier)"
        let file = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw fault("write the secret to", aside) }
        defer { unlink(aside) }
        // If root runs this in a user's folder, the user must be able to read the file.
        var status = stat()
        if geteuid() == 0, stat(folder, &status) == 0 { _ = fchown(file, status.st_uid, status.st_gid) }
        let bytes = Array((made + "\n").utf8)
        let written = write(file, bytes, bytes.count)
        guard written == bytes.count, fsync(file) == 0, close(file) == 0 else {
            throw fault("write the secret to", aside)
        }
        _ = link(aside, path)
        guard let text = try text() else { throw fault("read the secret in", path) }
        return text
    }

    /// - Returns: nil if there is no file. An unreadable file is an error, so that it doesn't get replaced.
    func text() throws -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 || errno != ENOENT else { return nil }
        guard file >= 0 else { throw fault("read the secret in", path) }
        defer { close(file) }
        errno = 0
        let bytes = try? FileHandle(fileDescriptor: file, closeOnDealloc: false).readToEnd()
        guard bytes != nil || errno == 0 else { throw fault("read the secret in", path) }
        let text = String(decoding: bytes ?? Data(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            throw UsageError("the file \(path) is empty: restore the secret from a backup")
        }
        return text
    }

    /// The error that the database was set up with a secret, but the file is missing.
    var isMissing: UsageError {
        UsageError(
            "the secret of this census is missing: \(path). Restore it from a backup; with another secret every device would "
                + "count twice")
    }

    private func fault(_ action: String, _ path: String) -> EmbeddedServerError {
        .file(path: path, action: action, code: errno)
    }
}
