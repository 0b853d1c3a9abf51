internal import Postgres

/// A schema whose tables of device data are distributed over the workers of a Citus cluster.
///
/// Everything else stays on the coordinator: the ledger and its queues, aggregates, and lookups that no worker needs
/// (docs/guides/scale.md).
package struct Distribution: Hashable, Sendable, Decodable {
    package var workers: Int
    /// How many parts each table is split into.
    package var shards: Int
}

extension Deployment {
    /// How the database is distributed; nil if it is a single PostgreSQL.
    package func distribution() async throws(StoreError) -> Distribution? {
        guard try await isDistributed() else { return nil }
        return try await database.rows(Distribution.counts, as: Distribution.self).first
    }

    package func isDistributed() async throws(StoreError) -> Bool {
        try await database.value(SQL.Deployment.isDistributed, as: Bool.self) == true
    }

    /// How many workers wait for `migrate --distributed`, where nothing is distributed yet.
    func idleWorkers() async throws(StoreError) -> Int {
        try await StoreError.wrapping { try await database.nodes()?.workers ?? 0 }
    }

    /// Covers only workers that answer in time; `status` and `/readyz` name the others.
    func unsafeSettingsOfWorkers() async -> [UnsafeSetting] {
        (try? await database.rows(Distribution.unsafeSettings, deadline: .seconds(2))) ?? []
    }

    /// Asks every worker that holds devices. A batch has many devices, so it needs all workers.
    ///
    /// - Throws: ``StoreError`` with fault `away` if one is down. Doesn't return while one hangs.
    package func requireWorkers() async throws(StoreError) {
        _ = try await StoreError.wrapping { try await database.query(Distribution.probe) }
    }

    /// Asks each worker separately, so that an error names those that don't answer, and says why one rejects the coordinator.
    func requireAnswers() async throws(StoreError) {
        let absent = try await absentWorkers()
        guard !absent.isEmpty else { return }
        var reason = StoreError(absentWorkers: absent)
        do throws(StoreError) {
            try await database.run(Distribution.probe, deadline: .seconds(1))
        } catch {
            if error.takesPerson { reason = error }
        }
        throw reason
    }

    /// The workers of a cluster that hold devices and don't answer in time, by host and port.
    func absentWorkers(within limit: Duration = .seconds(2)) async throws(StoreError) -> [String] {
        struct Address: Decodable { var host: String, port: Int32 }
        let workers = try await database.rows(Distribution.addresses, as: Address.self)
        return await withTaskGroup(of: String?.self) { group in
            for worker in workers {
                group.addTask {
                    let answers = try? await database.value(
                        Distribution.answers, [worker.host, worker.port], as: Bool.self, deadline: limit)
                    return answers == true ? nil : "\(worker.host):\(worker.port)"
                }
            }
            return await group.reduce(into: []) { absent, worker in absent += worker.map { [$0] } ?? [] }.sorted()
        }
    }

    /// The lock tables of the workers that have observations; empty for a single PostgreSQL.
    func locksOfWorkers() async throws(StoreError) -> [LockTable] {
        guard try await isDistributed() else { return [] }
        struct Locks: Decodable { var worker: String, shards: Int, answers: Bool, settings: String }
        var tables: [LockTable] = []
        for locks in try await database.rows(Distribution.locks, as: Locks.self) {
            let settings = locks.settings.split(separator: " ").compactMap { Int($0) }
            guard locks.answers, settings.count == 2 else {
                throw StoreError(.away, "the worker \(locks.worker) does not answer")
            }
            tables.append(
                LockTable(
                    worker: locks.worker, perSession: settings[0], sessions: settings[1], shards: locks.shards))
        }
        return tables
    }
}

extension Store {
    /// The cause of an error if a Citus worker is down. A statement that timed out on a worker doesn't name it.
    ///
    /// Takes at most two seconds.
    package func cause(of error: StoreError) async -> StoreError {
        guard error.isStoreAway, !error.takesPerson, !error.namesWorkers, !Task.isCancelled else { return error }
        let absent = try? await within(.seconds(2)) { store in
            try await store.deployment.isDistributed() ? store.deployment.absentWorkers(within: .seconds(1)) : []
        }
        guard let absent, !absent.isEmpty else { return error }
        return StoreError(absentWorkers: absent)
    }
}

