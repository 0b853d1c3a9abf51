"""One row's world: a PostgreSQL, services on it, clients, and the checks at the end."""

import json
import math
import os
import time

from .journal import APP, Journal
from .load import Client, Load
from .postgres import Postgres
from .service import Service
from .verdict import Verdict


class World:
    COLUMNS = ("batch integer, acknowledged boolean, event_id text, occurred_at timestamptz, device_id uuid, "
               "installation_id uuid, type text, content text")

    def __init__(self, row, folder, setting):
        """`setting`: the program, the template and its key, whether it is quick, and the scale of a full run."""
        self.row, self.folder, self.setting, self.key = row, folder, setting, setting.key
        self.program = setting.program
        os.makedirs(folder)
        os.chmod(folder, 0o777)
        self.verdict = Verdict(row, setting.quick)
        self.postgres = Postgres(folder)
        self.services, self.proxies, self.cleanups = [], [], []
        self.journal = Journal(setting.seed)
        self.load = None
        self.faults = 0

    def size(self, quick, full):
        """A number or a duration: the full run's, scaled, but never below the quick one."""
        return quick if self.setting.quick else max(quick, full * self.setting.scale)

    def count(self, quick, full):
        return math.ceil(self.size(quick, full))

    # The parts.

    def begin(self, postgres_settings=(), **service):
        """Starts a copy of the template and a service on it, and waits until it is ready."""
        # Nothing here cuts the power, so a killed process's writes survive without fsync, which is faster.
        self.postgres.settings += list(postgres_settings) + ["fsync=off"] * self.setting.quick
        self.postgres.copy(self.setting.template)
        self.postgres.start()
        return self.serve(**service)

    def serve(self, url=None, name="service", **variables):
        service = Service(self.program, url or self.postgres.url(), self.folder, name, **variables)
        self.services.append(service)
        ready = service.start()
        if ready is None:
            raise RuntimeError(f"the service does not start: {service.log[-2000:]}")
        return service

    def drive(self, senders=8, pace=None, journal=None, port=None, client=Client):
        """`port`: a balancer's; None gives each sender its own service."""
        pace = pace if pace is not None else 0.02 * self.setting.quick
        ports = [service.port for service in self.services] if port is None else [port]
        self.load = Load(journal or self.journal, ports, self.key, senders, pace, client)
        return self.load.start()

    def clean_up(self):
        if self.load is not None:
            self.load.stopping.set()
        for service in self.services:
            service.kill()
        for proxy in self.proxies:
            proxy.stop()
        self.postgres.stop()
        for cleanup in reversed(self.cleanups):
            cleanup()

    # Events.

    def fault(self):
        self.faults += 1

    def recovered(self, since, limit, name="recovery max"):
        """Waits for the first 202 to a request that began after `since`."""
        self.verdict.at_most(name, self.load.first_acknowledged(since, limit), limit)

    def expect_away(self, service, for_seconds):
        """Checks a service while the store is away: alive, not ready, and every answer says when to try again."""
        deadline = time.monotonic() + for_seconds
        while time.monotonic() < deadline:
            self.verdict.expect(service.is_running, "the service exited")
            if not service.is_running:
                return
            self.verdict.expect(service.status("/livez") == 200, "/livez was not 200 while the store was away")
            self.verdict.expect(service.status("/readyz") == 503, "/readyz was not 503 while the store was away")
            time.sleep(min(0.2, max(deadline - time.monotonic(), 0)))

    # The end.

    def finish(self, allowed=(), needs_failures=True, counted=None, limit=60):
        """Stops the load, compares, sends unacknowledged batches again, compares again, and posts a fresh event.

        `counted`: whether that must be counted, too; nil: in a full run.
        """
        self.load.stop()
        self.compare()
        unaccepted = self.load.settle(limit)
        self.verdict.expect(unaccepted == 0, f"{unaccepted} batches are still not accepted after {limit} s")
        self.judge_answers({202, 503, 0} | set(allowed), needs_failures)
        counts = self.compare()
        for name in ("lost", "unclaimed", "different", "duplicates", "partial"):
            self.verdict.figure(name, counts[name])
        self.fresh(not self.setting.quick if counted is None else counted)

    def judge_answers(self, allowed, needs_failures):
        answers = self.load.answers
        failed = sum(1 for answer in answers if answer.status != 202)
        share = 100 * failed / max(len(answers), 1)
        self.verdict.figure("requests", len(answers))
        self.verdict.figure("acknowledged", sum(b.good for b in self.load.journal.batches if b.acknowledged))
        self.verdict.figure("failed", f"{share:.1f}%")
        self.verdict.figure("faults", self.faults)
        self.verdict.expect(self.faults > 0, "no fault was injected")
        if needs_failures:
            self.verdict.exercised(share >= 1, f"{share:.2f}% of the requests failed")
        for status in sorted({answer.status for answer in answers} - allowed):
            number = sum(1 for answer in answers if answer.status == status)
            self.verdict.expect(False, f"{number} requests were answered {status}")
        for answer in answers:
            self.verdict.expect(answer.status not in (429, 503) or (answer.retry_after or "").isdigit(),
                                f"{answer.status} without Retry-After")
            self.verdict.expect(answer.took < Client.PATIENCE, "a request got no answer")

    def compare(self):
        counts = self.reconciliation()
        for name in ("lost", "unclaimed", "different", "duplicates", "partial"):
            self.verdict.expect(counts[name] == 0, f"{name}: {counts[name]}")
        return counts

    def reconciliation(self):
        with open(os.path.join(os.path.dirname(__file__), "reconciliation.sql")) as file:
            query = file.read()
        names = ("lost", "unclaimed", "different", "duplicates", "partial", "stored")
        rows = self.postgres.sql(query, copied=(World.COLUMNS, "claimed", self.load.journal.rows()))
        return dict(zip(names, (int(value) for value in rows[-1])))

    def fresh(self, is_counted, limit=5):
        """Checks that a new event is accepted and appears in the gallery's answer within `limit` seconds, and is counted soon."""
        device = kind = f"fresh-{time.monotonic_ns()}"
        batch = self.load.journal.claim(size=1, device=device, kind=kind)
        begun, client = time.monotonic(), Client(self.services[-1].port)
        headers = {"Authorization": "Bearer " + self.key, "Census-Device": device}
        seen = None
        while seen is None and time.monotonic() < begun + limit:
            if batch.acknowledged or self.load.send(client, batch):
                answer, text = client.request("GET", "/v1/gallery-policy", headers=headers)
                if answer.status == 200 and (json.loads(text).get("report") or {}).get("id") == batch.events[0].id:
                    seen = time.monotonic() - begun
            time.sleep(0.02)
        client.close()
        self.verdict.at_most("fresh", seen, limit)
        if not is_counted:
            return
        counted, wait = None, 30 + 270 * self.size(0, 1)
        while counted is None and time.monotonic() < begun + wait:
            if self.postgres.number(f"select count(*) from report.live_now where app_id = '{APP}' and kind = '{kind}'"):
                counted = time.monotonic() - begun
            time.sleep(0.1)
        self.verdict.at_most("counted", counted, wait)
