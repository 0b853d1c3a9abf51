internal import CensusCore
internal import Postgres

extension Span {
    /// A row of `DeviceStore.spans`.
    init(_ row: Row) throws {
        let claimPlatform: Platform? = try row["claim_platform"]
        let endedCause: Cause? = try row["ended_cause"]
        try self.init(
            surface: row["surface"],
            placement: Placement(
                kind: row["kind"], family: row["family"], intent: row["intent"], configuration: row["configuration"],
                instance: row["instance"]),
            from: row["from_at"], to: row["to_at"],
            level: Level(
                certain: row["certain"], presumed: row["presumed"], suspect: row["suspect"], either: row["either"],
                reported: row["reported"]),
            stillThere: row["still_there"], settled: row["settled"],
            claim: claimPlatform.map { platform in
                try Claim(platform: platform, osVersion: row["claim_os_version"], rule: row["claim_rule"] ?? .reinstall)
            },
            began: Change(row["began_cause"], by: row["began_rule"]), returned: row["returned"],
            ended: endedCause.map { try Change($0, by: row["ended_rule"]) })
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