extension StoreError {
    init(absentWorkers workers: [String]) {
        self.init(
            .away,
            "the Citus coordinator answers, but its \(workers.count == 1 ? "worker" : "workers") \(workers.joined(separator: ", ")) "
                + "\(workers.count == 1 ? "does" : "do") not; start \(workers.count == 1 ? "it" : "them"). Until then batches get 503, "
                + "or go to the spool, and reconciling waits. No acknowledged event is lost")
        namesWorkers = true
    }
}

extension Distribution {
    // Not in sql/statements, because a test plans those without Citus.

    /// Counts every worker that can hold shards, whether it answers or not.
    fileprivate static let counts = Statement(
        "Distribution.counts",
        """
        select
            (select count(*) from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards) as workers,
            (select count(*) from pg_dist_shard where logicalrelid = 'census.device'::regclass) as shards
        """)

    fileprivate static let unsafeSettings = Statement(
        "Distribution.unsafeSettings",
        """
        select
            nodename || ':' || nodeport as worker,
            unnest(string_to_array(result, ' ')) as name
        from run_command_on_workers($command$
            select coalesce(string_agg(name, ' ' order by name), '')
            from (
            \(SQL.Deployment.unsafeSettings.text)
            ) as off
            $command$)
        where success
        order by
            worker,
            name
        """)

    fileprivate static let nodes = Statement(
        "Distribution.nodes",
        """
        select
            -- Not citus_is_coordinator(), which returns false while there are no workers.
            (select groupid = 0 from pg_dist_local_group) as is_coordinator,
            (select count(*) from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards) as workers
        """)

    fileprivate static let addresses = Statement(
        "Distribution.addresses",
        "select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards"
    )

    fileprivate static let answers = Statement(
        "Distribution.answers", "select citus_check_connection_to_node($1::text, $2::integer) as answers")

    fileprivate static let locks = Statement(
        "Distribution.locks",
        """
        with asked as (
            select nodename, nodeport, success, result
            from run_command_on_workers($command$
                select current_setting('max_locks_per_transaction') || ' '
                    || (current_setting('max_connections')::bigint + current_setting('max_prepared_transactions')::bigint)
                $command$)
        ),
        held as (
            select node.nodename, node.nodeport, count(*) as shards
            from pg_dist_node as node
            join pg_dist_placement as placement
                on placement.groupid = node.groupid
            join pg_dist_shard as shard
                on shard.shardid = placement.shardid
            where shard.logicalrelid = 'census.observation'::regclass
            group by
                node.nodename,
                node.nodeport
        )
        select
            held.nodename || ':' || held.nodeport as worker,
            held.shards,
            coalesce(asked.success, false) as answers,
            coalesce(asked.result, '') as settings
        from held
        left join asked
            on asked.nodename = held.nodename
            and asked.nodeport = held.nodeport
        order by worker
        """)

    /// The table is nearly always empty, but the query asks each of its shards.
    fileprivate static let probe = Statement("Distribution.probe", "select device_id from census.set_aside limit 1")

    /// Device tables that are not colocated with the others, or not distributed by device.
    fileprivate static let strangers = Statement(
        "Distribution.strangers",
        """
        select pg_class.relname as name
        from pg_class
        join pg_dist_partition
            on pg_dist_partition.logicalrelid = pg_class.oid
        where pg_class.relnamespace = 'census'::regnamespace
            and pg_class.relkind in ('r', 'p')
            and not pg_class.relispartition
            and obj_description(pg_class.oid, 'pg_class') like 'Device%'
            and (
                pg_dist_partition.partmethod <> 'h'
                or column_to_column_name(pg_class.oid, pg_dist_partition.partkey) <> 'device_id'
                or pg_dist_partition.colocationid <> (
                    select colocationid
                    from pg_dist_partition
                    where logicalrelid = 'census.device'::regclass)
            )
        order by pg_class.relname
        """)

