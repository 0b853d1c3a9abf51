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

    private static let prefix = "com.example.weather."

    /// What the gallery of iOS offers today.
    private static let gallery: [WidgetKind] = [
        WidgetKind(
            kind: prefix + "forecast", families: ["systemSmall", "systemMedium", "systemLarge"],
            intent: "WeatherCityIntent", isConfigurable: true, weight: 4),
        WidgetKind(
            kind: prefix + "current", families: ["systemSmall", "systemSmall", "accessoryRectangular"], weight: 4),
        WidgetKind(kind: prefix + "hourly", families: ["systemMedium", "accessoryRectangular"], weight: 2),
        WidgetKind(kind: prefix + "radar", families: ["systemMedium", "systemLarge"], weight: 1),
    ]

    /// Android's kinds are provider classes.
    private static let providers: [WidgetKind] = [
        WidgetKind(kind: prefix + "ForecastWidgetProvider", families: [], isConfigurable: true, weight: 4),
        WidgetKind(kind: prefix + "CurrentWidgetProvider", families: [], weight: 3),
    ]

    /// Still shipped on iOS for those who have it, but hidden from the gallery: only old placements are left.
    static let legacy = WidgetKind(kind: "weather", families: ["systemSmall", "systemMedium"], weight: 0)

    static let cities = ["5f1c", "9f2c", "a07e", "c3d8", "e611"]

    /// A placement as an owner would choose it from the gallery.
    static func drawn(for system: OperatingSystem, using generator: inout Seeded) -> Placement? {
        (system.platform == .android ? providers : gallery)
            .element(at: generator.fraction(), weight: \.weight)?.drawn(for: system, using: &generator)
    }

    /// A placement of this kind; nil when the system has none of its families.
    func drawn(for system: OperatingSystem, using generator: inout Seeded) -> Placement? {
        guard (system.platform == .android) == families.isEmpty else { return nil }
        let possible = families.filter { system.hasLockScreenWidgets || !$0.hasPrefix("accessory") }
        let family = generator.element(of: possible)
        guard family != nil || families.isEmpty else { return nil }
        return Placement(
            kind: kind, family: family, intent: intent,
            configuration: isConfigurable ? generator.element(of: WidgetKind.cities) : nil)
    }
}

/// The versions of the app: a new one every eleven days, the last one three days before the end.
enum AppRelease {
    private static let newestSerial: Int64 = 20 * 20 + 13

    /// The version that the store offers at `time`; releases are counted back from `end`.
    static func newest(at time: Timestamp, end: Timestamp) -> String {
        let untilLast = (end - .days(3) - time).microseconds
        let interval = Duration.days(11).microseconds
        let behind = untilLast <= 0 ? 0 : (untilLast + interval - 1) / interval
        return version(max(0, newestSerial - behind))
    }

    static let last = version(newestSerial)

    private static func version(_ serial: Int64) -> String { "\(serial / 20).\(serial % 20).0" }
}
