package import CensusCore

/// What one step of the reconciler did.
package struct ReconciledBatch: Hashable, Sendable {
    /// Entries taken from the queue; a device may have several.
    package var taken = 0
    package var devices = 0
    /// Of these, the ones that were folded from their first observation on.
    package var refolded = 0
    /// Devices whose history could not be folded: they wait in `census.set_aside` with the reason.
    package var setAside = 0
    /// Devices beside those that tell of more than a phone can: they are left as they were.
    package var implausible = 0
    /// The last device that the step looked at; nil when the sweep is at its end.
    package var last: Pseudonym?
    /// Whether the step left some devices that it had looked at, since all would have been too much at once.
    package var isCut = false
    package var observations = 0
    package var spansChanged = 0

    package init() {}

    package static func += (total: inout ReconciledBatch, step: ReconciledBatch) {
        total.taken += step.taken
        total.last = step.last
        total.devices += step.devices
        total.refolded += step.refolded
        total.setAside += step.setAside
        total.implausible += step.implausible
        total.observations += step.observations
        total.spansChanged += step.spansChanged
    }
}
