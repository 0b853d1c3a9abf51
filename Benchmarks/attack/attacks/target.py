"""The service under attack: its private PostgreSQL, an app and its key."""

import os
import re
import subprocess

from harness.postgres import programs
from harness.service import Service

APP = "com.example.attack"
# The highest cap of an app.
CAP = "100000"


class Target:
    def __init__(self, program, folder, **variables):
        self.program, self.folder, self.key, self.keys = program, folder, None, {}
        self.data = folder + "/data"
        self.service = Service(program, None, folder, CENSUS_DATA_DIR=self.data, **variables)

    def start(self):
        if self.service.start() is None:
            raise RuntimeError(f"the service does not start: {self.service.log[-2000:]}")
        self.run("apps", "add", APP)
        # Refusals for too many names would hide other refusals.
        self.run("apps", "set", APP, "--max-kinds", CAP, "--max-families", CAP)
        self.key = self.run("keys", "add", "--app", APP)
        self.keys = {role: self.run("keys", "add", "--app", APP, "--role", role) for role in ("read", "release", "manage")}

    def stop(self):
        if self.service.is_running:
            self.service.terminate()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.service.port}"

    def run(self, *words):
        return subprocess.run([self.program, *words], env=self.service.environment, check=True, capture_output=True,
                              text=True).stdout.strip()

    def sql(self, text):
        """- Returns: rows as lists of texts."""
        outcome = subprocess.run(
            [programs() + "/psql", "-XqAt", "-F", "\t", "-h", self.data + "/run", "-U", "census", "-d", "census"],
            input=text, capture_output=True, text=True, check=True)
        return [line.split("\t") for line in outcome.stdout.splitlines()]

    def answered(self):
        """The number of answers so far, by (route, status), as the service counts them."""
        _, text = self.service.get("/metrics")
        pattern = rb'widget_census_http_requests_total\{route="(\w+)",status="(\w+)"\} (\d+)'
        return {(route.decode(), status.decode()): int(count) for route, status, count in re.findall(pattern, text)}

    def database_errors(self):
        with open(self.data + "/postgres.log", errors="replace") as file:
            return [line.rstrip() for line in file if re.search(r"\b(ERROR|FATAL|PANIC):", line)]


def politely(command, folder, **more):
    """Starts an attacker."""
    return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, preexec_fn=lambda: os.nice(19),
                            start_new_session=True, **more)
