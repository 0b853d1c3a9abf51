import ActivityKit
import AppIntents
import SwiftUI
import WidgetKit

struct TidePlaceIntent: WidgetConfigurationIntent, CustomIntentMigratedAppIntent {
    static let intentClassName = "TideIntent"
    static let title: LocalizedStringResource = "Place"
}

struct LampProvider: AppIntentControlValueProvider {
    func currentValue(configuration: LampIntent) async throws -> Bool { configuration.isOn }
}

struct LampControl: ControlWidget {
    static let kind = "\(Names.prefix).lamp"

    var body: some ControlWidgetConfiguration {
        AppIntentControlConfiguration(kind: Self.kind, provider: LampProvider()) { value in
            ControlWidgetToggle("Lamp", isOn: value, action: LampIntent())
        }
    }
}

struct HornControl: ControlWidget {
    var body: some ControlWidgetConfiguration {
        StaticControlConfiguration(kind: String(describing: HornControl.self)) {
            ControlWidgetButton(action: HornIntent()) { Text("Horn") }
        }
    }
}

struct FerryActivity: Widget {
    var body: some WidgetConfiguration {
        ActivityConfiguration(for: FerryAttributes.self) { context in
            Text(context.state.text)
        } dynamicIsland: { _ in
            DynamicIsland {}
        }
    }
}

struct MadeWidget: Widget {
    let name: String

    func configuration(kind: String) -> some WidgetConfiguration {
        StaticConfiguration(kind: kind, provider: MoonProvider()) { Text($0.text) }
    }
}
