import CensusCore

/// The habits of a device's owner, which never change.
struct Owner: Sendable {
    /// Before the plan's start for a device that is older than the plan.
    var firstInstall: Timestamp
    /// How likely it is that the app is opened on one day.
    var opensOnADay: Double
    /// From the beginning of a day's 24 hours.
    var opensAt: Duration
    /// How many widgets the owner wants; with fewer, the owner places another.
    var wishes: Int
    /// Only for owners who had the app when the plan began.
    var keepsLegacyKind: Bool
    /// Whether the owner would ever take a widget of the legacy kind off the screen.
    var removesLegacyKind: Bool
    /// Deletes the app to save space and installs it again, and avoids restarting or updating the phone.
    var isRestless: Bool
    /// How likely it is that a widget is tapped on one day.
    var tapsOnADay: Double
    /// How likely it is that the app is deleted and installed again on one day.
    var reinstallsOnADay: Double
    /// When the app is not opened at all; some never come back.
    var pause: Range<Timestamp>?
    /// When the phone is put away for good, with its widgets; nil: it is not.
    var silentFrom: Timestamp?
    /// When the phone has no network.
    var offline: [Range<Timestamp>]
    /// The device's clock minus the true time.
    var clockError: Duration

    func isAway(on day: Range<Timestamp>) -> Bool { pause?.overlaps(day) ?? false }

    /// The owners who install the app for the first time during the plan.
    static let newShare = 0.16
    static let legacyShare = 0.3
    static let widgetlessShare = 0.1
    static let pausingShare = 0.1
    /// Among iOS phones. Without these owners a small fleet would show the bug of iOS 14.3 only by luck.
    static let restlessShare = 0.05
}
