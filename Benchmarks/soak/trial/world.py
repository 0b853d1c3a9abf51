"""One round's world: two nodes with spools on one PostgreSQL, the program's commands, and records of disturbances."""

import contextlib
import json
import os
import shutil
import subprocess
import threading
import time

from harness.citus import Citus
from harness.postgres import Postgres
from harness.service import Service, environment
from phones.fleet import APPS, BETA, PHONES, STRANGERS


class Cluster:
    """PostgreSQL for all rounds, and a migrated database with the apps, which is copied for each.

    With workers it is the coordinator of a Citus cluster: there the rounds' database is distributed, and the reference is not.
    """

    BLANK, DISTRIBUTED = "blank", "distributed"

    def __init__(self, program, folder, workers=0):
        self.program, self.folder = program, folder
        os.makedirs(folder)
        os.chmod(folder, 0o777)
        # Nothing here cuts the power, so a killed process's writes survive without fsync, which is faster.
        settings = ["fsync=off", "max_connections=80"]
        self.citus = Citus(folder, workers, settings) if workers else None
        self.postgres = self.citus.coordinator if self.citus else Postgres(folder, settings)
        self.everywhere = self.citus or self.postgres
        """The server on which the rounds' database is created and dropped."""
        self.keys = {}

    def start(self):
        self.everywhere.initialize()
        self.everywhere.start()
        self.postgres.create_database(Cluster.BLANK)

        def run(*words):
            return self._run(Cluster.BLANK, *words)
        run("migrate")
        for app in APPS:
            run("apps", "add", app)
            self.keys[app] = run("keys", "add", "--app", app)
        run("apps", "set", STRANGERS, "--max-kinds", "50", "--max-families", "5")
        if self.citus:
            path = f"{self.folder}/blank.dump"
            self.tool("pg_dump", "-Fc", "-f", path, "-d", self.postgres.url(database=Cluster.BLANK)).check_returncode()
            self.restore(path, Cluster.DISTRIBUTED).check_returncode()

    def stop(self):
        self.everywhere.stop()

    def make(self, name):
        """Creates an empty database for a round."""
        is_distributed = self.citus and name == World.DATABASE
        where, template = (self.citus, Cluster.DISTRIBUTED) if is_distributed else (self.postgres, Cluster.BLANK)
        where.drop_database(name)
        where.create_database(name, template)

    def restore(self, path, name):
        """Restores a dump into a new database, and distributes it again.

        - Returns: pg_restore, completed.
        """
        self.everywhere.drop_database(name)
        self.everywhere.create_database(name)
        if self.citus:
            self.citus.connect(name)
        outcome = self.tool("pg_restore", "-d", self.postgres.url(database=name), "--exit-on-error", path)
        if self.citus and outcome.returncode == 0:
            self._run(name, "migrate", "--distributed")
        return outcome

    def tool(self, program, *words):
        return subprocess.run([f"{self.postgres.bin}/{program}", *words], capture_output=True, text=True)

    def _run(self, name, *words):
        outcome = subprocess.run([self.program, *words], env=environment(self.postgres.url(database=name)),
                                 capture_output=True, text=True)
        if outcome.returncode != 0:
            raise RuntimeError(f"`{' '.join(words)}` ended with {outcome.returncode}: {outcome.stderr[-1500:]}")
        return outcome.stdout.strip()


