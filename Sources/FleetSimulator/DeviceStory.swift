internal import CensusCore

/// What one simulated phone sent, and what was true meanwhile.
package struct DeviceStory: Sendable {
    /// In order of `receivedAt`; all before the plan's end.
    package var deliveries: [Delivery] = []
    /// By the device id that was sent: one phone has several after a restore or when its keychain was lost.
    package var truths: [String: DeviceTruth] = [:]
    /// In all deliveries, repeated ones included.
    package var events = 0
}

extension DeviceStory {
    /// - Parameters:
    ///   - sent: in the order sent, which stands where deliveries arrive at one instant.
    ///   - zone: by whose days a silent device leaves.
    init(_ sent: [Sent], zone: ReportingZone = .utc) {
        let ordered = sent.enumerated()
            .sorted { ($0.element.delivery.receivedAt, $0.offset) < ($1.element.delivery.receivedAt, $1.offset) }
        deliveries = ordered.map(\.element.delivery)
        events = sent.reduce(0) { $0 + $1.notes.count }

        var heard: Set<Int> = []
        let notes = sent.flatMap(\.notes).filter { heard.insert($0.number).inserted }
            .sorted { ($0.at, $0.number) < ($1.at, $1.number) }
        var recorders: [String: TruthRecorder] = [:]
        for note in notes { recorders[note.context.device, default: TruthRecorder(zone: zone)].hear(note) }
        truths = recorders.mapValues { $0.truth() }
    }
}
