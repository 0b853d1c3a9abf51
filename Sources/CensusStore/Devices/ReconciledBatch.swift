package import CensusCore

/// The result of one step of the reconciler.
package struct ReconciledBatch: Hashable, Sendable {
    /// Queue entries taken; a device can have several.
    package var taken = 0
    package var devices = 0
    /// Devices folded from their first observation.
    package var refolded = 0
    /// Devices whose history could not be folded; they wait in `census.set_aside` with the reason.
    package var setAside = 0
    /// Other devices that claim more than any phone could. They are not changed.
    package var implausible = 0
    /// The last device that the step examined; nil at the end of the sweep.
    package var last: Pseudonym?
    /// Whether the step left out some of the devices that it examined, because they were too many at once.
    package var isCut = false
    /// The entries that the step found of devices that other sessions work on. They stay queued.
    package var busy: [QueueEntry] = []
    package var observations = 0
    package var spansChanged = 0

    package init() {}

    package static func += (total: inout ReconciledBatch, step: ReconciledBatch) {
        total.taken += step.taken
        total.last = step.last
        total.busy += step.busy
        total.devices += step.devices
        total.refolded += step.refolded
        total.setAside += step.setAside
        total.implausible += step.implausible
        total.observations += step.observations
        total.spansChanged += step.spansChanged
    }
}
