"""A proxy between the service and PostgreSQL that can misbehave."""

import random
import re
import select
import socket
import struct
import threading
import time

# The name of the prepared statement that stores events; it can be a transaction by itself.
APPEND = re.compile(rb"P....(s\d+)\0[^\0]*insert into census\.observation", re.DOTALL)


class Proxy:
    """On loopback. `mode`: forward, stall (a black hole that reads and closes nothing) or refuse."""

    def __init__(self, target_port, seed=1):
        self.target_port = target_port
        self.random = random.Random(seed)
        self.mode = "forward"
        self.budget = None
        """Resets a connection after this many more bytes in either direction; None means never."""
        self.cuts = 0
        self.commits = 0
        """Swallows this many more COMMITs or statements that store events, and passes nothing on their connections from then on."""
        self.appends = {}
        self.lock = threading.Lock()
        self.pairs, self.silent = set(), set()
        self.is_stopped = False
        self.listener = None
        self.port = 0
        self._listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_after(self, count):
        with self.lock:
            self.budget = count

    def refuse(self):
        """Refuses new connections and resets existing ones."""
        self.mode = "refuse"
        self.listener.close()
        self.reset_all()

    def forward(self):
        self.mode = "forward"
        if self.listener.fileno() < 0:
            self._listen()

    def stall(self):
        self.mode = "stall"

    def silence(self):
        """Existing connections pass nothing any more and are never closed; new ones work."""
        self.silent = set(self.pairs)

    def reset_all(self):
        for pair in list(self.pairs):
            self._reset(pair)

    def stop(self):
        self.is_stopped = True
        self.listener.close()
        self.reset_all()

    def _listen(self):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(64)
        listener.settimeout(0.1)
        self.port = listener.getsockname()[1]
        self.listener = listener

    def _accept(self):
        while not self.is_stopped:
            try:
                client, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target_port))
            except TimeoutError:
                continue
            except OSError:
                time.sleep(0.02)
                continue
            pair = (client, server)
            self.pairs.add(pair)
            threading.Thread(target=self._pass, args=(pair,), daemon=True).start()

    def _pass(self, pair):
        try:
            while not self.is_stopped:
                if self.mode == "stall" or pair in self.silent:
                    time.sleep(0.02)
                    continue
                ready, _, _ = select.select(pair, (), (), 0.1)
                for source in ready if self.mode != "stall" and pair not in self.silent else ():
                    data = source.recv(65_536)
                    if not data:
                        return
                    if source is pair[0] and self._swallows(pair, data):
                        self.silent.add(pair)
                        break
                    allowed = self._spend(len(data))
                    (pair[1] if source is pair[0] else pair[0]).sendall(data[:allowed])
                    if allowed < len(data):
                        return
        except (OSError, ValueError):
            pass
        finally:
            self._reset(pair)

    def _swallows(self, pair, data):
        names = self.appends.setdefault(pair, set())
        if found := APPEND.search(data):
            names.add(found[1])
            return False
        if b"commit\0" not in data and not any(b"\0" + name + b"\0" in data for name in names):
            return False
        with self.lock:
            self.commits -= 1
            return self.commits >= 0

    def _spend(self, count):
        """- Returns: how many of the bytes to pass; if fewer than all, reset the connection."""
        with self.lock:
            if self.budget is None:
                return count
            if count < self.budget:
                self.budget -= count
                return count
            allowed, self.budget = self.budget - 1 if self.budget > 0 else 0, None
            self.cuts += 1
            return min(allowed, count - 1)

    def _reset(self, pair):
        self.pairs.discard(pair)
        for end in pair:
            try:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.close()
            except OSError:
                pass
