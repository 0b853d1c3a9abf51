import CensusCore
import SeededRandom

/// The percentages of an app's events that have each field of a widget. Its reports always have all fields.
///
/// A field that an event leaves out matches anything.
package struct Naming: Sendable, Hashable {
    package var family: Int
    /// Intent and configuration, which are left out together.
    package var configuration: Int
    package var instance: Int

    package init(family: Int = 100, configuration: Int = 100, instance: Int = 100) {
        self.family = family
        self.configuration = configuration
        self.instance = instance
    }

    package static let full = Naming()
    /// No family, and on Android no instance, so an event can mean any widget of its kind.
    package static let sparse = Naming(family: 0, instance: 0)

    func worded(_ event: Event, using generator: inout Seeded) -> Event {
        guard case .happened(let act, to: let widget) = event else { return event }
        return .happened(act, to: worded(widget, using: &generator))
    }

    /// Draws a random number only for percentages other than 0 and 100.
    func worded(_ widget: Placement, using generator: inout Seeded) -> Placement {
        func isNamed(_ share: Int) -> Bool { share >= 100 || share > 0 && generator.chance(share) }
        var named = widget
        if !isNamed(family) { named.family = nil }
        if !isNamed(configuration) { (named.intent, named.configuration) = (nil, nil) }
        if !isNamed(instance) { named.instance = nil }
        return named
    }
}