class World:
    DATABASE, REFERENCE = "census", "reference"

    def __init__(self, cluster, folder, findings):
        self.cluster, self.postgres, self.program, self.folder = cluster, cluster.postgres, cluster.program, folder
        self.citus = cluster.citus
        self.findings = findings
        os.makedirs(folder, exist_ok=True)
        self.keys = dict(cluster.keys)
        servers = cluster.citus.nodes if cluster.citus else [cluster.postgres]
        self.log_begins = [(server, len(server.log)) for server in servers]
        self.nodes = []
        # A disturbance of PostgreSQL excuses failures meanwhile.
        self._lock, self._disturbing, self._disturbed_at = threading.Lock(), 0, 0.0
        # Seconds. A cluster also has to finish half-committed transactions.
        self.recovery = 8 if self.citus else 3
        self.nights = threading.RLock()
        self.settings, self.marks = {}, {}
        self.kept_days = None
        self.windows = []
        """(app, days) of all windows that were ever set."""

    def begin(self, nodes=("first", "second")):
        for database in (World.DATABASE, World.REFERENCE):
            self.cluster.make(database)
        # Lists of betas are not believed, because they can have removed widgets.
        self.settings[PHONES, "--doubt-builds"] = BETA
        self.command("apps", "set", PHONES, "--doubt-builds", BETA)
        for name in nodes:
            spool = f"{self.folder}/spool-{name}"
            node = Service(self.program, self.postgres.url(), self.folder, name, CENSUS_SPOOL_DIR=spool,
                           CENSUS_LOG_LEVEL="notice")
            self.nodes.append(node)
            self.start(node)

    def end(self):
        for node in self.nodes:
            if node.is_running:
                node.process.send_signal(18)
            node.kill()

    # Disturbances.

    @contextlib.contextmanager
    def disturbance(self):
        with self._lock:
            self._disturbing += 1
        try:
            yield
        finally:
            with self._lock:
                self._disturbing -= 1
                self._disturbed_at = time.monotonic()

    def was_disturbed(self, since):
        """Whether PostgreSQL was disturbed at some time since then, or a moment before."""
        with self._lock:
            return self._disturbing > 0 or self._disturbed_at > since - self.recovery

    def wait_recovered(self):
        while self.was_disturbed(time.monotonic()):
            time.sleep(0.1)

    # Nodes.

    def start(self, node, limit=60):
        """Starts a node; repeats that while PostgreSQL is away, because a node that starts then exits with 3."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            if not node.is_running:
                node.spawn()
            if node.ready(max(deadline - time.monotonic(), 1)) is not None:
                return
            if node.is_running:
                break
            if node.process.returncode not in (3, -9):
                break
            time.sleep(0.2)
        self.findings.add("node", f"a node did not get ready within {limit} s (exit {node.process.poll()}): {node.log[-600:]}")

    def _stop(self, nodes, reason):
        for node in nodes:
            status, _ = node.terminate(60)
            if status not in (0, 3):
                self.findings.add("node", f"SIGTERM before {reason} ended a node with {status}: {node.log[-600:]}")

    @contextlib.contextmanager
    def without_writers(self):
        """Stops the nodes on a cluster, because there is no snapshot over all workers. Comparing or dumping tables needs tables that
        nobody changes. On one PostgreSQL the nodes go on."""
        stopped = self.nodes if self.citus else []
        self._stop(stopped, "a count")
        try:
            yield
        finally:
            for node in stopped:
                self.start(node)

    # Commands.

    def watch(self, process, what, limit=300):
        """Waits for a process. One that takes too long is killed, and is a finding that shows PostgreSQL's activity.

        - Returns: its exit status.
        """
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            self.findings.add("stuck", f"`{what}` has not ended after {limit} s:\n{self.activity()}")
            process.kill()
            return process.wait()

    def activity(self):
        try:
            rows = self.postgres.sql("""
                select pid, state, wait_event_type, wait_event, round(extract(epoch from now() - xact_start)) as age,
                    pg_blocking_pids(pid) as blocked_by, left(regexp_replace(query, '\\s+', ' ', 'g'), 160)
                from pg_stat_activity where datname = 'census' and pid <> pg_backend_pid() order by xact_start""")
        except RuntimeError as error:
            return str(error)
        return "\n".join("    " + " | ".join(row) for row in rows)

    def spawn(self, *words, database=DATABASE, log="commands.log"):
        output = open(f"{self.folder}/{log}", "ab")
        output.write(f"\n$ widget-census {' '.join(words)}\n".encode())
        output.flush()
        return subprocess.Popen([self.program, *words], env=environment(self.postgres.url(database=database)),
                                stdin=subprocess.DEVNULL, stdout=output, stderr=output)

    def run(self, *words, database=DATABASE, input=None, limit=300):
        """- Returns: the completed process; its output is also in the log."""
        process = subprocess.Popen([self.program, *words], env=environment(self.postgres.url(database=database)), text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, errors = process.communicate(input, limit)
        except subprocess.TimeoutExpired:
            self.findings.add("stuck", f"`{' '.join(words)}` has not ended after {limit} s:\n{self.activity()}")
            process.kill()
            output, errors = process.communicate()
        outcome = subprocess.CompletedProcess(words, process.returncode, output, errors)
        with open(f"{self.folder}/commands.log", "a") as log:
            log.write(f"\n$ widget-census {' '.join(words)}   [{database}, {outcome.returncode}]\n{outcome.stdout}{outcome.stderr}")
        return outcome

    def decide(self, app, kind, lifecycle, **options):
        """- lifecycle: legacy or reopen."""
        words = ("mark", kind, "--legacy") if lifecycle == "legacy" else ("reopen", kind)
        return self.command("kinds", *words, "--app", app, **options)

    def command(self, *words, database=DATABASE, input=None, allowed=(0,)):
        """Runs a command until it succeeds; repeats it while it exits with 3 (the store is away) and PostgreSQL is disturbed."""
        deadline = time.monotonic() + 60
        while True:
            begun = time.monotonic()
            outcome = self.run(*words, database=database, input=input)
            if outcome.returncode in allowed:
                return outcome
            if outcome.returncode != 3 or not self.was_disturbed(begun) or begun > deadline:
                self.findings.add("command", f"`{' '.join(words)}` ended with {outcome.returncode}: "
                                  + (outcome.stdout + outcome.stderr)[-1500:])
                return outcome
            time.sleep(0.5)

    def ask(self, text, database=DATABASE, copied=None, limit=60):
        """Runs SQL; repeats it while PostgreSQL is away."""
        deadline = time.monotonic() + limit
        while True:
            try:
                return self.postgres.sql(text, database, copied)
            except RuntimeError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.3)

    # Spools.

    def spooled(self):
        """How many batches wait on the nodes' disks; None if a node does not answer."""
        waiting = 0
        for node in self.nodes:
            answer, text = node.get("/readyz")
            if answer.status != 200:
                return None
            spool = json.loads(text).get("spool", {})
            waiting += spool.get("batches", 0)
        return waiting

    # A backup, and its restore.

    def backup(self):
        """- Returns: its file; None if PostgreSQL went away meanwhile."""
        path = f"{self.folder}/backup.dump"
        with self.nights if self.citus else contextlib.nullcontext(), self.without_writers():
            outcome = self.cluster.tool("pg_dump", "-Fc", "-Z1", "-f", path + ".part", "-d", self.postgres.url())
        if outcome.returncode != 0:
            return None
        shutil.move(path + ".part", path)
        return path

    def restore(self, path):
        """Restores as in the runbook: stops the nodes, replaces the database by the backup, starts the nodes. The caller imports the
        batches that arrived since then."""
        self._stop(self.nodes, "a restore")
        outcome = self.cluster.restore(path, World.DATABASE)
        if outcome.returncode != 0:
            self.findings.add("harness", f"pg_restore: {outcome.stderr[-800:]}")


class Findings:
    """Violations; any thread can add one."""

    def __init__(self, show=print):
        self.all, self.counts, self.lock, self.show = [], {}, threading.Lock(), show
        self.excused = {}

    def add(self, subject, text):
        with self.lock:
            self.counts[subject] = self.counts.get(subject, 0) + 1
            # Ten of a kind are as informative as a thousand.
            if self.counts[subject] <= 10:
                self.all.append((subject, text))
                self.show(f"FINDING {subject}: {text}")
