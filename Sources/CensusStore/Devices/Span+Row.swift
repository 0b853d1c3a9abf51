internal import CensusCore
internal import Postgres

extension Span {
    /// A row of `DeviceStore.spans`, from column 2.
    init(_ row: Row) throws {
        guard let surface = Surface(rawValue: try row.decode(String.self, at: 2)) else {
            throw StoreError(.ours, "a span has a surface that this program does not know")
        }
        let claimPlatform = try row.decode(String?.self, at: 14).flatMap(Platform.init)
        let claimVersion = try row.decode(String?.self, at: 15)
        let claimRule = try row.decode(String?.self, at: 21).flatMap(Rule.init) ?? .reinstall
        self.init(
            surface: surface,
            placement: Placement(
                kind: try row.decode(String.self, at: 3),
                family: try row.decode(String?.self, at: 4),
                intent: try row.decode(String?.self, at: 5),
                configuration: try row.decode(String?.self, at: 6),
                instance: try row.decode(String?.self, at: 7)),
            from: try row.decode(Timestamp.self, at: 8),
            to: try row.decode(Timestamp?.self, at: 9),
            level: Level(
                certain: try row.decode(Int.self, at: 10),
                presumed: try row.decode(Int.self, at: 20),
                suspect: try row.decode(Int.self, at: 11),
                either: try row.decode(Int.self, at: 22),
                reported: try row.decode(Int.self, at: 12)),
            stillThere: try row.decode(Int?.self, at: 13),
            settled: try row.decode(Int.self, at: 23),
            claim: claimPlatform.map { Claim(platform: $0, osVersion: claimVersion, rule: claimRule) },
            began: try Change(try row.decode(String.self, at: 16), try row.decode(String.self, at: 17)),
            returned: try row.decode(Int.self, at: 24),
            ended: try row.decode(String?.self, at: 18).map { cause in
                try Change(cause, try row.decode(String.self, at: 19))
            })
    }

    /// A row of `DeviceStore.insertSpans`.
    func encode(into row: inout CopyRows.Row, device: Pseudonym, ordinal: Int32, appNumber: Int32) {
        row.value(device)
        row.value(ordinal)
        row.value(appNumber)
        row.value(surface.rawValue)
        row.value(placement.kind)
        row.value(placement.family)
        row.value(placement.intent)
        row.value(placement.configuration)
        row.value(placement.instance)
        row.value(from)
        row.value(to)
        row.value(Int32(clamping: level.certain))
        row.value(Int32(clamping: level.suspect))
        row.value(Int32(clamping: level.reported))
        row.value(stillThere.map { Int32(clamping: $0) })
        row.value(claim?.platform.rawValue)
        row.value(claim?.osVersion)
        row.value(began.cause.rawValue)
        row.value(began.rule.rawValue)
        row.value(ended?.cause.rawValue)
        row.value(ended?.rule.rawValue)
        row.value(Int32(clamping: level.presumed))
        row.value(claim?.rule.rawValue)
        row.value(Int32(clamping: level.either))
        row.value(Int32(clamping: settled))
        row.value(Int32(clamping: returned))
    }
}

extension Change {
    fileprivate init(_ cause: String, _ rule: String) throws {
        guard let cause = Cause(rawValue: cause), let rule = Rule(rawValue: rule) else {
            throw StoreError(.ours, "a span has a cause or rule that this program does not know")
        }
        self.init(cause, by: rule)
    }
}
