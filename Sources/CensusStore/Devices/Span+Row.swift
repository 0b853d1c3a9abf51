internal import CensusCore
internal import Postgres

extension Span {
    /// A row of `DeviceStore.spans`.
    init(_ row: Row) throws {
        guard let surface = Surface(rawValue: try row.decode("surface", as: String.self)) else {
            throw StoreError(.ours, "a span has a surface that this program does not know")
        }
        let claimPlatform = try row.decode("claim_platform", as: String?.self).flatMap(Platform.init)
        let claimVersion = try row.decode("claim_os_version", as: String?.self)
        let claimRule = try row.decode("claim_rule", as: String?.self).flatMap(Rule.init) ?? .reinstall
        self.init(
            surface: surface,
            placement: Placement(
                kind: try row.decode("kind", as: String.self),
                family: try row.decode("family", as: String?.self),
                intent: try row.decode("intent", as: String?.self),
                configuration: try row.decode("configuration", as: String?.self),
                instance: try row.decode("instance", as: String?.self)),
            from: try row.decode("from_at", as: Timestamp.self),
            to: try row.decode("to_at", as: Timestamp?.self),
            level: Level(
                certain: try row.decode("certain", as: Int.self),
                presumed: try row.decode("presumed", as: Int.self),
                suspect: try row.decode("suspect", as: Int.self),
                either: try row.decode("either", as: Int.self),
                reported: try row.decode("reported", as: Int.self)),
            stillThere: try row.decode("still_there", as: Int?.self),
            settled: try row.decode("settled", as: Int.self),
            claim: claimPlatform.map { Claim(platform: $0, osVersion: claimVersion, rule: claimRule) },
            began: try Change(
                try row.decode("began_cause", as: String.self), try row.decode("began_rule", as: String.self)),
            returned: try row.decode("returned", as: Int.self),
            ended: try row.decode("ended_cause", as: String?.self).map { cause in
                try Change(cause, try row.decode("ended_rule", as: String.self))
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
