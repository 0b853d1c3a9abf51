import SwiftUI
import WidgetKit

// StaticConfiguration(kind: "commented", provider: Provider())

enum WidgetKind: String {
    case tides = "tides.next"
    case moon, sun = "tides.sun"
}

struct Names {
    static let prefix = "harbour"
    static var berths: String { prefix + ".berths" }
}

struct TidesWidget: Widget {
    private let kind: String = WidgetKind.tides.rawValue

    var body: some WidgetConfiguration {
        if #available(iOS 17, *) {
            return AppIntentConfiguration(kind: kind, intent: TidePlaceIntent.self, provider: TideProvider()) { entry in
                Text("\(entry.height)")
            }
            .configurationDisplayName("Tides")
            .supportedFamilies(families)
        } else {
            return IntentConfiguration(kind: kind, intent: TidePlaceIntent.self, provider: OldProvider()) {
                Text($0.text)
            }
            .supportedFamilies([.systemSmall])
        }
    }

    private var families: [WidgetFamily] {
        if #available(iOS 16, *) {
            return [.systemSmall, .systemMedium, .accessoryInline]
        }
        return [.systemSmall, .systemMedium]
    }
}

struct MoonWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: WidgetKind.moon.rawValue, provider: MoonProvider()) { entry in
            Link(destination: entry.url) { Text("a } brace and a \"quote\"") }
        }
        .supportedFamilies([.systemSmall, WidgetFamily.systemLarge])
        #if os(watchOS)
            .supportedFamilies([.accessoryCorner])
        #endif
    }
}

struct SunWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: WidgetKind.sun.rawValue, provider: MoonProvider()) { Text($0.text) }
    }
}

struct BerthsWidget: Widget {
    var body: some WidgetConfiguration {
        IntentConfiguration<BerthIntent, Text>(
            kind: Names.berths,
            intent: Intents.BerthIntent.self,
            provider: BerthProvider(),
            content: { Text($0.text) }
        )
        .supportedFamilies([.systemMedium])
    }
}
