import CensusCore
import Fleet

/// A fleet as the server reads it: every delivery decoded, every device folded.
struct FoldedFleet {
    private(set) var refused: [RefusedEvent] = []
    /// By raw device id.
    private(set) var observations: [String: [Observation]] = [:]
    private(set) var states: [String: DeviceState] = [:]
    static let end = Timestamp(rfc3339: "2026-11-21T10:00:00Z") ?? Timestamp(seconds: 0)

    init(_ plan: WeatherFleet.Plan) throws {
        try self.init(WeatherFleet(plan).deliveries(), zone: plan.zone)
    }

    init(_ deliveries: [Delivery], zone: ReportingZone = .utc) throws {
        for delivery in deliveries { try read(delivery) }
        let fold = DeviceFold(window: ActivityWindow(zone: zone))
        // The first of several deliveries of an event counts, as in the store.
        states = observations.mapValues { observations in
            var known: Set<String> = []
            return fold.fold(observations.filter { known.insert("\($0.occurredAt) \($0.id)").inserted })
        }
    }

    private mutating func read(_ delivery: Delivery) throws {
        let batch = try BatchDecoder().decode(delivery.body, received: delivery.receivedAt)
        for result in batch.events {
            switch result {
            case .success(let event):
                observations[batch.deviceID, default: []].append(
                    Observation(
                        id: event.id, occurredAt: event.occurredAt, at: event.at,
                        installation: FoldedFleet.pseudonym(of: batch.installationID), surface: event.surface,
                        circumstances: batch.circumstances, event: try event.event.decoded()))
            case .failure(let event): refused.append(event)
            }
        }
    }

    /// The fleet's installations have UUIDs; a test needs no hash of them.
    private static func pseudonym(of id: String) -> Pseudonym {
        let digits = id.filter { $0 != "-" }
        return Pseudonym(
            high: UInt64(digits.prefix(16), radix: 16) ?? 0, low: UInt64(digits.suffix(16), radix: 16) ?? 0)
    }

    /// Devices that held a placement of the kind, or of any, at an instant.
    func devices(
        with kind: String? = nil, at time: Timestamp = end, counting part: KeyPath<Level, Int> = \.possible
    ) -> Int {
        states.values.count { state in
            state.spans.contains { span in
                (kind == nil || span.placement.kind == kind) && span.from <= time && (span.to.map { $0 > time } ?? true)
                    && span.level[keyPath: part] > 0
            }
        }
    }

    /// The kinds that some device ever held.
    var kinds: Set<String> { Set(states.values.flatMap { $0.spans.map(\.placement.kind) }) }

    var events: [Observation] { observations.values.flatMap { $0 } }
}
