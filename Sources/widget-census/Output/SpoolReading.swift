internal import Pages
internal import Spool

extension SpoolStatus {
    /// Reads the folder from outside, while the process that owns the spool might be writing to it.
    init(_ settings: SpoolSettings) {
        self.init(
            folder: settings.folder, batches: SpoolFolder.batches(in: settings.folder),
            bytes: SpoolFolder.bytes(in: settings.folder), limit: settings.limit,
            filesPutAside: SpoolFolder.damagedFiles(in: settings.folder))
    }
}
