import CensusCore
import Fleet
import SeededRandom

/// The batches of one device id in order of arrival: some late, out of order or twice.
struct DeviceScript: Sendable {
    enum Step: Sendable {
        case batch(Batch)
        /// The user withdraws consent: later events are not stored.
        case forget
    }

    /// The phone's number in its fleet.
    var phone: Int
    var device: String
    var steps: [(at: Timestamp, step: Step)]
    /// Every successful report of this device id, sent or not, by time.
    var reports: [DeviceStory.Report]
    /// What the phone held, as far as it has reported.
    var truth: DeviceTruth
    var end: Timestamp

    /// The scripts of one phone, which has several device ids if it was restored or lost its keychain.
    static func scripts(ofPhone phone: Int, in fleet: WeatherFleet, seed: UInt64) throws -> [DeviceScript] {
        let story = fleet.story(ofDevice: phone)
        var random = Seeded(seed).derived(for: "gallery").derived(for: phone)
        let decoder = BatchDecoder()
        var steps: [String: [(at: Timestamp, step: Step)]] = [:]

        func add(_ delivery: Delivery, late: Duration) throws {
            let sent = delivery.sent(later: late)
            guard sent.receivedAt < fleet.plan.end else { return }
            let batch = try decoder.decode(sent.body, received: sent.receivedAt)
            steps[batch.deviceID, default: []].append((sent.receivedAt, .batch(batch)))
        }

        for delivery in story.deliveries {
            let isLate = random.chance(8)
            try add(delivery, late: isLate ? .minutes(Int64(random.below(5 * 24 * 60))) : .zero)
            if random.chance(5) { try add(delivery, late: .minutes(Int64(random.below(9 * 24 * 60)))) }
        }
        return steps.sorted { $0.key < $1.key }.map { device, steps in
            var steps = steps
            if random.below(250) == 0, let some = steps.randomElement(using: &random) {
                steps.append((some.at + .seconds(1), .forget))
            }
            return DeviceScript(
                phone: phone, device: device, steps: steps.sorted { $0.at < $1.at },
                reports: story.reports.values.filter { $0.device == device }.sorted { $0.at < $1.at },
                truth: story.truths[device] ?? DeviceTruth(), end: fleet.plan.end)
        }
    }

    /// The newest list that the phone itself read by then.
    func newestReport(at time: Timestamp) -> DeviceStory.Report? { reports.last { $0.at <= time } }

    /// Whether it had reported the kind by then, in a list or by an event.
    func holds(_ kind: String, at time: Timestamp) -> Bool {
        truth.intervals.contains { $0.placement.kind == kind && $0.from <= time && time < $0.to }
    }
}
