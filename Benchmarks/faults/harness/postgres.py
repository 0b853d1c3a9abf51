"""A PostgreSQL that is not the service's private one, on loopback, that can be killed and restarted."""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import time

from .program import processor_time
from .service import free_port


def programs():
    """The folder of the newest server's programs."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if found:
        return found[-1]
    path = shutil.which("postgres")
    if path is None:
        raise SystemExit("Benchmarks/faults/run: there is no PostgreSQL server: run scripts/setup")
    return os.path.dirname(os.path.realpath(path))


def account():
    """Arguments for subprocess to run as another user, because PostgreSQL refuses root; empty if not needed."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam("postgres")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


class Postgres:
    USER, DATABASE = "census", "census"

    def __init__(self, folder, settings=()):
        self.folder, self.data, self.port = folder, folder + "/data", free_port()
        self.bin, self.settings = programs(), list(settings)
        self.process, self.variables = None, {}

    def url(self, port=None, database=DATABASE):
        return f"postgresql://{Postgres.USER}@127.0.0.1:{port or self.port}/{database}?sslmode=disable"

    def initialize(self):
        self._run("initdb", "-D", self.data, "-U", Postgres.USER, "--auth=trust", "--no-sync", "--encoding=UTF8",
                  "--locale=C.UTF-8", "--data-checksums")

    def copy(self, template):
        subprocess.run(["cp", "-a", template.data, self.data], check=True)

    def start(self, limit=60):
        """Starts it and waits until it accepts; tries again while a killed postmaster's children are still there.

        - Returns: how many starts failed.
        """
        deadline, failed = time.monotonic() + limit, 0
        while True:
            self.spawn()
            while self.process.poll() is None:
                if self.accepts():
                    return failed
                if time.monotonic() > deadline:
                    raise RuntimeError(f"PostgreSQL does not accept: {self.log[-2000:]}")
                time.sleep(0.02)
            failed += 1
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL does not start: {self.log[-2000:]}")
            time.sleep(0.2)

    def spawn(self):
        options = ["listen_addresses=127.0.0.1", f"port={self.port}", "unix_socket_directories=", "timezone=UTC",
                   "max_connections=60", "client_connection_check_interval=500ms", "jit=off"] + self.settings
        with open(self.folder + "/postgres.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.bin + "/postgres", "-D", self.data] + [word for option in options for word in ("-c", option)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True,
                env={**os.environ, **self.variables}, **account())

    def accepts(self):
        return subprocess.run(
            [self.bin + "/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-d", "postgres", "-t", "1"]
        ).returncode == 0

    def wait_accepting(self, limit=60):
        deadline = time.monotonic() + limit
        while not self.accepts():
            if time.monotonic() > deadline:
                raise RuntimeError("PostgreSQL does not accept")
            time.sleep(0.01)

    def kill(self):
        """kill -9 of the postmaster only; its children notice by themselves."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Shuts down immediately, and kills any process left in our data folder."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        deadline = time.monotonic() + 10
        while self.children() and time.monotonic() < deadline:
            self._signal_all(signal.SIGQUIT)
            time.sleep(0.05)

    def kill_all(self):
        """kill -9 of all its processes, as if the machine died."""
        # First the one that starts others.
        self.kill()
        self._signal_all(signal.SIGKILL)

    def freeze(self):
        """Stops all its processes, so clients wait for them."""
        self.process.send_signal(signal.SIGSTOP)
        self._signal_all(signal.SIGSTOP)

    def thaw(self):
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number):
        for process in self.children():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def shut_down(self):
        """A smart shutdown, for a template that is copied."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    def children(self):
        """Processes whose working directory is our data folder, as only this server's are."""
        found = []
        for path in glob.glob("/proc/[0-9]*/cwd"):
            try:
                if os.readlink(path) == self.data:
                    found.append(int(path.split("/")[2]))
            except OSError:
                pass
        return found

    def processor_time(self):
        """CPU seconds of its processes, including ended ones."""
        postmaster = self.process.pid
        sessions = [process for process in self.children() if process != postmaster]
        return processor_time(postmaster, with_ended=True) + sum(map(processor_time, sessions))

    def sql(self, text, database=DATABASE, copied=None):
        """Runs a script through psql: rows as lists of texts. `copied`: (table, lines) copied in before, as one session."""
        script = text
        if copied:
            columns, table, lines = copied
            script = f"create temporary table {table} ({columns});\ncopy {table} from stdin;\n"
            script += "".join(lines) + "\\.\n" + text
        outcome = subprocess.run(
            [self.bin + "/psql", "-XqAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", self.url(database=database)],
            input=script, capture_output=True, text=True)
        if outcome.returncode != 0:
            raise RuntimeError(f"psql: {outcome.stderr.strip()}")
        return [line.split("\t") for line in outcome.stdout.splitlines()]

    def create_database(self, name, template=None):
        self.sql(f"create database {name}" + (f" template {template}" if template else ""), database="postgres")
        if template:
            # PostgreSQL 15 copies a sequence without the values that its log runs ahead by: after a crash it would give the
            # same numbers again.
            self.sql("checkpoint", database="postgres")

    def drop_database(self, name):
        self.sql(f"drop database if exists {name} with (force)", database="postgres")

    def rename_database(self, name, other):
        self.sql(f"alter database {name} rename to {other}", database="postgres")

    def number(self, text, database=DATABASE):
        return int(self.sql(text, database)[0][0])

    def _run(self, program, *arguments):
        outcome = subprocess.run([f"{self.bin}/{program}", *arguments], capture_output=True, text=True, cwd="/",
                                 **account())
        if outcome.returncode != 0:
            raise RuntimeError(f"{program}: {outcome.stdout}{outcome.stderr}")

    @property
    def log(self):
        with open(self.folder + "/postgres.log", errors="replace") as file:
            return file.read()
