package import CensusCore

/// What one step of the reconciler did.
package struct ReconciledBatch: Hashable, Sendable {
    /// Queue entries taken; a device may have several.
    package var taken = 0
    package var devices = 0
    /// Devices folded from their first observation.
    package var refolded = 0
    /// Devices whose history could not be folded; they wait in `census.set_aside` with the reason.
    package var setAside = 0
    /// Further devices that claim more than any phone could; they are left as they were.
    package var implausible = 0
    /// The last device that the step examined; nil at the end of the sweep.
    package var last: Pseudonym?
    /// Whether the step left out some devices that it examined, because all of them would have been too much at once.
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
