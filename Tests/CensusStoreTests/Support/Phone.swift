import CensusStore
import Fleet

@testable import CensusCore

/// The history of one phone, from its first launch on day 0.
typealias Phone = Life

extension Phone {
    /// The phone has been up for ten days, so its reports are not suspect.
    init(_ id: String, firstLaunch: Timestamp = .day(0), osVersion: String? = "14.3", platform: Platform = .ios) {
        self.init(
            id,
            Observation.Circumstances(
                platform: platform, osVersion: osVersion, appVersion: "1.0", bootedAt: .day(-10),
                firstLaunchedAt: firstLaunch))
    }

    mutating func reports(_ kinds: [String], _ at: Timestamp) {
        reports(Dictionary(kinds.map { (Placement(kind: $0), 1) }, uniquingKeysWith: +), at)
    }

    func batch(of observation: Observation) -> Batch {
        let event = BatchEvent(
            index: 0, id: observation.id, occurredAt: observation.occurredAt, at: observation.at,
            surface: observation.surface, source: "app", event: EncodedEvent(observation.event))
        return Batch(
            appID: TestStore.appID, deviceID: id, installationID: observation.installationID,
            circumstances: observation.circumstances, events: [.success(event)])
    }

    /// The observations as the fold sees them.
    func observations(_ secret: Secret) -> [Observation] {
        observations.map { observation in
            var seen = observation
            seen.installation = secret.installation(observation.installationID, app: TestStore.appID)
            return seen
        }
    }
}

extension Observation {
    /// The id as the phone sends it.
    var installationID: String { "\(installation.low)" }
}

extension ObservationLog {
    /// Waits as long as a busy machine might need, because these tests don't measure time.
    @discardableResult
    func append(_ batches: [BatchRows]) async throws(StoreError) -> AppendOutcome {
        try await append(batches, within: .seconds(120))
    }
}

extension TestStore {
    func batches(of phone: Phone) -> [BatchRows] {
        phone.observations.map { observation in
            BatchRows(
                phone.batch(of: observation), appNumber: app.number, secret: secret,
                received: observation.at + .seconds(1))
        }
    }

    /// Appends all events of the phones. Those that were appended before change nothing.
    @discardableResult
    func tell(_ phones: [Phone]) async throws -> AppendOutcome { try await store.log.append(phones.flatMap(batches)) }

    @discardableResult
    func tell(_ phones: Phone...) async throws -> AppendOutcome { try await tell(phones) }

    func device(_ phone: Phone) -> Pseudonym { secret.device(phone.id, app: TestStore.appID) }
}

extension Day {
    static let today = ReportingZone.utc.day(of: .now)
    /// Day 0 of every history: long enough ago for a silence, and within the retention.
    static let first = today - 80
}

extension Timestamp {
    /// Nine in the morning, UTC, of a day counted from ``Day/first``.
    static func day(_ number: Int, hour: Int64 = 9, minute: Int64 = 0) -> Timestamp {
        ReportingZone.utc.start(of: Day.first + number) + .hours(hour) + .minutes(minute)
    }
}
