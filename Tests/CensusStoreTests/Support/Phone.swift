import CensusStore

@testable import CensusCore

/// Tells the story of one phone, from its first launch on day 0.
struct Phone: Sendable {
    /// One event with what was true when it was sent.
    struct Said: Sendable {
        var installation: String
        var circumstances: Observation.Circumstances
        var happened: Event
        var event: BatchEvent
    }

    let id: String
    private(set) var said: [Said] = []
    var installation = "1"
    var circumstances: Observation.Circumstances

    /// The phone has been up for ten days; what it reports is not suspect.
    init(_ id: String, firstLaunch: Timestamp = .day(0), osVersion: String? = "14.3", platform: Platform = .ios) {
        self.id = id
        circumstances = .init(
            platform: platform, osVersion: osVersion, appVersion: "1.0", bootedAt: .day(-10),
            firstLaunchedAt: firstLaunch)
    }

    mutating func happens(_ event: Event, _ at: Timestamp, id: String? = nil, on surface: Surface = .widget) {
        said.append(
            Said(
                installation: installation, circumstances: circumstances, happened: event,
                event: BatchEvent(
                    index: 0, id: id ?? "event \(said.count)", occurredAt: at, at: at, surface: surface, source: "app",
                    event: EncodedEvent(event))))
    }

    mutating func reports(_ claimed: [Placement: Int], _ at: Timestamp) { happens(.reported(claimed), at) }
    mutating func reports(_ kinds: [String], _ at: Timestamp) {
        reports(Dictionary(kinds.map { (Placement(kind: $0), 1) }, uniquingKeysWith: +), at)
    }
    mutating func failsToRead(_ at: Timestamp) { happens(.readFailed(domain: "CHSErrorDomain", code: 1101), at) }

    /// The app is deleted and installed again.
    mutating func reinstalls(_ launched: Timestamp?) {
        installation += "+"
        circumstances.firstLaunchedAt = launched
    }

    mutating func boots(_ at: Timestamp?) { circumstances.bootedAt = at }

    func batch(of said: Said) -> Batch {
        Batch(
            appID: TestStore.appID, deviceID: id, installationID: said.installation, circumstances: said.circumstances,
            events: [.success(said.event)])
    }

    /// As the fold must see them.
    func observations(_ secret: Secret) -> [Observation] {
        said.map { said in
            Observation(
                id: said.event.id, occurredAt: said.event.occurredAt, at: said.event.at,
                installation: secret.installation(said.installation, app: TestStore.appID), surface: said.event.surface,
                circumstances: said.circumstances, event: said.happened)
        }
    }
}

extension TestStore {
    func parcels(of phone: Phone) -> [Parcel] {
        phone.said.map { said in
            Parcel(
                phone.batch(of: said), appNumber: app.number, secret: secret, received: said.event.at + .seconds(1))
        }
    }

    /// Appends what the phones said; what they told before changes nothing.
    @discardableResult
    func tell(_ phones: [Phone]) async throws -> AppendOutcome { try await store.log.append(phones.flatMap(parcels)) }

    @discardableResult
    func tell(_ phones: Phone...) async throws -> AppendOutcome { try await tell(phones) }

    func device(_ phone: Phone) -> Pseudonym { secret.device(phone.id, app: TestStore.appID) }
}

extension Day {
    static let today = ReportingZone.utc.day(of: .now)
    /// Day 0 of every story: so long ago that a silence fits in, and within the retention.
    static let first = today - 80
}

extension Timestamp {
    /// Nine in the morning, UTC, of a day counted from ``Day/first``.
    static func day(_ number: Int, hour: Int64 = 9, minute: Int64 = 0) -> Timestamp {
        ReportingZone.utc.start(of: Day.first + number) + .hours(hour) + .minutes(minute)
    }
}
