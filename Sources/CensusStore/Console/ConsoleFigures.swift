package import CensusCore

/// Something on a time axis that may explain a change.
package struct ConsoleMark: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        /// Devices began to update to it, or its manifest arrived.
        case release(version: String)
        case act(surface: String, kind: String, Lifecycle, by: String)
    }

    package var day: Day
    package var event: Event

    package init(day: Day, event: Event) {
        self.day = day
        self.event = event
    }
}

/// Events that were refused for one reason.
package struct RefusalCount: Hashable, Sendable {
    package var code: String
    package var events: Int
    /// In UTC.
    package var lastDay: Day
    /// The sentence that one of the senders got.
    package var example: String

    package init(code: String, events: Int, lastDay: Day, example: String) {
        self.code = code
        self.events = events
        self.lastDay = lastDay
        self.example = example
    }
}

/// How much of an app's base was known when a day ended.
package struct CoverageDay: Hashable, Sendable {
    package var day: Day
    package var active: Int
    package var reporting: Int
    package var reads: Int
    package var readsFailed: Int
    package var cloned: Int
    /// Nil before the first decision.
    package var policyApplied: Int?

    package init(
        day: Day, active: Int, reporting: Int, reads: Int, readsFailed: Int, cloned: Int = 0, policyApplied: Int? = nil
    ) {
        self.day = day
        self.active = active
        self.reporting = reporting
        self.reads = reads
        self.readsFailed = readsFailed
        self.cloned = cloned
        self.policyApplied = policyApplied
    }

    /// Nil without an active device.
    package var share: Double? { active > 0 ? Double(reporting) / Double(active) : nil }
    /// Nil without a read.
    package var failedShare: Double? { reads > 0 ? Double(readsFailed) / Double(reads) : nil }
}

/// How often one system's list named widgets that were gone; shares are 0...1.
package struct SystemQuirk: Hashable, Sendable {
    package var platform: String
    package var osVersion: String
    package var settled: Int
    package var gone: Int
    package var share: Double?
    /// The 95 % interval of the share.
    package var low: Double?
    package var high: Double?
    /// The share that would have gone because people remove widgets.
    package var ordinary: Double?

    package init(
        platform: String, osVersion: String, settled: Int, gone: Int, share: Double?, low: Double?, high: Double?,
        ordinary: Double?
    ) {
        self.platform = platform
        self.osVersion = osVersion
        self.settled = settled
        self.gone = gone
        self.share = share
        self.low = low
        self.high = high
        self.ordinary = ordinary
    }
}

/// Devices that held one family of a kind.
package struct FamilyCount: Hashable, Sendable {
    /// Empty when not sent.
    package var family: String
    package var certain: Int
    package var possible: Int

    package init(family: String, certain: Int, possible: Int) {
        self.family = family
        self.certain = certain
        self.possible = possible
    }
}

/// Widgets that were added and removed on one day for one cause.
package struct ChangeCount: Hashable, Sendable {
    package var day: Day
    package var cause: String
    package var added: Int
    package var removed: Int

    package init(day: Day, cause: String, added: Int, removed: Int) {
        self.day = day
        self.cause = cause
        self.added = added
        self.removed = removed
    }
}

/// The suspects of one kind when a day ended, and what became of them.
package struct GhostDay: Hashable, Sendable {
    package var day: Day
    package var suspect: Int
    package var gone: Int
    package var stillThere: Int

    package init(day: Day, suspect: Int, gone: Int, stillThere: Int) {
        self.day = day
        self.suspect = suspect
        self.gone = gone
        self.stillThere = stillThere
    }
}
