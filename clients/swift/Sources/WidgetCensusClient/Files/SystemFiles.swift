import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The device's file system.
struct SystemFiles: Files {
    func names(in folder: String) throws(FileFailure) -> [String] {
        guard let stream = opendir(folder) else { throw FileFailure(errno: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    func contents(of path: String) throws(FileFailure) -> Data {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileFailure(errno: errno) }
        defer { close(file) }
        var data = Data()
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(file, &piece, piece.count)
            if count == 0 { return data }
            if count > 0 {
                data.append(contentsOf: piece[..<count])
            } else if errno != EINTR {
                throw FileFailure(errno: errno)
            }
        }
    }

    func create(_ path: String, holding data: Data) throws(FileFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileFailure(errno: errno) }
        let failure = write(data, to: file)
        let closed = close(file)
        let problem = failure ?? (closed == 0 ? nil : FileFailure(errno: errno))
        guard let problem else { return }
        unlink(path)
        throw problem
    }

    /// Writes and syncs.
    ///
    /// - Returns: nil if all of it is on the disk.
    private func write(_ data: Data, to file: Int32) -> FileFailure? {
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in systemWrite(file, bytes) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return FileFailure(errno: errno)
            }
        }
        return fsync(file) == 0 ? nil : FileFailure(errno: errno)
    }

    func move(_ path: String, to target: String) throws(FileFailure) {
        guard rename(path, target) == 0 else { throw FileFailure(errno: errno) }
    }

    func remove(_ path: String) throws(FileFailure) {
        guard unlink(path) == 0 else { throw FileFailure(errno: errno) }
    }

    func makeFolder(_ path: String) throws(FileFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: SystemFiles.folderAttributes)
        } catch {
            throw FileFailure(error)
        }
        leaveOutOfBackups(path)
    }
}

/// Calls the system's `write`, which the method of that name hides inside the type.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(file, bytes.baseAddress, bytes.count)
}

extension SystemFiles {
    #if os(iOS)
        /// New files inherit the protection of their folder.
        private static var folderAttributes: [FileAttributeKey: Any]? {
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
        }
    #else
        private static var folderAttributes: [FileAttributeKey: Any]? { nil }
    #endif

    private func leaveOutOfBackups(_ path: String) {
        #if canImport(Darwin)
            var folder = URL(fileURLWithPath: path, isDirectory: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            // If it fails, a backup contains a copy of the queue, and the server ignores events that it already has.
            try? folder.setResourceValues(values)
        #endif
    }
}

extension FileFailure {
    init(errno number: Int32) {
        self =
            switch number {
            case ENOENT, ENOTDIR: .absent
            case EPERM, EACCES: .notNow
            case ENOSPC, EDQUOT: .full
            default: .other(number)
            }
    }

    /// Unwraps the system's error number from Foundation's error. Without a number, the failure is `other`.
    fileprivate init(_ error: any Error) {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        if cause.domain == NSPOSIXErrorDomain {
            self = FileFailure(errno: Int32(truncatingIfNeeded: cause.code))
        } else if error.code == CocoaError.Code.fileWriteNoPermission.rawValue {
            self = .notNow
        } else if error.code == CocoaError.Code.fileWriteOutOfSpace.rawValue {
            self = .full
        } else {
            self = .other(0)
        }
    }
}
