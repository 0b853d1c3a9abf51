package import CensusCore

/// The true placements of one device id, as far as its delivered events say: those at its last delivered report, and the
/// changes that it has sent since.
///
/// - From the time of a successful report on, the truth of its surface is what was really placed then, without ghosts and
///   phantoms.
/// - An event about a real change outside a report changes the truth by one placement, or, if it has only a kind, by one
///   placement of the kind. Such events are an extension's or a provider's `widget_installed`, `widget_removed` or
///   `widget_configured`, and `widget_opened` of a widget that no earlier event was about. Differences between lists that an
///   app sends change nothing.
/// - A new installation of the same device id has nothing from its first launch until its first such event or report.
/// - A device counts from its first delivered event on. It stops counting at the end of the activity window after its last one,
///   and counts again when it is heard from.
///
/// All times are true times, whatever the device's clock says.
package struct DeviceTruth: Sendable, Hashable {
    /// A period `[from, to)` in which the device had `count` equal placements.
    package struct Interval: Sendable, Hashable {
        package var surface: Surface
        package var placement: Placement
        package var count: Int
        package var from: Timestamp
        package var to: Timestamp
    }

    /// In order of their start. The last ones can end after the plan, at the end of the activity window.
    package var intervals: [Interval]

    package init(intervals: [Interval] = []) {
        self.intervals = intervals
    }

    package func held(at time: Timestamp) -> [Surface: [Placement: Int]] {
        var held: [Surface: [Placement: Int]] = [:]
        for interval in intervals where interval.from <= time && time < interval.to {
            held[interval.surface, default: [:]][interval.placement, default: 0] += interval.count
        }
        return held
    }
}
