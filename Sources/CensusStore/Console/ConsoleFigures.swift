package import CensusCore

/// An event on the time axis that might explain a change.
package struct ConsoleMark: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        /// Devices began to update to it, or its manifest arrived.
        case release(version: String)
        case act(surface: String, kind: String, Lifecycle, by: String)
        /// What an incident became with updates to a version: open, acknowledged or closed.
        case loss(surface: String, kind: String, version: String, LossState, by: String)
        /// A person acknowledged what a coming release takes away, or withdrew that.
        case acknowledgement(surface: String, kind: String, version: String, by: String, isWithdrawn: Bool)
    }

    package var day: Day
    package var event: Event
}

/// An app's most important numbers at the end of a day.
package struct AppHeadline: Hashable, Sendable, Decodable {
    package var appID: String
    package var day: Day
    /// Devices that were heard from in the activity window.
    package var active: Int
    /// Of these, heard from in the seven days that ended with the day.
    package var weekly: Int
    /// Of these, certainly had a placement on the surface `widget` or `today`.
    package var withWidget: Int
    /// Of the active ones, certainly or possibly had one there.
    package var withWidgetPossible: Int
    /// How many kinds are legacy, on any surface.
    package var legacyKinds: Int

    package init(
        appID: String, day: Day, active: Int, weekly: Int, withWidget: Int, withWidgetPossible: Int,
        legacyKinds: Int = 0
    ) {
        self.appID = appID
        self.day = day
        self.active = active
        self.weekly = weekly
        self.withWidget = withWidget
        self.withWidgetPossible = withWidgetPossible
        self.legacyKinds = legacyKinds
    }
}

/// A kind that is legacy or retired.
package struct DecidedKind: Hashable, Sendable, Decodable {
    package var surface: Surface
    package var kind: String
    package var lifecycle: Lifecycle

    package init(surface: Surface, kind: String, lifecycle: Lifecycle) {
        self.surface = surface
        self.kind = kind
        self.lifecycle = lifecycle
    }
}

/// Events that were refused for one reason.
package struct RefusalCount: Hashable, Sendable, Decodable {
    package var code: String
    package var events: Int
    /// In UTC.
    package var lastDay: Day
    /// The message that one of the senders got.
    package var example: String
}

/// For how much of an app's base the state was known when a day ended.
package struct CoverageDay: Hashable, Sendable, Decodable {
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
package struct SystemQuirk: Hashable, Sendable, Decodable {
    package var platform: String
    package var osVersion: String
    package var settled: Int
    package var gone: Int
    package var share: Double?
    /// The 95% interval of the share.
    package var low: Double?
    package var high: Double?
    /// The share that people would have removed anyway.
    package var ordinary: Double?
}

/// Devices that held one family of a kind.
package struct FamilyCount: Hashable, Sendable, Decodable {
    /// Empty if not sent.
    package var family: String
    package var certain: Int
    package var possible: Int
}

/// Widgets that were added and removed on one day for one cause.
package struct ChangeCount: Hashable, Sendable, Decodable {
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

/// The suspects of one kind when a day ended, and their outcomes.
package struct GhostDay: Hashable, Sendable, Decodable {
    package var day: Day
    package var suspect: Int
    package var gone: Int
    package var stillThere: Int
}
