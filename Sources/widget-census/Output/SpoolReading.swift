internal import Pages
internal import Spool

extension SpoolStatus {
    /// As seen by another process: the spool's owner may be at work there.
    init(_ settings: SpoolSettings) {
        self.init(
            folder: settings.folder, batches: SpoolFolder.batches(in: settings.folder),
            bytes: SpoolFolder.bytes(in: settings.folder), limit: settings.limit,
            filesPutAside: SpoolFolder.damagedFiles(in: settings.folder))
    }
}
