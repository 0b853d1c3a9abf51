import CensusCore
import Fleet
import Postgres

@testable import CensusStore

extension TestStore {
    /// The tables and partitions of the database that contain a text in any column, as text or as bytes.
    func tables(holding texts: String...) async throws -> [String] {
        let tables = try await lines(
            """
            select oid::regclass
            from pg_class
            where relnamespace in ('census'::regnamespace, 'census_schema'::regnamespace)
                and relkind in ('r', 'm')
            order by oid::regclass::text
            """)
        var found: [String] = []
        for table in tables {
            for text in texts {
                let bytes = Array(text.utf8).hexadecimal
                let isThere = try await value(
                    Bool.self,
                    """
                    select exists (
                        select 1
                        from \(table) as line
                        where position($1 in line::text) > 0
                            or position($2 in line::text) > 0
                            or position($3 in line::text) > 0)
                    """, [text, bytes, text.replacing("-", with: "")])
                if isThere, found.last != table { found.append(table) }
            }
        }
        return found
    }

    /// The number of rows of these devices in the device tables and in the queue.
    func rows(of devices: [Pseudonym]) async throws -> Int {
        var rows = 0
        for table in [
            "observation", "refused", "pending_device", "device", "device_base", "device_cohort", "device_use", "span",
            "phase", "set_aside", "warned",
        ] {
            rows += try await value(
                Int.self, "select count(*) from census.\(table) where device_id = any($1)", [devices])
        }
        return rows
    }

    @discardableResult
    func forget(_ phone: Phone, at time: Timestamp = .now) async throws -> Erasure {
        try await store.forgetting.forget(device(phone), of: store.apps.app(TestStore.appID), at: time)
    }

    /// Runs only `begin`, as if the process were killed after it.
    func beginToForget(_ phone: Phone, at time: Timestamp = .now) async throws {
        _ = try await store.pool.query(SQL.Forgetting.begin, [device(phone), app.number, time])
    }
}

extension Array where Element == UInt8 {
    fileprivate var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
