import CensusCore
import SeededRandom

/// One kind of widget that the app ships.
struct WidgetKind: Sendable {
    var kind: String
    /// Empty on Android, which has none.
    var families: [String]
    var intent: String?
    /// Whether the owner chooses a place for it.
    var isConfigurable = false
    /// How often it is chosen from the gallery.
    var weight: Double

    fileprivate static let prefix = "com.example.weather."

    /// The gallery on iOS.
    fileprivate static let gallery: [WidgetKind] = [
        WidgetKind(
            kind: prefix + "forecast", families: ["systemSmall", "systemMedium", "systemLarge"],
            intent: "WeatherCityIntent", isConfigurable: true, weight: 4),
        WidgetKind(
            kind: prefix + "current", families: ["systemSmall", "systemSmall", "accessoryRectangular"], weight: 4),
        WidgetKind(kind: prefix + "hourly", families: ["systemMedium", "accessoryRectangular"], weight: 2),
        WidgetKind(kind: prefix + "radar", families: ["systemMedium", "systemLarge"], weight: 1),
    ]

    /// Android's kinds are provider classes.
    fileprivate static let providers: [WidgetKind] = [
        WidgetKind(kind: prefix + "ForecastWidgetProvider", families: [], isConfigurable: true, weight: 4),
        WidgetKind(kind: prefix + "CurrentWidgetProvider", families: [], weight: 3),
    ]

    /// All kinds that devices can have, sorted.
    static let names = (gallery + providers + [legacy]).map(\.kind).sorted()

    /// Still shipped on iOS for owners who have it, but hidden from the gallery, so that only old placements are left.
    static let legacy = WidgetKind(kind: "weather", families: ["systemSmall", "systemMedium"], weight: 0)

    static let cities = ["5f1c", "9f2c", "a07e", "c3d8", "e611"]

    /// A placement of this kind; nil if the system has none of its families.
    func picked(for system: OperatingSystem, using generator: inout Seeded) -> Placement? {
        guard (system.platform == .android) == families.isEmpty else { return nil }
        let possible = families.filter { system.hasLockScreenWidgets || !$0.hasPrefix("accessory") }
        let family = generator.element(of: possible)
        guard family != nil || families.isEmpty else { return nil }
        return Placement(
            kind: kind, family: family, intent: intent,
            configuration: isConfigurable ? generator.element(of: WidgetKind.cities) : nil)
    }
}

/// The kinds that the app offers in the gallery.
struct Gallery: Sendable {
    private let ios: [WidgetKind]
    private let android: [WidgetKind]

    init(extraKinds: Int = 0) {
        let numbers = 0..<max(0, extraKinds)
        ios =
            WidgetKind.gallery
            + numbers.map {
                WidgetKind(
                    kind: WidgetKind.prefix + "extra\($0 + 1)", families: ["systemSmall", "systemMedium"], weight: 1)
            }
        android =
            WidgetKind.providers
            + numbers.map {
                WidgetKind(kind: WidgetKind.prefix + "Extra\($0 + 1)WidgetProvider", families: [], weight: 1)
            }
    }

    /// The choice of an owner.
    func picked(for system: OperatingSystem, using generator: inout Seeded) -> Placement? {
        (system.platform == .android ? android : ios)
            .element(at: generator.fraction(), weight: \.weight)?.picked(for: system, using: &generator)
    }
}

/// The versions of the app.
enum AppRelease {
    static let newestSerial: Int64 = 20 * 20 + 13
    static let last = version(newestSerial)

    static func version(_ serial: Int64) -> String { "\(serial / 20).\(serial % 20).0" }
}

/// The releases that the app store offers to one device, and when.
struct AppStore: Sendable {
    private let releases: WeatherFleet.Releases
    /// When the last release was published.
    private let last: Timestamp
    /// Decides when each phased release is offered to the device.
    private let luck: Seeded

    /// The share of the devices to which a phased release is offered on its first days.
    private static let phases = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]

    init(_ plan: WeatherFleet.Plan, luck: Seeded) {
        releases = plan.releases
        last = plan.end - plan.releases.age
        self.luck = luck
    }

    /// The version that new installations get.
    func newest(at time: Timestamp) -> String { AppRelease.version(newestSerial(at: time)) }

    /// The version that existing installations get.
    ///
    /// - Parameter installed: the version that they have, which can be newer than the one offered.
    func offered(at time: Timestamp, insteadOf installed: String? = nil) -> String {
        var serial = newestSerial(at: time)
        while releases.isPhased, serial > 0, !isOffered(serial, at: time) {
            if let installed, AppRelease.version(serial) == installed { return installed }
            serial -= 1
        }
        return AppRelease.version(serial)
    }

    private func isOffered(_ serial: Int64, at time: Timestamp) -> Bool {
        let released = last - releases.interval * Int(AppRelease.newestSerial - serial)
        let day = Int((time - released) / .days(1))
        guard day < AppStore.phases.count else { return true }
        var luck = luck.derived(for: Int(serial))
        return luck.chance(of: AppStore.phases[max(0, day)])
    }

    private func newestSerial(at time: Timestamp) -> Int64 {
        let untilLast = (last - time).microseconds
        let interval = releases.interval.microseconds
        let behind = untilLast <= 0 ? 0 : (untilLast + interval - 1) / interval
        return max(0, AppRelease.newestSerial - behind)
    }
}
