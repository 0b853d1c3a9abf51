import CensusCore
import Fleet
import Postgres

@testable import CensusStore

extension TestStore {
    /// The stored spans of every device, in the order of the pure fold.
    func spans() async throws -> [Pseudonym: [Span]] {
        let devices = try await store.pool.query(Statement("test", "select distinct device_id from census.span"))
            .map { try $0.decode(Pseudonym.self, at: 0) }
        var spans: [Pseudonym: [Span]] = [:]
        let all = [Timestamp?](repeating: nil, count: devices.count).column
        for row in try await store.pool.query(StoredSpan.table.select, [devices, all]) {
            spans[try row.decode(Pseudonym.self, at: 0), default: []].append(try Span(row))
        }
        return spans.mapValues(\.inOrder)
    }

    /// The pure fold's spans of these phones. Devices without spans are left out.
    func foldedSpans(_ phones: [Phone]) -> [Pseudonym: [Span]] {
        var spans: [Pseudonym: [Span]] = [:]
        for phone in phones {
            let found = app.fold.spans(of: app.fold.fold(phone.observations(secret)))
            if !found.isEmpty { spans[device(phone)] = found.inOrder }
        }
        return spans
    }
}

extension [Timestamp?] {
    fileprivate var column: Column<Timestamp> {
        var column = Column<Timestamp>()
        for time in self { column.append(time) }
        return column
    }
}

extension [Span] {
    fileprivate var inOrder: [Span] {
        sorted {
            ($0.from, $0.surface, $0.placement, $0.to?.microseconds ?? .max)
                < ($1.from, $1.surface, $1.placement, $1.to?.microseconds ?? .max)
        }
    }
}
