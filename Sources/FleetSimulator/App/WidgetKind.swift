import CensusCore

/// One kind of widget that the app ships.
struct WidgetKind: Sendable {
    var kind: String
    var families: [String]
    var intent: String?
    /// How often it is chosen from the gallery.
    var weight: Double

    private static let prefix = "com.example.weather."

    /// What the gallery offers today.
    static let gallery: [WidgetKind] = [
        WidgetKind(
            kind: prefix + "forecast", families: ["systemSmall", "systemMedium", "systemLarge"],
            intent: "WeatherCityIntent", weight: 4),
        WidgetKind(
            kind: prefix + "current", families: ["systemSmall", "systemSmall", "accessoryRectangular"], weight: 4),
        WidgetKind(kind: prefix + "hourly", families: ["systemMedium", "accessoryRectangular"], weight: 2),
        WidgetKind(kind: prefix + "radar", families: ["systemMedium", "systemLarge"], weight: 1),
    ]

    /// Shipped for those who have it, and hidden from the gallery: only an old placement is left of it.
    static let legacy = WidgetKind(kind: "weather", families: ["systemSmall", "systemMedium"], weight: 0)

    private static let cities = ["5f1c", "9f2c", "a07e", "c3d8", "e611"]

    /// A placement as an owner would choose it from the gallery.
    static func drawn(for system: OperatingSystem, using generator: inout SeededGenerator) -> Placement? {
        generator.element(of: gallery, weight: \.weight)?.drawn(for: system, using: &generator)
    }

    /// A placement of this kind; nil when the system has none of its families.
    func drawn(for system: OperatingSystem, using generator: inout SeededGenerator) -> Placement? {
        let possible = families.filter { system.hasLockScreenWidgets || !$0.hasPrefix("accessory") }
        guard let family = generator.element(of: possible) else { return nil }
        return Placement(
            kind: kind, family: family, intent: intent,
            configuration: intent == nil ? nil : generator.element(of: WidgetKind.cities))
    }
}
