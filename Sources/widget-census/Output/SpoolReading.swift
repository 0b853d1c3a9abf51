internal import Foundation
internal import Pages
internal import Spool

extension SpoolStatus {
    /// As seen by another process: the spool's owner may be at work there.
    init(_ settings: SpoolSettings) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: settings.folder)) ?? []
        let own = names.filter { $0.hasPrefix("spool.sqlite") && !$0.hasPrefix("spool.sqlite.") }
        let sizes = own.map { name in
            (try? files.attributesOfItem(atPath: "\(settings.folder)/\(name)")[.size] as? Int) ?? 0
        }
        self.init(
            folder: settings.folder, bytes: sizes.reduce(0, +), limit: settings.limit,
            filesPutAside: ParcelSpool.damagedFiles(in: settings.folder))
    }
}