    fileprivate static let distribute = Statement(
        "Distribution.distribute",
        "select create_distributed_table($1::regclass, 'device_id', colocate_with => $2) is null as is_done")

    /// Removes local rows from before the distribution, which no statement can see.
    fileprivate static let truncate = Statement(
        "Distribution.truncate",
        """
        select count(truncate_local_data_after_distributing_table(pg_class.oid)) as tables
        from pg_class
        join pg_dist_partition
            on pg_dist_partition.logicalrelid = pg_class.oid
        where pg_class.relkind = 'r'
            and pg_class.relnamespace = 'census'::regnamespace
            and pg_relation_size(pg_class.oid) > 0
        """)
}

extension Transaction {
    /// Distributes the tables of device data that are not distributed yet, and lets analysts read them through the reports.
    ///
    /// - Returns: the names of the tables that were distributed.
    func distribute() async throws -> [String] {
        var names: [String] = []
        for row in try await query(SQL.Distribution.tables) where try !row["is_distributed"] {
            let name: String = try row["name"]
            // Copies all rows, so it can take long.
            try await run(
                Distribution.distribute, ["census.\(name)", name == "device" ? "default" : "census.device"],
                deadline: .seconds(86_400))
            names.append(name)
        }
        try await execute(script: SQL.Distribution.readers)
        return names
    }

    fileprivate func requireDevicesTogether() async throws {
        let strangers = try await rows(Distribution.strangers, as: String.self)
        guard let first = strangers.first else { return }
        throw StoreError(
            .setUp,
            "somebody has distributed \(strangers.joined(separator: ", ")), but not by device together with census.device; "
                + "undo that with `select undistribute_table('census.\(first)')` and run this again")
    }
}

extension Migrator {
    /// Distributes a migrated schema, empty or filled, over the workers of its Citus cluster.
    ///
    /// - Returns: the names of the tables that were distributed now; empty when all were before.
    /// - Throws: ``StoreError`` with fault `setUp` when there is no cluster, or a table is distributed differently.
    package func distribute() async throws(StoreError) -> [String] {
        let names = try await store.database.transaction("Migrator.distribute", retries: 0) { transaction in
            try await transaction.requireCluster()
            do {
                try await transaction.execute(script: SQL.Migrator.begin)
                let names = try await transaction.distribute()
                try await transaction.requireDevicesTogether()
                return names
            } catch let error as PostgresError where error.hasLostConflict {
                throw StoreError(
                    .away,
                    "services or nights are using the tables to distribute, so nothing was changed; "
                        + "stop them and run this again")
            }
        }
        try await store.database.run(Distribution.truncate, deadline: .seconds(3_600))
        return names
    }
}

extension Transaction {
    /// Throws unless this is the coordinator of a cluster with workers.
    func requireCluster() async throws {
        guard let nodes = try await nodes() else {
            let isAvailable = try await value(SQL.Distribution.isAvailable, as: Bool.self)
            throw StoreError(
                .setUp,
                isAvailable == true
                    ? "this database has no extension citus; run `create extension citus` in it, on the coordinator and on "
                        + "each worker, then add the workers with `select citus_add_node(…)`"
                    : "this PostgreSQL has no Citus; install it on the coordinator and on each worker, or leave out "
                        + "--distributed")
        }
        guard nodes.workers > 0 else {
            throw StoreError(
                .setUp,
                "this Citus cluster has no worker; set the address at which workers reach this server with "
                    + "`select citus_set_coordinator_host('host', port)`, then add them with `select citus_add_node('host', port)`"
            )
        }
    }

    /// Throws on the worker of a cluster, which has only part of the data.
    func requireNoWorker() async throws {
        guard try await nodes()?.isCoordinator == false else { return }
        throw StoreError(.setUp, "this is a worker of a Citus cluster; connect to its coordinator")
    }
}

extension Querying {
    /// - Returns: nil without Citus.
    fileprivate func nodes() async throws -> Nodes? {
        guard try await value(SQL.Distribution.isThere) == true else {
            return nil
        }
        return try await rows(Distribution.nodes, as: Nodes.self).first
    }
}

private struct Nodes: Decodable {
    var isCoordinator: Bool
    var workers: Int
}
