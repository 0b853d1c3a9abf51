"""A Citus cluster on loopback: a coordinator, and workers that can be killed and restarted."""

import os

from .postgres import Postgres

SETTINGS = [
    "wal_level=logical", "max_prepared_transactions=200", "max_locks_per_transaction=256",
    "max_worker_processes=20",
    # Tests recognise its errors by their source location.
    "log_error_verbosity=verbose",
    # Few shards, because a round creates and drops everything in each.
    "citus.shard_count=4", "citus.max_cached_conns_per_worker=4", "citus.node_conninfo=sslmode=disable",
    # A killed coordinator's half-committed transactions keep their locks until recovery, by default once a minute.
    "citus.recover_2pc_interval=2s",
    # Don't report this cluster to the vendor.
    "citus.enable_statistics_collection=off",
]


class CitusIsMissing(Exception):
    """This PostgreSQL has no Citus; the message says what is missing."""


class Citus:
    """Creates and drops databases on all nodes at once; everything else goes to the coordinator."""

    def __init__(self, folder, workers, settings=(), libraries=()):
        """- settings: override ours.
        - libraries: other libraries for the servers to load, after the one of Citus, which must be first."""
        self.settings = ["shared_preload_libraries=" + ",".join(["citus", *libraries]), *SETTINGS, *settings]
        self.coordinator = Postgres(folder, settings)
        # A statement can need a connection to a worker for each of its shards.
        self.workers = [Postgres(f"{folder}/worker-{number}", [*self.settings, "max_connections=200"])
                        for number in range(1, workers + 1)]

    @property
    def nodes(self):
        return [self.coordinator, *self.workers]

    def initialize(self):
        for node in self.nodes:
            os.makedirs(node.folder, exist_ok=True)
            os.chmod(node.folder, 0o777)
            node.initialize()

    def start(self):
        # With a missing library the server would not start, without saying why.
        self.coordinator.start()
        self._require_extension()
        self.coordinator.stop()
        self.coordinator.settings = self.settings
        for node in self.nodes:
            node.start()

    def stop(self):
        for node in self.nodes:
            # A stopped process handles no other signal.
            node.thaw()
            node.stop()

    def _require_extension(self):
        is_available, libraries = self.coordinator.sql(
            "select exists (select 1 from pg_available_extensions where name = 'citus'), setting from pg_config "
            "where name = 'PKGLIBDIR'", database="postgres")[0]
        if is_available != "t":
            raise CitusIsMissing(f"the PostgreSQL in {self.coordinator.bin} has no extension citus")
        if not os.path.exists(f"{libraries}/citus.so"):
            raise CitusIsMissing(f"the PostgreSQL in {self.coordinator.bin} has the extension citus without its library: "
                                 f"there is no {libraries}/citus.so")

    # Databases.

    def create_database(self, name, template=None):
        """- template: a database on all nodes. Objects keep their ids in a copy, so Citus's metadata is valid there, too."""
        for node in self.nodes:
            if template:
                # Citus's daemon is connected to every database that has Citus; it reconnects only when somebody else connects.
                node.sql(f"alter database {template} allow_connections false; "
                         f"select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '{template}'",
                         database="postgres")
            node.create_database(name, template)

    def drop_database(self, name):
        for node in self.nodes:
            # A half-committed transaction would block the database, and nobody will finish it.
            for (transaction,) in node.sql(f"select gid from pg_prepared_xacts where database = '{name}'", database="postgres"):
                node.sql(f"rollback prepared '{transaction}'", name)
            node.drop_database(name)

    def rename_database(self, name, other):
        for node in self.nodes:
            node.sql(f"select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '{name}'", database="postgres")
            node.rename_database(name, other)
            # It might have been a template.
            node.sql(f"alter database {other} allow_connections true", database="postgres")

    def connect(self, name):
        """Makes one cluster of the empty databases with a name."""
        for node in self.nodes:
            node.sql("create extension citus", name)
        self.coordinator.sql(f"select citus_set_coordinator_host('127.0.0.1', {self.coordinator.port})", name)
        for worker in self.workers:
            self.coordinator.sql(f"select citus_add_node('127.0.0.1', {worker.port})", name)

    # Placement.

    def placements(self, name):
        """- Returns: (shard, worker's port) of one table; the others are co-located with it."""
        return [(int(shard), int(port)) for shard, port in self.coordinator.sql(
            "select shardid, nodeport from pg_dist_shard join pg_dist_placement using (shardid) "
            "join pg_dist_node using (groupid) where logicalrelid = 'census.device'::regclass order by shardid", name)]

    def prepared(self):
        """- Returns: (node's port, transaction) of all prepared transactions that are neither committed nor rolled back."""
        return {(node.port, *row) for node in self.nodes
                for row in node.sql("select gid, database from pg_prepared_xacts", database="postgres")}
