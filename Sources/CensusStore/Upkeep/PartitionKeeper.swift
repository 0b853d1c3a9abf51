package import CensusCore
package import Logging
internal import Postgres

/// Keeps `observation` partitioned ahead of time: one partition a day.
///
/// Inserts never wait for it: a row whose time is outside all partitions goes to `observation_other`, and a partition that is
/// created later takes its rows from there.
package struct PartitionKeeper: Sendable {
    /// How many days' partitions are created ahead, so that the nightly job can fail for a week.
    package static let daysAhead = 7

    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// How many partitions were created or dropped, or put off.
    package struct Outcome: Hashable, Sendable {
        package var done = 0
        /// Left for the next time, because another session, such as a backup, has held a lock on the table for too long.
        package var putOff = 0

        package init(done: Int = 0, putOff: Int = 0) {
            self.done = done
            self.putOff = putOff
        }
    }

    /// Creates the missing partitions from `first` to `last`, up to the first one for which it would have to wait, and moves
    /// stray rows into them.
    ///
    /// - Parameter progress: called after each partition with the number done and the total.
    @discardableResult
    package func keep(
        from first: Day, through last: Day, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(StoreError) -> Outcome {
        var outcome = Outcome()
        try await StoreError.wrapping {
            let missing = try await days(SQL.PartitionKeeper.missing, first, last)
                .union(days(SQL.PartitionKeeper.astray, first, last))
            for day in missing.sorted() {
                // One statement at a time, so that inserts wait for one partition and not for all.
                let isMade = try await PartitionKeeper.withBriefLocks {
                    try await store.database.pool.execute(script: PartitionKeeper.make(day))
                    return true
                }
                guard isMade == true else {
                    outcome.putOff = missing.count - outcome.done
                    break
                }
                outcome.done += 1
                progress(outcome.done, missing.count)
            }
        }
        if outcome.done > 0 {
            logger.info("created partitions", metadata: ["count": "\(outcome.done)", "through": "\(last)"])
        }
        if outcome.putOff > 0 {
            logger.notice(
                "could not create partitions because another session holds a lock on the table; will try again",
                metadata: ["count": "\(outcome.putOff)"])
        }
        return outcome
    }

    private func days(_ statement: Statement, _ first: Day, _ last: Day) async throws -> Set<Day> {
        Set(try await store.database.query(statement, [first, last]).map { try $0["day"] })
    }

    /// Runs a body that takes a lock which inserts would queue behind; each attempt waits at most a tenth of a second for it.
    ///
    /// - Returns: nil if another session held a lock at each attempt.
    static func withBriefLocks<T>(attempts: Int = 6, _ body: () async throws -> T) async throws -> T? {
        for attempt in 1...attempts {
            do {
                return try await body()
            } catch let error as PostgresError
                where error.sqlState == .lockNotAvailable || error.hasLostConflict
            {
                // Each node of a cluster can take the locks in a different order.
                guard attempt < attempts else { break }
            }
            try await Task.sleep(for: .milliseconds(500))
        }
        return nil
    }

    /// Sessions queued behind us wait as long as we do.
    private static let lockTimeout = "100ms"

    /// Only the day goes into these texts, and it contains only digits.
    private static func name(_ day: Day) -> String {
        "census.observation_\(day.description.filter { $0 != "-" })"
    }

    /// Inserts for the day wait until it is dropped; inserts for other days do not. Take PartitionKeeper.turn first:
    /// otherwise a statement that deletes from all partitions could deadlock with this one.
    static func lock(_ day: Day) -> Statement {
        Statement(
            "PartitionKeeper.lock",
            "set local lock_timeout = '\(lockTimeout)'; \(lock("\(name(day)) in share row exclusive mode"))")
    }

    /// On Citus an insert locks only the parent table on this node and none of its partitions, so inserts for all days wait.
    private static func lock(_ partition: String) -> String {
        """
        do $$
        begin
            if to_regclass('pg_catalog.pg_dist_partition') is null then
                lock table \(partition);
            else
                lock table only census.observation in share row exclusive mode;
            end if;
        end $$;
        """
    }

    static func isThere(_ day: Day) -> Statement {
        Statement("PartitionKeeper.isThere", "select to_regclass('\(name(day))') is not null as is_there")
    }

    static func isEmpty(_ day: Day) -> Statement {
        Statement("PartitionKeeper.isEmpty", "select not exists (select 1 from \(name(day))) as is_empty")
    }

    /// Copies rows of `end` or later, and rows that no base has, into a temporary table: devices that are set aside need them,
    /// but must not keep the whole day. Implausible devices need nothing. Slow work must be done before ``detach(_:)``, which
    /// makes all inserts wait.
    ///
    /// Few rows are needed, so it joins keys and not whole rows. PostgreSQL uses all processors to fill a new table, but only
    /// one to fill an existing table.
    static func takeNeeded(_ day: Day, before end: Day) -> Statement {
        let end = "'\(end) 00:00:00+00'"
        return Statement(
            "PartitionKeeper.takeNeeded",
            """
            -- Enough to join a day with all bases in memory.
            set local work_mem = '32MB';
            create temporary table needed_observation on commit drop as
            select kept.*
            from \(name(day)) as kept
            where (kept.device_id, kept.event_id, kept.occurred_at) in (
                select
                    dropped.device_id,
                    dropped.event_id,
                    dropped.occurred_at
                from \(name(day)) as dropped
                left join census.device_base
                    on device_base.device_id = dropped.device_id
                left join census.set_aside as implausible
                    on implausible.device_id = dropped.device_id
                    and implausible.is_implausible
                where dropped.corrected_at >= \(end)
                    or (
                        implausible.device_id is null
                        and (device_base.folded_through is null or device_base.folded_through < dropped.corrected_at)))
            """)
    }

    /// Whether a device that can be reconciled has an observation from before $1 that is not in its base.
    static let uncovered = Statement(
        "PartitionKeeper.uncovered",
        """
        select exists (
            select 1
            from pg_temp.needed_observation
            where corrected_at < $1
                and device_id not in (select device_id from census.set_aside)
        ) as is_uncovered
        """)

    static func detach(_ day: Day) -> Statement {
        Statement("PartitionKeeper.detach", "alter table census.observation detach partition \(name(day))")
    }

    /// Inserts those rows again; rows that no base has go to the partition for times outside all days.
    static let moveNeeded = Statement(
        "PartitionKeeper.moveNeeded", "insert into census.observation select * from pg_temp.needed_observation")

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
            -- As PartitionKeeper.turn does. Dropping a day can take longer than a lock that inserts wait for.
            lock table census.partitions_lock in exclusive mode;
            set local lock_timeout = '\(lockTimeout)';
            -- Waits for running inserts: a row that they left behind would keep the partition from being attached.
            \(lock("census.observation_other in access exclusive mode"))
            create temporary table moved_observation (like census.observation) on commit drop;
            with moved as (
                delete from census.observation_other
                where occurred_at >= \(from) and occurred_at < \(to)
                returning *
            )
            insert into pg_temp.moved_observation select * from moved;
            create table if not exists \(name) (like census.observation including all);
            do $$
            begin
                if not exists (select 1 from pg_inherits where inhrelid = '\(name)'::regclass) then
                    -- Attach it empty: on Citus its rows would be copied to the workers, and stay here as well.
                    alter table census.observation attach partition \(name) for values from (\(from)) to (\(to));
                    comment on table \(name) is 'Observations of one day, by their time as sent.';
                end if;
            end $$;
            insert into census.observation select * from pg_temp.moved_observation;
            commit;
            """)
    }
}
