"""Clients that send as the contract says, each on its own thread and connection."""

import http.client
import random
import select
import threading
import time
from dataclasses import dataclass


@dataclass
class Answer:
    begun: float
    took: float
    status: int
    """0 means that the connection was refused, broken, or silent for too long."""
    retry_after: str | None


class Client:
    """One keep-alive connection; any error closes it, and the next request opens another."""

    PATIENCE = 15

    def __init__(self, port):
        self.port = port
        self.connection = None

    def request(self, method, path, body=None, headers={}):
        begun = time.monotonic()
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=Client.PATIENCE)
            self.connection.request(method, path, body, headers)
            response = self.connection.getresponse()
            text = response.read()
            if response.will_close:
                self.close()
            return Answer(begun, time.monotonic() - begun, response.status, response.getheader("Retry-After")), text
        except (OSError, http.client.HTTPException):
            self.close()
            return Answer(begun, time.monotonic() - begun, 0, None), b""

    def post(self, batch, key, now):
        return self.request("POST", "/v1/events", batch.body(now),
                            {"Content-Type": "application/json", "Authorization": "Bearer " + key})

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


class Phone(Client):
    """Checks whether its connection was closed meanwhile, as client libraries do. Reconnects after some requests, so a balancer
    chooses again."""

    def __init__(self, port, lasts):
        super().__init__(port)
        self.lasts, self.requests = lasts, 0

    def request(self, method, path, body=None, headers={}):
        self.requests += 1
        if self.requests % self.lasts == 0 or self.is_closed:
            self.close()
        return super().request(method, path, body, headers)

    @property
    def is_closed(self):
        """Whether the other end has closed the connection; between two requests it sends nothing else."""
        return self.connection is not None and bool(select.select([self.connection.sock], [], [], 0)[0])


class Load:
    """Senders that claim batches, send them, and send unacknowledged ones again."""

    def __init__(self, journal, ports, key, senders=8, pace=0.0, client=Client):
        """`client`: creates a client for a port."""
        self.journal, self.ports, self.key, self.senders, self.pace = journal, ports, key, senders, pace
        self.client = client
        self.answers = []
        self.parked = []
        self.acknowledged = 0
        self.stopping = threading.Event()
        self.threads = []

    def start(self):
        self.threads = [threading.Thread(target=self._run, args=(n,), daemon=True) for n in range(self.senders)]
        for thread in self.threads:
            thread.start()
        return self

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def send(self, client, batch):
        """One recorded attempt; a 202 counts only if it arrived whole."""
        batch.attempts += 1
        answer, _ = client.post(batch, self.key, self.journal.clock())
        batch.statuses.append(answer.status)
        self.answers.append(answer)
        if answer.status == 202:
            if not batch.acknowledged:
                self.acknowledged += len(batch.events)
            batch.acknowledged = True
        return answer.status == 202

    def _run(self, number):
        client, chance = self.client(self.ports[number % len(self.ports)]), random.Random(number)
        while not self.stopping.is_set():
            batch = None
            # Few batches wait at a time, as on a phone, so a long outage does not cause a flood.
            if len(self.parked) > chance.choice([0, 200]):
                try:
                    batch = self.parked.pop(0)
                except IndexError:
                    pass
            batch = batch or self.journal.claim()
            for _ in range(3):
                if self.send(client, batch) or batch.is_abandoned or self.stopping.is_set():
                    break
                # Sooner than Retry-After says, because the fault must meet traffic.
                time.sleep(chance.uniform(0.02, 0.2))
            if not batch.acknowledged and not batch.is_abandoned:
                self.parked.append(batch)
            elif batch.acknowledged and chance.random() < 0.03:
                self.send(client, batch)
            if self.pace:
                time.sleep(self.pace)
        client.close()

    def settle(self, limit):
        """Sends unacknowledged batches until they are acknowledged.

        - Returns: how many batches still are not.
        """
        waiting = [batch for batch in self.journal.batches if not batch.acknowledged and not batch.is_abandoned]
        deadline, lock = time.monotonic() + limit, threading.Lock()

        def work(number):
            client = self.client(self.ports[number % len(self.ports)])
            while True:
                with lock:
                    if not waiting:
                        break
                    batch = waiting.pop()
                while not self.send(client, batch) and time.monotonic() < deadline:
                    time.sleep(0.1)
            client.close()

        threads = [threading.Thread(target=work, args=(n,), daemon=True) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(1 for batch in self.journal.batches if not batch.acknowledged and not batch.is_abandoned)

    def first_acknowledged(self, since, limit):
        """Seconds from `since` to the end of the first later request that got 202; None past the limit."""
        seen = len(self.answers)
        while seen and self.answers[seen - 1].begun > since - Client.PATIENCE:
            seen -= 1
        while time.monotonic() < since + limit + Client.PATIENCE:
            found = [a.begun + a.took for a in self.answers[seen:] if a.status == 202 and a.begun >= since]
            if found:
                return min(found) - since
            time.sleep(0.01)
        return None
