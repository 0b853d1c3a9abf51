import CensusCore

/// The habits of the person who holds a device; they don't change.
struct Owner: Sendable {
    /// Of a device older than the plan, before its start.
    var firstInstall: Timestamp
    /// How likely it is that the app is opened on one day.
    var opensOnADay: Double
    /// Into the 24 hours of a day.
    var opensAt: Duration
    /// How many widgets the owner wants to see; who has fewer places another.
    var wishes: Int
    /// Of those who had the app when the plan began.
    var keepsLegacyKind: Bool
    /// Deletes the app for its space and installs it again, and never restarts or updates the phone if it can be helped.
    var isRestless: Bool
    /// How likely it is that a widget is tapped on one day.
    var tapsOnADay: Double
    /// How likely it is that the app is deleted and installed again on one day.
    var reinstallsOnADay: Double
    /// When the app is not opened at all; some never come back.
    var pause: Range<Timestamp>?
    /// When the phone has no network.
    var offline: [Range<Timestamp>]
    /// The device's clock less the true time.
    var clockError: Duration

    func isAway(on day: Range<Timestamp>) -> Bool { pause?.overlaps(day) ?? false }

    /// Who installs the app for the first time during the plan.
    static let newShare = 0.16
    static let legacyShare = 0.3
    static let widgetlessShare = 0.1
    static let pausingShare = 0.1
    /// Of the phones with iOS: the owners without whom a small fleet would show the bug of iOS 14.3 by luck only.
    static let restlessShare = 0.05
}
