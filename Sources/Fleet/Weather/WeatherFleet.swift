package import CensusCore

/// A simulated install base of an app, with what its server receives and the truth: phones, their owners' habits, and the
/// systems' bugs.
///
/// The plan alone decides what the fleet does, so equal plans give equal bytes.
package struct WeatherFleet: Sendable {
    /// The kinds that the app ships, sorted.
    package static let kinds = WidgetKind.names

    package let plan: Plan
    private let casting: Casting

    package init(_ plan: Plan) {
        self.plan = plan
        self.casting = Casting(plan)
    }

    /// Everything about one device. It doesn't depend on other devices.
    package func story(ofDevice index: Int) -> DeviceStory {
        var life = DeviceLife(plan: plan, casting: casting, index: index)
        return life.story()
    }

    /// All deliveries, in order of `receivedAt`.
    ///
    /// They are all in memory: about 10 KB per device for 14 days, or a gigabyte for 100,000 devices. For a larger fleet, use
    /// ``story(ofDevice:)`` device by device.
    package func deliveries() -> [Delivery] {
        // At equal times in order of devices, so that the plan alone decides the order.
        (0..<max(0, plan.devices))
            .flatMap { device in deliveries(ofDevice: device).map { (device: device, delivery: $0) } }
            .sorted { ($0.delivery.receivedAt, $0.device) < ($1.delivery.receivedAt, $1.device) }
            .map(\.delivery)
    }

    /// One device's deliveries, in order of `receivedAt`.
    package func deliveries(ofDevice index: Int) -> [Delivery] { story(ofDevice: index).deliveries }
}

extension WeatherFleet {
    /// Everything that decides what a fleet does.
    package struct Plan: Sendable, Hashable {
        package var appID: String
        package var devices: Int
        /// The length in days of 24 hours, up to `end`.
        package var days: Int
        package var seed: UInt64
        /// All deliveries are received before this time.
        package var end: Timestamp
        /// How often the app is reinstalled in thirty days, the same for every device.
        ///
        /// Nil for a mixture: most owners hardly ever, and a few (``Owner/isRestless``) about once a week.
        package var reinstallsAMonth: Double?
        /// The share of the phones that run Android.
        package var androidShare: Double
        package var quirks: Quirks
        /// A kind that the app's last release removes from screens; nil if there is none.
        package var droppedKind: String?
        /// The share of devices from which it removes the kind.
        package var dropShare: Double
        package var releases: Releases
        package var habits: Habits
        /// How many more kinds the gallery offers, each a quarter as popular as the most popular ones.
        package var extraKinds: Int
        package var differences: Differences
        /// The share of devices whose app sends only the kind in its events, without family and, on Android, instance.
        package var unnamedShare: Double
        /// The probability that a device's owner taps a widget on one day, which opens the app.
        package var tapsADay: Double
        /// A factor for how often owners open the app. 1 is usual for a weather app.
        package var opening: Double
        /// The share of owners who open the app only every 20 to 60 days.
        package var rareOpeners: Double
        /// The zone of the days by which the truth is counted. It doesn't change what the fleet does.
        package var zone: ReportingZone

        package init(
            appID: String = "com.example.weather", devices: Int = 60, days: Int = 14, seed: UInt64 = 1, end: Timestamp,
            reinstallsAMonth: Double? = nil, androidShare: Double = 0.15, quirks: Quirks = Quirks(),
            droppedKind: String? = nil, dropShare: Double = 1, releases: Releases = Releases(),
            habits: Habits = Habits(), extraKinds: Int = 0, differences: Differences = .after,
            unnamedShare: Double = 0, tapsADay: Double = 0.12, opening: Double = 1, rareOpeners: Double = 0,
            zone: ReportingZone = .utc
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
            self.dropShare = dropShare
            self.releases = releases
            self.habits = habits
            self.extraKinds = extraKinds
            self.differences = differences
            self.unnamedShare = unnamedShare
            self.tapsADay = tapsADay
            self.opening = opening
            self.rareOpeners = rareOpeners
            self.zone = zone
        }

        package var start: Timestamp { end - .days(Int64(days)) }
    }

    /// When the app's releases come out, and to which devices the app store offers them.
    package struct Releases: Sendable, Hashable {
        /// The time from one release to the next.
        package var interval: Duration
        /// How long before the plan's end the last one was released.
        package var age: Duration
        /// Whether each release is offered to 1, 2, 5, 10, 20, 50 and then all of 100 devices, one step a day, like Apple's
        /// phased release. New installations get the newest at once.
        package var isPhased: Bool

        package init(interval: Duration = .days(11), age: Duration = .days(3), isPhased: Bool = false) {
            self.interval = interval
            self.age = age
            self.isPhased = isPhased
        }
    }

    /// How often owners do what makes an install base grow or shrink.
    package struct Habits: Sendable, Hashable {
        /// The probability of removing a widget on one day.
        package var removalsADay: Double
        /// The same for a widget of the legacy kind, which looks old.
        package var legacyRemovalsADay: Double
        /// How much the rates of removal vary from day to day, alike on all devices: the standard deviation of the logarithm of
        /// the day's factor.
        package var wobble: Double
        /// By how much more than the average is removed on a day of a weekend. The other days have correspondingly less.
        package var weekends: Double
        /// The share of owners who never remove a widget of the legacy kind.
        package var legacyFloor: Double
        /// The probability that an iOS owner without a widget of the legacy kind places one on one day.
        package var legacyPlacementsADay: Double
        /// The probability on one day that an owner puts the phone away for good, with its widgets. It is not heard from again.
        package var silencesADay: Double

        package init(
            removalsADay: Double = 0.008, legacyRemovalsADay: Double = 0.025, wobble: Double = 0,
            weekends: Double = 0, legacyFloor: Double = 0,
            legacyPlacementsADay: Double = 0, silencesADay: Double = 0
        ) {
            self.removalsADay = removalsADay
            self.legacyRemovalsADay = legacyRemovalsADay
            self.wobble = wobble
            self.weekends = weekends
            self.legacyFloor = legacyFloor
            self.legacyPlacementsADay = legacyPlacementsADay
            self.silencesADay = silencesADay
        }
    }
}
