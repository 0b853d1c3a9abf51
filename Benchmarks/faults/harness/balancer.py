"""HAProxy in front of the nodes, with the configuration file that operators get."""

import csv
import io
import os
import re
import shutil
import socket
import subprocess
import time

from .service import accepts, free_port
from .verdict import Skipped

FILE = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../../deploy/haproxy.cfg"))
READY, ALIVE = "widget_census", "widget_census_alive"


def find():
    """- Returns: HAProxy's path."""
    path = shutil.which("haproxy", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if path is None:
        raise Skipped("haproxy is not installed: scripts/setup haproxy")
    return path


class Balancer:
    def __init__(self, folder, nodes):
        """`nodes`: their ports, by their names in the file."""
        self.program, self.folder, self.nodes, self.port = find(), folder, nodes, free_port()
        self.socket = folder + "/balancer.sock"
        self.files = [folder + "/balancer-global.cfg", folder + "/balancer.cfg"]
        self.process = None

    def start(self):
        """Checks the unchanged file, and starts HAProxy with our addresses."""
        with open(self.files[0], "w") as file:
            # The system's own configuration would have these settings.
            file.write(f"global\n    log stderr format raw daemon\n    stats socket {self.socket} mode 600 level admin\n")
        with open(self.files[1], "w") as file:
            file.write(self._configuration())
        self._check(self.files[0], FILE)
        with open(self.folder + "/balancer.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "-db", "-f", self.files[0], "-f", self.files[1]], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True)
        deadline = time.monotonic() + 10
        while not (self._answers() and accepts(self.port)):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError("HAProxy does not start; see balancer.log")
            time.sleep(0.02)

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def drain(self, name):
        """Sends the node no new connections; existing ones stay."""
        self._set(name, "drain")

    def take(self, name):
        """Sends the node connections again, as soon as it is ready."""
        self._set(name, "ready")

    def connections(self, name):
        return sum(int(row["scur"]) for row in self._rows() if row["svname"] == name)

    def is_up(self, name, backend=READY):
        """Whether new connections go to the node."""
        return any(row["status"].startswith("UP") for row in self._rows()
                   if row["svname"] == name and row["pxname"] == backend)

    def _set(self, name, state):
        for backend in (READY, ALIVE):
            said = self._ask(f"set server {backend}/{name} state {state}").strip()
            if said:
                raise RuntimeError(f"the balancer does not know {backend}/{name}: {said}")

    def _rows(self):
        return list(csv.DictReader(io.StringIO(self._ask("show stat").removeprefix("# "))))

    def _answers(self):
        """HAProxy creates its own socket after it listens on its ports."""
        try:
            return bool(self._rows())
        except (FileNotFoundError, ConnectionRefusedError):
            return False

    def _ask(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            connection.connect(self.socket)
            connection.sendall(command.encode() + b"\n")
            return b"".join(iter(lambda: connection.recv(65_536), b"")).decode()

    def _configuration(self):
        """The file with only addresses and ports replaced."""
        with open(FILE) as file:
            text = file.read()
        text, binds = re.subn(r"^(\s+bind )\S+", rf"\g<1>127.0.0.1:{self.port}", text, flags=re.MULTILINE)
        servers = 0
        for name, port in self.nodes.items():
            text, found = re.subn(rf"^(\s+server {name} )\S+", rf"\g<1>127.0.0.1:{port}", text, flags=re.MULTILINE)
            servers += found
        if binds != 1 or servers != 2 * len(self.nodes) or servers != len(re.findall(r"^\s+server ", text, re.MULTILINE)):
            raise RuntimeError(f"{FILE} must have the nodes {', '.join(self.nodes)}, and no others")
        return text

    def _check(self, *files):
        outcome = subprocess.run([self.program, "-c", *(word for file in files for word in ("-f", file))],
                                 capture_output=True, text=True)
        # A warning leaves the status at 0.
        if outcome.returncode != 0 or "[WARNING]" in outcome.stderr or "[ALERT]" in outcome.stderr:
            raise RuntimeError(f"haproxy does not accept {FILE}: {outcome.stdout}{outcome.stderr}")
