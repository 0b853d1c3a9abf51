package import CensusCore

/// What one simulated phone sent, and the truth about it.
package struct DeviceStory: Sendable {
    /// In order of `receivedAt`; all before the plan's end.
    package var deliveries: [Delivery] = []
    /// By the device id that was sent. A phone has several if it was replaced or lost its keychain.
    package var truths: [String: DeviceTruth] = [:]
    /// The successful reports that were sent, by the event's id.
    package var reports: [String: Report] = [:]
    /// The number of events in all deliveries, including repeated ones.
    package var events = 0
}

extension DeviceStory {
    /// The truth when the list of a report was read.
    package struct Report: Sendable, Hashable {
        /// The event's id.
        package var id: String
        /// The true time.
        package var at: Timestamp
        /// The device id that was sent.
        package var device: String
        /// The kinds that were really placed.
        package var kinds: Set<String>
    }

    /// - Parameters:
    ///   - sent: in the order of sending, which is kept for deliveries that arrive at the same time.
    ///   - zone: whose days decide when a silent device stops counting.
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
        for note in notes {
            guard case .holds(let held) = note.testimony else { continue }
            let id = note.id.description
            reports[id] = Report(id: id, at: note.at, device: note.context.device, kinds: Set(held.keys.map(\.kind)))
        }
    }
}

/// One batch as a phone sent it, and when the server received it.
package struct Delivery: Sendable, Hashable {
    package var receivedAt: Timestamp
    /// A body of `POST /v1/events`: JSON on one line.
    package var body: [UInt8]

    package init(receivedAt: Timestamp, body: [UInt8]) {
        self.receivedAt = receivedAt
        self.body = body
    }

    /// The same batch, sent later, with `sent_at` set again by the phone's clock.
    package func sent(later delay: Duration) -> Delivery {
        guard delay != .zero else { return self }
        let start = #"{"sent_at":""#.utf8.count
        guard let end = body[start...].firstIndex(of: UInt8(ascii: "\"")),
            let stamp = Timestamp(rfc3339: String(decoding: body[start..<end], as: UTF8.self))
        else { preconditionFailure("a batch begins with sent_at") }
        return Delivery(
            receivedAt: receivedAt + delay,
            body: Array(body[..<start]) + Array((stamp + delay).description.utf8) + Array(body[end...]))
    }

    /// Appends one line of a file for `widget-census import`: the body with `received_at`, and a newline.
    package func appendLine(to bytes: inout [UInt8]) {
        var member = JSONBytes(capacity: 48)
        member.raw(#"{"received_at":"#)
        member.time(receivedAt)
        member.raw(",")
        bytes += member.bytes
        // The body is a non-empty object, so the member can be put first.
        bytes += body.dropFirst()
        bytes.append(UInt8(ascii: "\n"))
    }
}
