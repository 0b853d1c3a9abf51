internal import CensusCore
internal import Postgres

extension Span {
    /// A row of ``StoredSpan/table``.
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
}

/// A span as it is stored: under an ordinal, which identifies it among its device's.
struct StoredSpan: Sendable {
    var ordinal: Int32
    var span: Span

    static let table = OwnedTable<StoredSpan>(
        "span", key: [RowColumn("ordinal") { $0.value.ordinal }],
        [
            RowColumn("surface") { $0.value.span.surface },
            RowColumn("kind") { $0.value.span.placement.kind },
            RowColumn("family") { $0.value.span.placement.family },
            RowColumn("intent") { $0.value.span.placement.intent },
            RowColumn("configuration") { $0.value.span.placement.configuration },
            RowColumn("instance") { $0.value.span.placement.instance },
            RowColumn("from_at") { $0.value.span.from },
            RowColumn("to_at") { $0.value.span.to },
            RowColumn("certain") { Int32(clamping: $0.value.span.level.certain) },
            RowColumn("suspect") { Int32(clamping: $0.value.span.level.suspect) },
            RowColumn("presumed") { Int32(clamping: $0.value.span.level.presumed) },
            RowColumn("either") { Int32(clamping: $0.value.span.level.either) },
            RowColumn("reported") { Int32(clamping: $0.value.span.level.reported) },
            RowColumn("still_there") { $0.value.span.stillThere.map { Int32(clamping: $0) } },
            RowColumn("settled") { Int32(clamping: $0.value.span.settled) },
            RowColumn("returned") { Int32(clamping: $0.value.span.returned) },
            RowColumn("claim_platform") { $0.value.span.claim?.platform },
            RowColumn("claim_os_version") { $0.value.span.claim?.osVersion },
            RowColumn("claim_rule") { $0.value.span.claim?.rule },
            RowColumn("began_cause") { $0.value.span.began.cause },
            RowColumn("began_rule") { $0.value.span.began.rule },
            RowColumn("ended_cause") { $0.value.span.ended?.cause },
            RowColumn("ended_rule") { $0.value.span.ended?.rule },
        ], from: ("timestamptz", "to_at is null or to_at >= wanted.start"))
}
