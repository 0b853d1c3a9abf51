package import CensusCore
package import Logging
internal import Postgres

/// Keeps `observation` partitioned ahead of time: one partition a day.
///
/// An insert never waits for it: a time outside all partitions lands in `observation_other`, and a partition that is made
/// later takes its rows from there.
package struct PartitionKeeper: Sendable {
    /// Days made ahead: a nightly job that fails for a week must not matter.
    package static let daysAhead = 7

    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Makes the partitions that are missing from `first` to `last`.
    ///
    /// - Returns: how many were made.
    @discardableResult
    package func keep(from first: Day, through last: Day) async throws(StoreError) -> Int {
        var made = 0
        do {
            let missing = try await store.query(SQL.`PartitionKeeper.missing`, first, last)
            for row in missing {
                let day = try row.decode(Day.self, at: 0)
                // A statement at a time, so that inserts wait for one partition and not for all.
                try await store.pool.withConnection { connection in
                    try await connection.execute(script: PartitionKeeper.make(day))
                }
                made += 1
            }
        } catch {
            throw StoreError(error)
        }
        if made > 0 { logger.info("made partitions", metadata: ["count": "\(made)", "through": "\(last)"]) }
        return made
    }

    /// Only the day goes into the texts, and a day holds nothing but digits.
    private static func name(_ day: Day) -> String {
        "census.observation_\(day.description.filter { $0 != "-" })"
    }

    /// Inserts for the day wait until it is dropped; those for other days do not. After PartitionKeeper.turn: whoever deletes
    /// from all partitions would wait for this one, and this one for him.
    static func lock(_ day: Day) -> Statement {
        Statement(
            "PartitionKeeper.lock",
            "set local lock_timeout = '5s'; lock table \(name(day)) in share row exclusive mode")
    }

    /// Whether some observation from before $1 is in no base, of a device that can be reconciled.
    static func uncovered(_ day: Day) -> Statement {
        Statement(
            "PartitionKeeper.uncovered",
            """
            select exists (
                select
                from \(name(day)) as dropped
                left join census.device_base
                    on device_base.device_id = dropped.device_id
                where dropped.corrected_at < $1
                    and not exists (
                        select
                        from census.set_aside
                        where set_aside.device_id = dropped.device_id)
                    and (device_base.folded_through is null or device_base.folded_through < dropped.corrected_at)
            ) as is_uncovered
            """)
    }

    static func detach(_ day: Day) -> Statement {
        Statement("PartitionKeeper.detach", "alter table census.observation detach partition \(name(day))")
    }

    /// Puts where it belongs what is from $1 or later.
    static func moveLater(_ day: Day) -> Statement {
        Statement(
            "PartitionKeeper.moveLater",
            "insert into census.observation select * from \(name(day)) where corrected_at >= $1")
    }

    static func drop(_ day: Day) -> Statement {
        Statement("PartitionKeeper.drop", "drop table \(name(day))")
    }

    static func make(_ day: Day) -> Statement {
        let name = name(day)
        let (from, to) = ("'\(day) 00:00:00+00'", "'\(day + 1) 00:00:00+00'")
        return Statement(
            "PartitionKeeper.make",
            """
            begin;
            -- As PartitionKeeper.turn does; a day that is dropped meanwhile may take longer than a lock that inserts wait for.
            select pg_advisory_xact_lock(hashtextextended('widget-census partitions', 0));
            set local lock_timeout = '5s';
            -- Waits for inserts under way: a row of theirs that stayed behind would keep the partition from being attached.
            lock table census.observation_other in access exclusive mode;
            create table if not exists \(name) (like census.observation including all);
            do $$
            begin
                if not exists (select from pg_inherits where inhrelid = '\(name)'::regclass) then
                    with moved as (
                        delete from census.observation_other
                        where occurred_at >= \(from) and occurred_at < \(to)
                        returning *
                    )
                    insert into \(name) select * from moved;
                    alter table census.observation attach partition \(name) for values from (\(from)) to (\(to));
                    comment on table \(name) is 'Observations of one day, by their time as sent.';
                end if;
            end $$;
            commit;
            """)
    }
}
