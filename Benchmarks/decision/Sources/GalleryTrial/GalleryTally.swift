package import CensusCore

/// What devices were told, counted.
package struct GalleryTally: Sendable {
    /// Days on which a device asked.
    package var deviceDays = 0
    /// Answers of the server that were compared with what the store's reading had led to expect.
    package var spotChecks = 0
    /// Answers read from the store; each stands until the device's next batch.
    package var readings = 0
    package var batches = 0
    package var events = 0
    /// Acts on kinds meanwhile.
    package var acts = 0
    package var forgotten = 0
    /// Commits and readings that were given up in the middle.
    package var givenUp = 0
    /// Devices told to hide a kind that they really held at their last committed report, by day and kind.
    package var wrongHides = 0
    /// Kinds that a client hid, which goes by an answer as long as the contract allows, though the phone's own newest list
    /// had them.
    package var wronglyHidden = 0
    /// Devices that reported within the window and lacked the legacy kind, by day and kind.
    package var lacking = 0
    /// Those of ``lacking``, by the reason of their answer.
    package var answers: [GalleryReason: Int] = [:]
    /// Those of ``lacking`` where the client really hid the kind.
    package var hiddenByClients = 0
    /// The first of what must not be.
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
