package import CensusCore
internal import Postgres

/// Some observations of some devices, in order of time.
struct ObservationPage: Sendable {
    private(set) var byDevice: [Pseudonym: [Observation]] = [:]
    /// Why devices have observations that can't be read.
    private(set) var failures: [Pseudonym: String] = [:]
    /// Through which time the page is complete; nil when there is nothing.
    let end: Timestamp?
    /// Whether nothing follows.
    let isLast: Bool

    /// - Parameter limit: the most rows that were asked for.
    init(_ rows: Rows, limit: Int) throws(PostgresError) {
        isLast = rows.count < limit
        var last: Timestamp?
        for row in rows {
            last = try row.decode(Timestamp.self, at: 3)
            let device = try row.decode(Pseudonym.self, at: 0)
            do {
                byDevice[device, default: []].append(try Observation(row))
            } catch {
                failures[device] = ObservationPage.reason(error)
            }
        }
        // More of the last instant may follow.
        end = isLast ? last : last.map { $0 - .microseconds(1) }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as StoredContentError:
            "the content of an observation of type \(error.type.rawValue) can't be read"
        case is UnknownObservation: "an observation has a type, surface or platform that this program does not know"
        default: "an observation can't be read"
        }
    }
}

extension Connection {
    func observationPage(
        _ devices: [Pseudonym], occurredFrom: Timestamp, after: Timestamp, limit: Int, deadline: Duration? = nil
    ) async throws -> ObservationPage {
        try ObservationPage(
            await query(
                SQL.`DeviceStore.observations`, [devices, occurredFrom, after, limit], deadline: deadline),
            limit: limit)
    }
}

extension Store {
    /// What a device's observations led to that are no longer kept; nil when all are.
    ///
    /// - Throws: ``StoreError`` with fault `data` when it can't be read.
    package func base(of device: Pseudonym, fold: DeviceFold) async throws(StoreError) -> DeviceState? {
        do {
            guard let row = try await query(SQL.`DeviceStore.newest`, device).first else { return nil }
            let stored = try StoredDevice(past: row)
            do throws(UnreadablePast) {
                let past = try fold.past(of: stored)
                return stored.base == nil ? nil : past
            } catch {
                throw StoreError(.data, error.description)
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Reads one device's observations that are kept, reconciled or not; empty when it is not known.
    ///
    /// - Throws: ``StoreError`` with fault `data` when one of them can't be read.
    package func observations(of device: Pseudonym) async throws(StoreError) -> [Observation] {
        do {
            let page = try await pool.withConnection { connection in
                try await connection.observationPage(
                    [device], occurredFrom: .distantPast, after: .distantPast, limit: .max)
            }
            if let failure = page.failures[device] { throw StoreError(.data, failure) }
            return page.byDevice[device] ?? []
        } catch {
            throw StoreError(error)
        }
    }
}

extension Timestamp {
    /// Before every time that PostgreSQL can hold with us: 4713 BC is its own limit.
    static let distantPast = Timestamp(seconds: -200_000_000_000)
}
