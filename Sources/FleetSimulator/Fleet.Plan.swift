package import CensusCore

extension Fleet {
    /// All that decides what a fleet does.
    package struct Plan: Sendable, Hashable {
        package var appID: String
        package var devices: Int
        /// Stretches of 24 hours that end with `end`.
        package var days: Int
        package var seed: UInt64
        /// Everything was received before.
        package var end: Timestamp
        /// How often a device's app is deleted and installed again in thirty days, on every device alike.
        ///
        /// Nil is a small app's mixture: hardly anyone, and a few ``Owner/isRestless`` owners about once a week.
        package var reinstallsAMonth: Double?
        /// The share of the phones that run Android.
        package var androidShare: Double
        package var quirks: Quirks
        /// A kind that the app's last release, three days before the end, takes away from everyone who placed it; nil when
        /// the app behaves.
        package var droppedKind: String?
        package var differences: Differences
        /// The share of the devices whose app names only a kind in its events: no family, and on Android no instance.
        package var unnamedShare: Double
        /// How likely it is that a device's owner taps a widget on a day, which opens the app.
        package var tapsADay: Double
        /// By whose days the truth is told; what the fleet does is the same in all.
        package var zone: ReportingZone

        package init(
            appID: String = "com.example.weather", devices: Int = 60, days: Int = 14, seed: UInt64 = 1, end: Timestamp,
            reinstallsAMonth: Double? = nil, androidShare: Double = 0.15, quirks: Quirks = Quirks(),
            droppedKind: String? = nil, differences: Differences = .after, unnamedShare: Double = 0,
            tapsADay: Double = 0.12, zone: ReportingZone = .utc
        ) {
            self.appID = appID
            self.devices = devices
            self.days = days
            self.seed = seed
            self.end = end
            self.reinstallsAMonth = reinstallsAMonth
            self.androidShare = androidShare
            self.quirks = quirks
            self.droppedKind = droppedKind
            self.differences = differences
            self.unnamedShare = unnamedShare
            self.tapsADay = tapsADay
            self.zone = zone
        }

        package var start: Timestamp { end - .days(Int64(days)) }
    }
}
