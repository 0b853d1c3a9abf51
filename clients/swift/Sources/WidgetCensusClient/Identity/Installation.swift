import Foundation

/// One life of the app on a device.
struct Installation: Hashable, Codable, Sendable {
    var id: String
    var firstLaunchedAt: Date?
    /// The boot session when this was written. It never leaves the device.
    var bootSession: String?
    /// Whether that was at the app's first launch. If an update added this client, the device might have restarted before
    /// without a record.
    var isFromFirstLaunch: Bool
    /// The era of ``Consent``.
    var era: String?

    /// Whether the device restarted since the first launch; nil if it is not known.
    func rebooted(bootSession current: String?) -> Bool? {
        guard let bootSession, let current else { return nil }
        if bootSession != current { return true }
        return isFromFirstLaunch ? false : nil
    }

    func context(bootSession current: String?) -> EventContext.Installation {
        .init(id: id, firstLaunchedAt: firstLaunchedAt, rebooted: rebooted(bootSession: current))
    }

    /// For events that might have happened before a restart.
    var atUnknownTime: EventContext.Installation { .init(id: id, firstLaunchedAt: firstLaunchedAt, rebooted: nil) }

    /// - Parameter created: the creation date of the documents folder, which the system makes with the installation.
    static func new(created: Date?, bootSession: String?, now: Date) -> Installation {
        let age = created.map { now.timeIntervalSince($0) }
        return Installation(
            id: UUID().uuidString, firstLaunchedAt: created, bootSession: bootSession,
            isFromFirstLaunch: age.map { (0..<briefly).contains($0) } ?? false)
    }

    /// In less time, no device restarts and is unlocked.
    private static let briefly: TimeInterval = 30
}
