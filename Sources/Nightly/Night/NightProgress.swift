/// The parts of a night, in order.
package enum NightStep: String, Hashable, Sendable, CaseIterable {
    case reconciling, rebuilding, closing, watching, deciding, keeping, verifying
}

/// How far one step of a night has come.
package struct NightProgress: Hashable, Sendable {
    package var step: NightStep
    /// Counts devices while reconciling, rebuilding, keeping and verifying, apps while closing, watching and deciding.
    package var done: Int
    /// Nil when it is not known.
    package var total: Int?
    /// The app that is being worked on; nil when it is all of them.
    package var app: String?

    package init(_ step: NightStep, done: Int, of total: Int? = nil, app: String? = nil) {
        self.step = step
        self.done = done
        self.total = total
        self.app = app
    }
}
