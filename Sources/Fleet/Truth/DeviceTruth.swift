package import CensusCore

/// What one device id truly stood for, as far as the device said: what it held at its last delivered report, and what it has
/// reported since.
///
/// - From the time of a successful report on, the truth of its surface is what was really placed then, without ghosts and
///   phantoms.
/// - An event about a real change outside a report (an extension's or a provider's `widget_installed`,
///   `widget_removed` or `widget_configured`, or `widget_opened` of a widget not told of before) changes the truth by that one
///   placement; if it names only a kind, by one of the kind. What an app derives from comparing its lists changes nothing.
/// - A new installation of the same device id holds nothing from its first launch until it first tells of something.
/// - A device counts from its first delivered event on, leaves at the end of the activity window after its last one, and
///   returns when it is heard from again.
///
/// All times are true ones, whatever the device's clock says.
package struct DeviceTruth: Sendable, Hashable {
    /// A stretch of time `[from, to)` in which the device held `count` equal placements.
    package struct Interval: Sendable, Hashable {
        package var surface: Surface
        package var placement: Placement
        package var count: Int
        package var from: Timestamp
        package var to: Timestamp
    }

    /// By start. The last ones may end after the plan does, with the window.
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
