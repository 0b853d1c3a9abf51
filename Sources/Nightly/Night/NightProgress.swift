/// The parts of a night, in order.
package enum NightStep: String, Hashable, Sendable, CaseIterable {
    case reconciling, rebuilding, closing, watching, deciding, keeping, verifying
}

/// The progress of one step of a night.
package struct NightProgress: Hashable, Sendable {
    package var step: NightStep
    /// Devices while reconciling, rebuilding, keeping and verifying; apps while closing, watching and deciding.
    package var done: Int
    /// Nil if unknown.
    package var total: Int?
    /// The current app; nil if the step works on all apps.
    package var app: String?

    package init(_ step: NightStep, done: Int, of total: Int? = nil, app: String? = nil) {
        self.step = step
        self.done = done
        self.total = total
        self.app = app
    }
}
