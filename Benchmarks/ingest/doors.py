"""Servers that take events on loopback, and the loads to measure them."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(f"{HERE}/../faults")
from harness.program import processor_time  # noqa: E402

LOADS = (("GET /livez", 0, "/livez"), ("one report", 1, "/v1/events"), ("50 reports", 50, "/v1/events"))
OURS = ("CENSUS_PROGRAM", "DATABASE_URL", "PGHOST", "PGHOSTADDR", "PGDATABASE", "PGSERVICE")


class Door:
    """A server under load: it has a process, port, log and an environment with the KEY."""

    def load(self, events, path, seconds):
        """- Returns: requests a second, and CPU microseconds per request."""
        before = processor_time(self.process.pid)
        out = subprocess.run(
            ["wrk", "-t2", "-c64", f"-d{seconds}s", "-s", f"{HERE}/load.lua", f"http://127.0.0.1:{self.port}{path}"],
            env={**self.environment, "EVENTS": str(events)}, check=True, text=True, stdout=subprocess.PIPE).stdout
        used = processor_time(self.process.pid) - before
        result = next(line for line in out.splitlines() if line.startswith("RESULT")).split()
        if int(result[3]):
            raise SystemExit(f"{result[3]} requests failed; see {self.log.name}")
        return float(result[1]), used / int(result[2]) * 1e6


class Program(Door):
    """Our program, on a private PostgreSQL."""

    def __init__(self, path, port):
        self.path, self.port = path, port
        self.folder = tempfile.mkdtemp(prefix="widget-census-compare-")
        os.chmod(self.folder, 0o711)
        self.environment = {name: value for name, value in os.environ.items() if name not in OURS}
        self.environment["CENSUS_DATA_DIR"] = f"{self.folder}/data"
        # One key sends everything.
        self.environment |= {f"CENSUS_RATE_{name}": "0" for name in ("REQUESTS", "EVENTS", "KIB")}

    def start(self):
        self.log = open(f"{self.folder}/log", "w+")
        self.process = subprocess.Popen(
            [self.path, "serve", "--port", str(self.port)], env=self.environment, stdout=self.log, stderr=self.log)

    def begin(self):
        self.start()
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
            if self.process.poll() is None and time.monotonic() < deadline:
                continue
            said = open(self.log.name).read()
            # An older program does not know every setting.
            unknown = [name for name in self.environment if f"unknown variable {name} " in said]
            if not unknown:
                raise SystemExit(f"{self.path} does not listen:\n{said}")
            del self.environment[unknown[0]]
            self.start()
        self.run("apps", "add", "com.example.benchmark")
        self.environment |= {"KEY": self.run("keys", "add", "--app", "com.example.benchmark").strip()}

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], env=self.environment, check=True, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
