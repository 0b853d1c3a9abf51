package import CensusCore

/// An app's install base as its server sees it, and the truth behind it: phones, their owners' habits, and the systems' bugs.
///
/// The plan alone decides what the fleet does: equal plans give equal bytes.
package struct WeatherFleet: Sendable {
    /// What the fleet's app ships, by name.
    package static let kinds = WidgetKind.names

    package let plan: Plan
    private let casting: Casting

    package init(_ plan: Plan) {
        self.plan = plan
        self.casting = Casting(plan)
    }

    /// Everything about one device, which does not depend on any other device.
    package func story(ofDevice index: Int) -> DeviceStory {
        var life = DeviceLife(plan: plan, casting: casting, index: index)
        return life.story()
    }

    /// All deliveries, in order of `receivedAt`.
    ///
    /// They are all in memory, about 10 KB for a device and 14 days: a gigabyte for 100,000 devices. Read a larger fleet device
    /// by device, with ``story(ofDevice:)``.
    package func deliveries() -> [Delivery] {
        // At equal times by device, so that the plan alone decides the order.
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
        /// How many times 24 hours, ending with `end`.
        package var days: Int
        package var seed: UInt64
        /// Everything was received before this time.
        package var end: Timestamp
        /// How often the app is deleted and installed again in thirty days, the same on every device.
        ///
        /// Nil stands for a small app's mixture: most owners hardly ever, and a few (``Owner/isRestless``) about once a week.
        package var reinstallsAMonth: Double?
        /// The share of the phones that run Android.
        package var androidShare: Double
        package var quirks: Quirks
        /// A kind that the app's last release takes away from those who placed it; nil if the app takes none.
        package var droppedKind: String?
        /// The share of the devices that it takes the kind away from.
        package var dropShare: Double
        package var releases: Releases
        package var habits: Habits
        /// Kinds that the gallery offers beside the usual ones, each a quarter as popular as the favourites.
        package var extraKinds: Int
        package var differences: Differences
        /// The share of the devices whose app names only a kind in its events, with no family and, on Android, no instance.
        package var unnamedShare: Double
        /// How likely it is that a device's owner taps a widget on a day, which opens the app.
        package var tapsADay: Double
        /// How often the app is opened, as a share of how often the owners of a weather app do.
        package var opening: Double
        /// The share of the owners who open the app only every 20 to 60 days.
        package var rareOpeners: Double
        /// The zone whose days the truth is counted by. It does not change what the fleet does.
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

    /// When the app's releases come out, and to whom the store offers them.
    package struct Releases: Sendable, Hashable {
        /// From one to the next.
        package var interval: Duration
        /// How long before the plan's end the last one was released.
        package var age: Duration
        /// Whether each is offered to 1, 2, 5, 10, 20, 50 and then all of 100 devices, a step a day, as Apple's phased release
        /// does. A new installation gets the newest at once.
        package var isPhased: Bool

        package init(interval: Duration = .days(11), age: Duration = .days(3), isPhased: Bool = false) {
            self.interval = interval
            self.age = age
            self.isPhased = isPhased
        }
    }

    /// How often owners do what makes an install base grow or melt.
    package struct Habits: Sendable, Hashable {
        /// How likely a widget is taken off its screen on one day.
        package var removalsADay: Double
        /// The same for one of the legacy kind, which looks old.
        package var legacyRemovalsADay: Double
        /// How far the rates of removal wobble from day to day, the same on every device: the standard deviation of the logarithm
        /// of the day's factor.
        package var wobble: Double
        /// How much more is removed at weekends than on average; as much less on the other days.
        package var weekends: Double
        /// The share of the owners who never remove a widget of the legacy kind.
        package var legacyFloor: Double
        /// How likely an iOS owner without a widget of the legacy kind places one on a day.
        package var legacyPlacementsADay: Double
        /// How likely it is on a day that an owner puts the phone away for good, with its widgets: it is not heard from again.
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
