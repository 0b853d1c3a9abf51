package import CensusCore

/// Counts the answers that devices got.
package struct GalleryTally: Sendable {
    /// Days on which a device asked.
    package var deviceDays = 0
    /// Answers of the server that were compared with the answer expected from a read of the store.
    package var spotChecks = 0
    /// Reads of the store; each answers until the device's next batch.
    package var readings = 0
    package var batches = 0
    package var events = 0
    /// Acts on kinds meanwhile.
    package var acts = 0
    package var forgotten = 0
    /// Commits and reads that were cancelled.
    package var givenUp = 0
    /// Devices told to hide a kind that they really held at their last committed report, by day and kind.
    package var wrongHides = 0
    /// Kinds that a client hid, because it kept an answer as long as the contract allows, although the phone's own newest
    /// list had them.
    package var wronglyHidden = 0
    /// Devices that reported within the window and lacked the legacy kind, by day and kind.
    package var lacking = 0
    /// Those of ``lacking``, by the reason of their answer.
    package var answers: [GalleryReason: Int] = [:]
    /// Those of ``lacking`` where the client really hid the kind.
    package var hiddenByClients = 0
    /// The first violations.
    package var findings: [String] = []

    package init() {}

    package var hides: Int { answers[.lacksIt] ?? 0 }

    package mutating func note(_ finding: String) { if findings.count < 10 { findings.append(finding) } }

    static func += (left: inout GalleryTally, right: GalleryTally) {
        left.deviceDays += right.deviceDays
        left.spotChecks += right.spotChecks
        left.readings += right.readings
        left.batches += right.batches
        left.events += right.events
        left.acts += right.acts
        left.forgotten += right.forgotten
        left.givenUp += right.givenUp
        left.wrongHides += right.wrongHides
        left.wronglyHidden += right.wronglyHidden
        left.lacking += right.lacking
        left.answers.merge(right.answers) { $0 + $1 }
        left.hiddenByClients += right.hiddenByClients
        for finding in right.findings { left.note(finding) }
    }
}
