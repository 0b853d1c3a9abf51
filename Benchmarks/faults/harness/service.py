"""The real `widget-census serve`, started, killed and queried as by an operator."""

import os
import signal
import socket
import subprocess
import time

from .journal import SECRET
from .load import Client


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts(port):
    """Whether a process listens there."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def environment(database, **more):
    """Only the variables that find programs and folders. No rate limits, because one key sends everything."""
    variables = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": os.environ.get("HOME", "/tmp"),
                 "CENSUS_RATE_REQUESTS": "0", "CENSUS_RATE_EVENTS": "0", "CENSUS_RATE_KIB": "0",
                 "CENSUS_SECRET": SECRET}
    if database:
        variables["DATABASE_URL"] = database
    return {**variables, **more}


class Service:
    def __init__(self, program, database, folder, name="service", **variables):
        self.program, self.environment = program, environment(database, **variables)
        self.log_path = f"{folder}/{name}.log"
        self.port = free_port()
        self.process = None

    def start(self, ready_within=30):
        """Starts it and waits until it is ready.

        - Returns: the seconds that took; None when it was not ready in time.
        """
        self.spawn()
        return self.ready(ready_within)

    def spawn(self):
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--port", str(self.port)], env=self.environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True)

    def ready(self, limit):
        begun = time.monotonic()
        while time.monotonic() < begun + limit and self.is_running:
            if self.status("/readyz") == 200:
                return time.monotonic() - begun
            time.sleep(0.02)
        return None

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def status(self, path, headers={}):
        return self.get(path, headers)[0].status

    def get(self, path, headers={}):
        client = Client(self.port)
        try:
            return client.request("GET", path, headers=headers)
        finally:
            client.close()

    def kill(self):
        if self.is_running:
            self.process.kill()
        if self.process is not None:
            self.process.wait()

    def terminate(self, limit=30):
        """SIGTERM.

        - Returns: exit status and seconds; the status is None when it had to be killed.
        """
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.kill()
            status = None
        return status, time.monotonic() - begun

    def resident(self):
        """MiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return 0.0

    @property
    def log(self):
        with open(self.log_path, errors="replace") as file:
            return file.read()
