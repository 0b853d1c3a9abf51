package import CensusCore

/// What one device id truly stood for, as far as the device said so: what it held at its last delivered report, and what
/// it told of since.
///
/// - A successful report: from its time on the truth of its surface is what was really placed then, without ghosts and
///   phantoms.
/// - What tells of a real change outside a report (an extension's or a provider's `widget_installed`, `widget_removed` or
///   `widget_configured`; `widget_opened` of what was not told of before) changes the truth by that one placement; where
///   the event names only a kind, by one of the kind. What an app makes out of the difference of its lists changes
///   nothing.
/// - A new installation of the same device id holds nothing from its first launch until its own first word.
/// - A device counts from its first delivered event on, and leaves at the end of the activity window after its last, until
///   it is heard from again.
///
/// All times are true ones, whatever the device's clock says.
package struct DeviceTruth: Sendable, Hashable {
    /// A stretch of time `[from, to)` in which the device held as many equal placements.
    package struct Interval: Sendable, Hashable {
        package var surface: Surface
        package var placement: Placement
        package var count: Int
        package var from: Timestamp
        package var to: Timestamp
    }

    /// By start. The last may end after the plan does: the window goes on.
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
