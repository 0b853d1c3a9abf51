import CensusCore

/// The habits of a device's owner, which never change.
struct Owner: Sendable {
    /// Before the plan's start if the app is installed when the plan begins.
    var firstInstall: Timestamp
    /// The probability of opening the app on one day.
    var opensOnADay: Double
    /// From the beginning of a day's 24 hours.
    var opensAt: Duration
    /// How many widgets the owner wants. With fewer, the owner places another.
    var wishes: Int
    /// Only for owners who had the app when the plan began.
    var keepsLegacyKind: Bool
    /// Whether the owner would ever take a widget of the legacy kind off the screen.
    var removesLegacyKind: Bool
    /// Whether the owner often deletes the app to save space and installs it again, and avoids restarting or updating the
    /// phone.
    var isRestless: Bool
    /// The probability of tapping a widget on one day.
    var tapsOnADay: Double
    /// The probability of deleting and reinstalling the app on one day.
    var reinstallsOnADay: Double
    /// When the app is not opened at all. Some owners never come back.
    var pause: Range<Timestamp>?
    /// When the phone is put away for good, with its widgets; nil if never.
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
