"""A Citus cluster on loopback: a coordinator, and workers that can be killed and come back."""

import os

from .postgres import Postgres

SETTINGS = [
    "wal_level=logical", "max_prepared_transactions=200", "max_locks_per_transaction=256",
    "max_worker_processes=20",
    # Its errors are known by where they were raised.
    "log_error_verbosity=verbose",
    # Few parts: what a round makes and drops, it makes and drops in each.
    "citus.shard_count=4", "citus.max_cached_conns_per_worker=4", "citus.node_conninfo=sslmode=disable",
    # What a killed coordinator left half committed is locked until it looks after it, by default once a minute.
    "citus.recover_2pc_interval=2s",
    # It would tell its makers of this cluster.
    "citus.enable_statistics_collection=off",
]


class CitusIsMissing(Exception):
    """This PostgreSQL has no Citus; the message says what it lacks."""


class Citus:
    """Databases of a name are made and dropped on all nodes at once; whatever else is asked, is asked of the coordinator."""

    def __init__(self, folder, workers, settings=(), libraries=()):
        """- settings: they win over ours.
        - libraries: that the servers load besides; that of Citus must come first."""
        self.settings = ["shared_preload_libraries=" + ",".join(["citus", *libraries]), *SETTINGS, *settings]
        self.coordinator = Postgres(folder, settings)
        # A statement may take a connection to a worker for each of its shards.
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
        # A server that is told to load a library that it lacks would not start, and not say why.
        self.coordinator.start()
        self._require_extension()
        self.coordinator.stop()
        self.coordinator.settings = self.settings
        for node in self.nodes:
            node.start()

    def stop(self):
        for node in self.nodes:
            # One that stands still takes no other signal.
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
        """- template: one on all nodes. Objects keep their numbers in a copy, so what Citus knows of them holds there, too."""
        for node in self.nodes:
            if template:
                # Its daemon is connected to every database that has Citus; it comes back only when somebody else connects.
                node.sql(f"alter database {template} allow_connections false; "
                         f"select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '{template}'",
                         database="postgres")
            node.create_database(name, template)

    def drop_database(self, name):
        for node in self.nodes:
            # What a fault left half committed would hold the database, and nobody comes back for it.
            for (transaction,) in node.sql(f"select gid from pg_prepared_xacts where database = '{name}'", database="postgres"):
                node.sql(f"rollback prepared '{transaction}'", name)
            node.drop_database(name)

    def rename_database(self, name, other):
        for node in self.nodes:
            node.sql(f"select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '{name}'", database="postgres")
            node.rename_database(name, other)
            # It may have been a template.
            node.sql(f"alter database {other} allow_connections true", database="postgres")

    def connect(self, name):
        """Makes one cluster of the databases of a name, which hold nothing."""
        for node in self.nodes:
            node.sql("create extension citus", name)
        self.coordinator.sql(f"select citus_set_coordinator_host('127.0.0.1', {self.coordinator.port})", name)
        for worker in self.workers:
            self.coordinator.sql(f"select citus_add_node('127.0.0.1', {worker.port})", name)

    # What is where.

    def placements(self, name):
        """- Returns: (shard, worker's port) of one table that the others are beside."""
        return [(int(shard), int(port)) for shard, port in self.coordinator.sql(
            "select shardid, nodeport from pg_dist_shard join pg_dist_placement using (shardid) "
            "join pg_dist_node using (groupid) where logicalrelid = 'census.device'::regclass order by shardid", name)]

    def prepared(self):
        """- Returns: (node's port, transaction) of all that are prepared and neither committed nor rolled back."""
        return {(node.port, *row) for node in self.nodes
                for row in node.sql("select gid, database from pg_prepared_xacts", database="postgres")}
