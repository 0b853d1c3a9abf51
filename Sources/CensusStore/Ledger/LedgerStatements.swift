internal import Postgres

/// Statements on all tables of the ledger at once.
enum LedgerStatements {
    /// Updates statistics, because the planner takes a table that was empty as still empty; a night of seconds then took a
    /// minute. Does not wait for a vacuum.
    static let analyze = Statement(
        "LedgerStatements.analyze", "analyze (skip_locked) \(names(LedgerTable.all.map(\.entries)))")

    static let analyzeCounted = Statement(
        "LedgerStatements.analyzeCounted",
        SQL.DayLedger.analyzeCounted.text + ",\n    " + names(LedgerTable.all.flatMap { [$0.name, $0.entries] }))

    /// Empties the ledger of app $1: levels, flows and net changes. The first known numbers of closed days stay, and so do
    /// reads, which only the log has.
    static let clear: Statement = {
        let kinds = LedgerTable.kinds
        let closed = "(select closed_day.day from census.closed_day where app_number = $1)"
        func deletion(_ table: String, _ condition: String = "true") -> String {
            """
            \(table)_rows as (
                delete from census.\(table)
                where app_number = $1
                    and \(condition)
            )
            """
        }
        let deletions =
            [deletion(kinds.name, "day not in \(closed)")]
            + LedgerTable.all.map { deletion($0.entries) }
            + LedgerTable.all.filter { $0.name != kinds.name }.map { deletion($0.name) }
        return Statement(
            "LedgerStatements.clear",
            """
            with
            \(deletions.joined(separator: ",\n"))
            update census.\(kinds.name) set
                \(kinds.amounts.map { "\($0) = 0" }.joined(separator: ",\n    "))
            where app_number = $1
                and day in \(closed)
            """)
    }()

    /// The days of app $1 as hashes: one row for each cell of kind_day, and one for each day of each other table. Leaves out
    /// first known numbers and reads.
    static let contents: Statement = {
        let kinds = LedgerTable.kinds
        let others = LedgerTable.all.enumerated().filter { $0.element.name != kinds.name }.map { position, table in
            """
            union all
            select
                day,
                false,
                \(position),
                bit_xor(hashtextextended(\(table.name)::text, 0))
            from census.\(table.name)
            where app_number = $1
            group by day
            """
        }
        return Statement(
            "LedgerStatements.contents",
            """
            select
                day,
                true as is_kind,
                hashtextextended(length(surface) || ' ' || surface || kind, 0) as cell,
                hashtextextended(row(\(kinds.amounts.joined(separator: ", ")))::text, 0) as numbers
            from census.\(kinds.name)
            where app_number = $1
                -- Rows of zeros, kept only for first known numbers, don't count.
                and (\(kinds.amounts.map { "\($0) <> 0" }.joined(separator: " or ")))
            \(others.joined(separator: "\n"))
            """)
    }()

    /// What is left to count for app $1 through day $2: the closed days so far, and the first day with net changes that no
    /// night has processed. $3 is the app's zone.
    static let open: Statement = {
        let firsts = LedgerTable.all.map { table in
            "union all select min(day) from census.\(table.entries) where app_number = $1"
        }
        return Statement(
            "LedgerStatements.open",
            """
            select
                min(day) as first_closed_day,
                max(day) as last_closed_day,
                (
                    select min(first_day)
                    from (
                        select (min(quarter_at) at time zone $3)::date as first_day
                        from census.read_entry
                        where app_number = $1
                        \(firsts.joined(separator: "\n            "))
                    ) as entered
                    where first_day <= greatest(
                        $2::date, (select max(day) from census.closed_day where app_number = $1))
                ) as first_entered_day
            from census.closed_day
            where app_number = $1
            """)
    }()

    /// Creates temporary tables for a second count, which last until the transaction ends.
    static let beginCount = Statement(
        "LedgerStatements.beginCount",
        LedgerTable.all.map { table in
            """
            create temporary table \(table.counted) on commit drop as
            select \((["app_number", "day"] + table.cells + table.amounts).joined(separator: ", "))
            from census.\(table.entries)
            with no data;
            """
        }.joined(separator: "\n"))

    static let analyzeCount = Statement(
        "LedgerStatements.analyzeCount", "analyze " + LedgerTable.all.map(\.counted).joined(separator: ", "))

    private static func names(_ tables: [String]) -> String {
        tables.map { "census.\($0)" }.joined(separator: ",\n    ")
    }
}
