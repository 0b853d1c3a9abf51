"""The phones' threads: they send batches that are due, record the answers, and send unacknowledged batches again."""

import heapq
import itertools
import json
import random
import threading
import time
import traceback
from dataclasses import dataclass
from datetime import datetime, timezone

from harness.journal import pseudonym
from harness.load import Client
from phones import strangers
from phones.fleet import STRANGERS, spelled
from phones.life import DAY

REFUSED = {400, 413, 415, 422}


@dataclass
class Stranger:
    number: int
    due: float


class Senders:
    def __init__(self, world, fleet, seed, seconds, threads=2):
        self.world, self.fleet, self.seed, self.seconds = world, fleet, seed, seconds
        self.clients = threads
        self.queue, self.order, self.lock = [], itertools.count(), threading.Lock()
        self.stopping = threading.Event()
        self.statuses, self.strangers, self.erased = {}, {}, {}
        self.forgotten_strangers = set()
        """By pseudonym; later events of these devices are dropped."""
        self.waiting = len(fleet.deliveries)

    def start(self):
        self.begun = time.monotonic()
        scale = self.seconds / (self.fleet.end - self.fleet.start)
        for delivery in self.fleet.deliveries:
            self._push(self.begun + (delivery.due - self.fleet.start) * scale, delivery)
        if "strangers" not in self.fleet.without:
            chance = random.Random(f"{self.seed} strangers")
            for number in range(int(self.seconds * 2)):
                self._push(self.begun + chance.uniform(0, self.seconds), Stranger(number, 0))
        self.threads = [threading.Thread(target=self._run, args=(n,), daemon=True) for n in range(self.clients)]
        for thread in self.threads:
            thread.start()

    @property
    def story_time(self):
        share = min((time.monotonic() - self.begun) / self.seconds, 1)
        return self.fleet.start + share * (self.fleet.end - self.fleet.start)

    def wait(self, limit):
        """Waits until everything is acknowledged or refused.

        - Returns: how many deliveries still are not.
        """
        deadline = time.monotonic() + limit
        while self.waiting and time.monotonic() < deadline:
            time.sleep(0.1)
        self.stop()
        return self.waiting

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def _push(self, at, item):
        with self.lock:
            heapq.heappush(self.queue, (at, next(self.order), item))

    def _run(self, number):
        chance = random.Random(f"{self.seed} sender {number}")
        clients = [Client(node.port) for node in self.world.nodes]
        while not self.stopping.is_set():
            with self.lock:
                item = heapq.heappop(self.queue)[2] if self.queue and self.queue[0][0] <= time.monotonic() else None
            if item is None:
                time.sleep(0.02)
                continue
            client = chance.choice(clients)
            try:
                if isinstance(item, Stranger):
                    self._send_stranger(client, item)
                elif item.is_erasure:
                    self._erase(client, item)
                else:
                    self._send(client, item, chance)
            except Exception:
                self.world.findings.add("harness", traceback.format_exc())
        for client in clients:
            client.close()

    # One attempt each.

    def _send(self, client, delivery, chance):
        now, key = time.time(), self.world.keys[delivery.life.app]
        body, headers = delivery.body(now)
        answer, text = client.request("POST", "/v1/events", body, {
            "Content-Type": "application/json", "Authorization": "Bearer " + key, **headers})
        self._count(self.statuses, answer.status)
        delivery.attempts.append((now, time.time(), answer.status))
        first = not delivery.acknowledged
        if answer.status == 202 or answer.status == 422:
            rejected = {event["index"]: event["code"] for event in json.loads(text).get("rejected", [])}
            for index, code in rejected.items():
                if code != "too_old" or delivery.life.judged and self.world.kept_days is None:
                    self.world.findings.add("refused", f"{code} for an event of {delivery.life.device}: {delivery.messages[index].body}")
            if first:
                delivery.rejected = rejected
                delivery.acknowledged = True
                with self.lock:
                    self.waiting -= 1
            if delivery.repeats:
                delivery.repeats -= 1
                self._push(time.monotonic() + chance.uniform(0, 10), delivery)
        elif answer.status in (0, 401, 403, 408, 429, 503):
            # Sooner than Retry-After says, because faults must meet traffic. Yet many wait while both nodes are down.
            self._push(time.monotonic() + chance.uniform(0.1, 1 + min(self.waiting, 10 * len(delivery.attempts)) / 20), delivery)
        else:
            self.world.findings.add("answer", f"a batch of {delivery.life.device} was answered {answer.status}: {text[:400]}")
            if first:
                delivery.acknowledged, delivery.rejected = True, {index: "answer" for index in range(len(delivery.messages))}
                with self.lock:
                    self.waiting -= 1

    def _erase(self, client, delivery):
        """Forgets a device once all its reports are counted. Events that are not reconciled by then would never count, and one
        import could not be compared."""
        life = delivery.life
        # Answered or not, the first attempt might have begun, and what it deletes is never stored again.
        delay = 0 if delivery.attempts else self._delay_until_counted(life)
        if delay:
            return self._push(time.monotonic() + delay, delivery)
        # Hold the lock meanwhile, because a backup must not be taken between request and answer.
        with self.world.nights:
            begun = time.time()
            answer, _ = client.request("DELETE", "/v1/device", headers={
                "Census-Device": life.device, "Authorization": "Bearer " + self.world.keys[life.app]})
            delivery.attempts.append((begun, time.time(), answer.status))
        self._count(self.statuses, answer.status)
        if answer.status == 204:
            self.erased[pseudonym("device", life.device, life.app)] = life
            delivery.acknowledged = True
            with self.lock:
                self.waiting -= 1
        else:
            if answer.status not in strangers.AWAY | {401, 403}:
                self.world.findings.add("answer", f"DELETE /v1/device was answered {answer.status}")
            self._push(time.monotonic() + 0.5, delivery)

    def _delay_until_counted(self, life):
        """- Returns: in how many seconds to check again whether all of a device's reports are counted; 0 if they are."""
        if not all(other.acknowledged for other in self.fleet.deliveries if other.life is life and not other.is_erasure):
            return 1
        device = pseudonym("device", life.device, life.app)
        try:
            # Dropped observations are in its base.
            kept_from = float(self.world.postgres.sql(
                "select coalesce(extract(epoch from kept_from), 0) from census.retention")[0][0]) + 2 * DAY
            stored, pending = (int(text) for text in self.world.postgres.sql(
                f"select (select count(*) from census.observation where device_id = '{device}' "
                f"and corrected_at >= to_timestamp({kept_from})), "
                f"(select count(*) from census.pending_device where device_id = '{device}')")[0])
        except (RuntimeError, IndexError):
            # PostgreSQL is away, or a backup is being restored, and its tables are still empty.
            return 1
        messages = sum(message.at >= kept_from and index not in other.rejected for other in self.fleet.deliveries
                       if other.life is life for index, message in enumerate(other.messages))
        return 0.5 if stored < messages or pending else 0

    def _send_stranger(self, client, item):
        chance = random.Random(f"{self.seed} stranger {item.number}")
        name = f"{self.fleet.run}-stranger-{chance.randrange(8)}"
        method, path, headers, body, allowed = strangers.request(chance, STRANGERS, name, time.time(), spelled)
        headers = {"Authorization": "Bearer " + self.world.keys[STRANGERS], **headers}
        answer, text = client.request(method, path, body, headers)
        self._count(self.strangers, answer.status)
        if method == "DELETE" and answer.status == 204:
            self.forgotten_strangers.add(pseudonym("device", name, STRANGERS))
        if answer.status not in allowed | strangers.AWAY | {401, 403}:
            self.world.findings.add("stranger", f"{method} {path} {str(body)[:200]} was answered {answer.status}: {text[:300]}")

    def _count(self, counts, status):
        with self.lock:
            counts[status] = counts.get(status, 0) + 1

    # Files that are kept.

    def journal(self, path):
        """Writes claims and answers, one delivery a line."""
        with open(path, "w") as file:
            for delivery in self.fleet.deliveries:
                file.write(json.dumps({
                    "number": delivery.number, "device": delivery.life.device, "is_erasure": delivery.is_erasure,
                    "events": [message.id for message in delivery.messages], "acknowledged": delivery.acknowledged,
                    "rejected": delivery.rejected, "attempts": delivery.attempts}) + "\n")

    def archive(self, path, offsets, only=None):
        """Writes all acknowledged batches, in the order of their events.

        - offsets: by how much the store has shifted the times of batches whose clocks are wrong, by delivery, microseconds; where
          the store has not said it, what the attempts make likely is taken and noted there.
        - only: which deliveries.
        - Returns: how many batches.
        """
        chosen = [delivery for delivery in self.fleet.deliveries
                  if delivery.acknowledged and delivery.messages and (only is None or only(delivery))]
        chosen.sort(key=lambda delivery: (delivery.messages[0].at, delivery.number))
        written = 0
        with open(path, "w") as file:
            for delivery in chosen:
                line = self.archived(delivery, offsets)
                written += line is not None
                file.write(line or "")
        return written

    def archived(self, delivery, offsets):
        answered = [attempt for attempt in delivery.attempts if attempt[2] in (202, 422)]
        sent, received, _ = answered[0] if answered else delivery.attempts[0]
        # Leave out events refused for their age, because the reference keeps events for longer.
        kept = [message for index, message in enumerate(delivery.messages) if delivery.rejected.get(index) != "too_old"]
        if not kept:
            return None
        events = [{"id": message.id, "at": message.spelled_at, **message.body} for message in kept]
        # Whole microseconds, because the store compares times exactly.
        sent, received = round((sent + delivery.life.skew) * 1_000_000), round(received * 1_000_000)
        if delivery.life.skew:
            received = sent + offsets.setdefault(delivery.number, received - sent)
        else:
            sent = received
        return json.dumps({"sent_at": exactly(sent), "received_at": exactly(received), **delivery.told(),
                           "events": events}, ensure_ascii=False) + "\n"


def exactly(micros):
    """RFC 3339 to the microsecond."""
    text = datetime.fromtimestamp(micros // 1_000_000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{micros % 1_000_000:06d}Z"
