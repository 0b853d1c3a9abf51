/// The columns of a table of the ledger, and the statements that follow from them, which
/// `Tests/CensusStoreTests/Ledger/statements.sql` shows as they are sent.
struct LedgerColumns {
    let table: String
    let entries: String
    /// What is counted apart, without the day.
    let cells: [String]
    let amounts: [String]
    /// A generated column that represents the cells in the key (decision 16).
    let hash: String?
    /// Amounts whose number at the first closing of the day is kept, too.
    let firstKnown: [String]

    private var key: [String] { hash.map { [$0] } ?? cells }
    private var kept: [String] { firstKnown.map(Self.kept) }
    private static func kept(_ amount: String) -> String { amount + "_first_known" }
}

// MARK: Statements

extension LedgerColumns {
    /// - Parameter target: the queue, or a table with the same columns.
    func enter(into target: String) -> String {
        """
        copy \(target) (
            \(list(["app_number", "day"] + cells + amounts, indent: 4))
        ) from stdin (format binary)
        """
    }

    /// Rows of zeros stay if they have first known numbers; the days after them need no row.
    var extend: String {
        """
        -- Begins the new days $3 of app $1 with the levels of \(table) at the end of day $2, the day before them.
        insert into census.\(table) (
            \(list(["app_number", "day"] + cells + amounts + kept, indent: 4)))
        select
            $1,
            listed.day,
            \(list((cells + amounts + firstKnown).map { "\(table).\($0)" }, indent: 4))
        from census.\(table)
        cross join unnest($3::date[]) as listed (day)
        where \(table).app_number = $1
            and \(table).day = $2
            and (\(any(amounts) { "\(table).\($0) <> 0" }))
        """
    }

    /// Changes every closed day from the first net change on by the running sum.
    ///
    /// The join with the table is needed although the conflict finds the same rows, because PostgreSQL checks constraints on
    /// the row to be inserted before it looks for a conflict.
    var applyLevel: String {
        """
        -- Takes the net changes of \(table) of app $1 up to day $2 from the queue and adds their running sum to every closed day
        -- from the first of them on. Days $3 are closed for the first time.
        -- Returns the days that changed, one row per cell.
        with
        \(taken),
        touched as (
            \(touched)
        ),
        running as (
            select
                closed_day.day,
                \(list(key.map { "touched.\($0)" } + amounts.map { "(sum(net.\($0)) over so_far)::bigint as \($0)" }))
            from touched
            join census.closed_day
                on closed_day.app_number = $1
                and closed_day.day >= touched.first_day
            left join net
                on net.day = closed_day.day
                and \(all(key) { "net.\($0) = touched.\($0)" })
            window so_far as (
                partition by \(list(key.map { "touched.\($0)" }, indent: 12))
                order by closed_day.day)
        ),
        restated as (
            select
                running.day,
                \(list(
                    cells.map { "\(hash == nil ? "running" : "touched").\($0)" }
                        + amounts.map { "coalesce(\(table).\($0), 0) + running.\($0) as \($0)" }
                        + kept.map { "\(table).\($0)" }))
            from running
            \(hash == nil ? "" : "join touched\n        on \(all(key) { "touched.\($0) = running.\($0)" })\n    ")\
        left join census.\(table)
                on \(table).app_number = $1
                and \(table).day = running.day
                and \(all(key) { "\(table).\($0) = running.\($0)" })
            where \(any(amounts) { "running.\($0) <> 0" })
        )
        insert into census.\(table) (
            \(list(["app_number", "day"] + cells + amounts + kept, indent: 4)))
        select
            $1,
            day,
            \(list(
                cells + amounts
                    + firstKnown.map { "case when day = any($3::date[]) then \($0) else coalesce(\(Self.kept($0)), 0) end" },
                indent: 4))
        from restated
        on conflict (\((["app_number", "day"] + key).joined(separator: ", "))) do update set
            \(list((amounts + kept).map { "\($0) = excluded.\($0)" }, indent: 4))
        returning \(table).day
        """
    }

    var applyFlow: String {
        """
        -- Takes the net changes of \(table) of app $1 up to day $2 from the queue and adds them to their days.
        -- Returns the days that changed, one row per cell.
        with
        \(taken)
        insert into census.\(table) (
            \(list(["app_number", "day"] + cells + amounts, indent: 4)))
        select
            $1,
            net.day,
            \(list(
                cells.map { "net.\($0)" } + amounts.map { "coalesce(\(table).\($0), 0) + net.\($0)" }, indent: 4))
        from net
        left join census.\(table)
            on \(table).app_number = $1
            and \(table).day = net.day
            and \(all(key, indent: 4) { "\(table).\($0) = net.\($0)" })
        where \(any(amounts, indent: 0) { "net.\($0) <> 0" })
        on conflict (\((["app_number", "day"] + key).joined(separator: ", "))) do update set
            \(list(amounts.map { "\($0) = excluded.\($0)" }, indent: 4))
        returning \(table).day
        """
    }

    /// Rows of zeros stay if they have first known numbers.
    var sweep: String {
        """
        -- Deletes the rows of \(table) of app $1 since day $2 that have only zeros.
        delete from census.\(table)
        where app_number = $1
            and day >= $2
            and \(all(amounts + kept, indent: 4) { "\($0) = 0" })
        """
    }

    /// The table's net changes, taken from the queue, and their sums.
    private var taken: String {
        """
        taken as (
            delete from census.\(entries)
            where app_number = $1
                and day <= $2
            returning
                day,
                \(list((hash.map { [$0] } ?? []) + cells + amounts))
        ),
        net as (
            select
                day,
                \(list(key + amounts.map { "sum(\($0))::bigint as \($0)" }))
            from taken
            group by
                day,
                \(list(key))
        )
        """
    }

    /// The first day on which each cell changes. Comparing hashes is cheaper than comparing names.
    private var touched: String {
        guard let hash else {
            return """
                select
                        \(list(cells)),
                        min(day) as first_day
                    from net
                    group by
                        \(list(cells))
                """
        }
        return """
            select distinct on (\(hash))
                    \(list([hash] + cells)),
                    day as first_day
                from taken
                order by
                    \(hash),
                    day
            """
    }
}

// MARK: Comparing

extension LedgerColumns {
    /// Compares a level with the net changes in the table `counted`, both including the changes still in the queue.
    func compareLevel(with counted: String) -> String {
        """
        -- Compares \(table) of app $1 on the closed days $2 with the sums of \(counted).
        -- Returns at most five differing cells per day, with the numbers of both in the order of the columns.
        with
        -- Where either changes, by the positions of days in $2.
        changed as (
            select
                width_bucket(day - 1, $2::date[]) + 1 as position,
                \(list(cells + amounts.map { "\($0) as counted_\($0)" } + amounts.map { "0 as ledger_\($0)" }))
            from \(counted)
            union all
            select
                width_bucket(day, $2::date[]) + change.later,
                \(list(cells + amounts.map { _ in "0" } + amounts.map { "change.sign * \($0)" }))
            from census.\(table)
            cross join (values (0, 1), (1, -1)) as change (later, sign)
            where app_number = $1
                and day = any($2::date[])
            union all
            select
                width_bucket(day - 1, $2::date[]) + 1,
                \(list(cells + amounts.map { _ in "0" } + amounts))
            from census.\(entries)
            where app_number = $1
        ),
        level as (
            select
                position,
                \(list(cells + both.map { "sum(sum(\($0))) over so_far as \($0)" }))
            from changed
            group by
                position,
                \(list(cells))
            window so_far as (
                partition by \(list(cells, indent: 12))
                order by position)
        ),
        compared as (
            select
                ($2::date[])[position] as day,
                \(written)
            from level
            where position <= cardinality($2::date[])
        )
        \(differences)
        """
    }

    /// Compares a flow with the net changes in the table `counted`, both including the changes still in the queue.
    func compareFlow(with counted: String) -> String {
        """
        -- Compares \(table) of app $1 on the closed days $2 with the sums of \(counted).
        -- Returns at most five differing cells per day, with the numbers of both in the order of the columns.
        with
        told as (
            select
                day,
                \(list(cells + amounts.map { "\($0) as counted_\($0)" } + amounts.map { "0 as ledger_\($0)" }))
            from \(counted)
            union all
            select
                day,
                \(list(cells + amounts.map { _ in "0" } + amounts))
            from census.\(table)
            where app_number = $1
            union all
            select
                day,
                \(list(cells + amounts.map { _ in "0" } + amounts))
            from census.\(entries)
            where app_number = $1
        ),
        flow as (
            select
                day,
                \(list(cells + both.map { "sum(\($0)) as \($0)" }))
            from told
            where day = any($2::date[])
            group by
                day,
                \(list(cells))
        ),
        compared as (
            select
                day,
                \(written)
            from flow
        )
        \(differences)
        """
    }

    /// Rows of days that are not closed: there should be none.
    var strays: String {
        """
        -- The days of app $1 that are not closed but have rows in \(table): at most five, with their number of rows.
        select
            day,
            'rows of a day that is not closed' as cell,
            count(*)::text as ledger,
            '0' as counted
        from census.\(table)
        where app_number = $1
            and day not in (select closed_day.day from census.closed_day where app_number = $1)
        group by day
        order by day
        limit 5
        """
    }

    private var both: [String] { amounts.map { "counted_\($0)" } + amounts.map { "ledger_\($0)" } }

    /// A cell and its numbers as texts.
    private var written: String {
        """
        concat_ws(' ', \(cells.joined(separator: ", "))) as cell,
                concat_ws(
                    ' ',
                    \(list(amounts.map { "ledger_\($0)" }, indent: 12))
                ) as ledger,
                concat_ws(
                    ' ',
                    \(list(amounts.map { "counted_\($0)" }, indent: 12))
                ) as counted
        """
    }

    private var differences: String {
        """
        select
            day,
            cell,
            ledger,
            counted
        from (
            select
                *,
                row_number() over (partition by day order by cell) as number
            from compared
            where ledger <> counted
        ) as wrong
        where number <= 5
        order by
            day,
            number
        """
    }
}

// MARK: Lists of columns

private func list(_ columns: [String], indent: Int = 8) -> String { joined(columns, ",", indent) }

private func all(_ columns: [String], indent: Int = 8, _ test: (String) -> String) -> String {
    columns.map(test).joined(separator: "\n" + String(repeating: " ", count: indent) + "and ")
}

private func any(_ columns: [String], indent: Int = 4, _ test: (String) -> String) -> String {
    columns.map(test).joined(separator: "\n" + String(repeating: " ", count: indent + 4) + "or ")
}

private func joined(_ texts: [String], _ separator: String, _ indent: Int) -> String {
    texts.joined(separator: separator + "\n" + String(repeating: " ", count: indent))
}
