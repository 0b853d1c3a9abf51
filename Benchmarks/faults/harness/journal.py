"""What clients sent and the answers they got: the truth to compare the store with."""

import hashlib
import hmac
import itertools
import json
import random
import threading
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone

APP = "com.example.faults"
SECRET = "the secret of the fault harness"
VERSION = "20.12.1"
# The shares of batches with a bad event, and of senders that hang up before the answer.
BAD_SHARE = 0.1
ABANDONED_SHARE = 0.1


def spelled(seconds):
    """A time as clients write it."""
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def pseudonym(purpose, raw, app=APP):
    """The hash under which the store must keep a raw id, computed independently of the product."""
    digest = hmac.new(SECRET.encode(), f"{purpose}\0{app}\0{raw}".encode(), hashlib.sha256).hexdigest()[:32]
    return f"{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:]}"


@dataclass
class Event:
    id: str
    at: str
    type: str
    content: str
    """The content as the store must write it; empty for an event that must be refused."""
    wire: str
    """The same bytes at every attempt, because they identify a refused event."""


@dataclass
class Batch:
    number: int
    device: str
    events: list
    is_abandoned: bool
    """Not sent again after a failure: it must be stored whole or not at all."""
    acknowledged: bool = False
    attempts: int = 0
    statuses: list = field(default_factory=list)

    @property
    def good(self):
        return sum(1 for event in self.events if event.content)

    def body(self, now):
        """The batch as sent now: every attempt has its own `sent_at`."""
        context = {
            "sent_at": spelled(now), "app": {"id": APP, "version": VERSION},
            "device": {"id": self.device, "platform": "ios", "os_version": "26.1", "booted_at": "2026-01-02T03:04:05Z"},
            "installation": {"id": "i" + self.device, "first_launched_at": "2026-01-01T10:00:00Z"},
        }
        events = ",".join(event.wire for event in self.events)
        return (json.dumps(context)[:-1] + ', "events": [' + events + "]}").encode()


class Journal:
    """Every batch claimed; any thread may claim."""

    def __init__(self, seed, devices=500, clock=time.time, age=600):
        self.random = random.Random(seed)
        self.devices = devices
        self.clock, self.age = clock, age
        self.batches = []
        self.lock = threading.Lock()
        self.ids = itertools.count(1)
        self.run = f"{random.SystemRandom().getrandbits(32):08x}"

    def claim(self, size=None, device=None, kind=None):
        """A new batch, recorded before anybody sends it. With a `kind` its events are of this moment."""
        with self.lock:
            number = len(self.batches) + 1
            size = size or self.random.randint(1, 40)
            events = [self._event(kind) for _ in range(size)]
            if kind is None and size > 1 and self.random.random() < BAD_SHARE:
                events[self.random.randrange(size)] = self._bad_event()
            device = device or f"{self.run}-{self.random.randrange(self.devices)}"
            batch = Batch(number, device, events, kind is None and self.random.random() < ABANDONED_SHARE)
            self.batches.append(batch)
            return batch

    def _event(self, kind):
        id, at = f"{self.run}-{next(self.ids)}", spelled(self.clock() - (0 if kind else self.random.uniform(0, self.age)))
        draw = self.random.random() if kind is None else 1
        if draw < 0.1:
            type, content = "widgets_reported", {"error": {"code": self.random.randrange(2000), "domain": "CHSErrorDomain"}}
        elif draw < 0.3:
            type, content = "widget_opened", {"widget": {"family": "systemSmall", "kind": "wetter ☂"}}
        else:
            chosen = sorted(self.random.sample(["calendar", "radar", "search", "stocks", "weather"], 3))
            kinds = [kind] if kind else chosen
            widgets = [{"configuration": f"{self.random.getrandbits(32):08x}", "count": self.random.randint(2, 9),
                        "family": "systemMedium", "intent": "CityIntent", "kind": kind} for kind in kinds]
            type, content = "widgets_reported", {"widgets": widgets}
        wire = json.dumps({"id": id, "type": type, "at": at, **content}, ensure_ascii=False)
        return Event(id, at, type, json.dumps(content, ensure_ascii=False, separators=(",", ":")), wire)

    def _bad_event(self):
        id, at = f"{self.run}-{next(self.ids)}", spelled(self.clock())
        return Event(id, at, "widget_eaten", "", json.dumps({"id": id, "type": "widget_eaten", "at": at}))

    def rows(self):
        """The claims in COPY's text format; see reconciliation.sql for the columns."""
        known = {}
        for batch in list(self.batches):
            if batch.device not in known:
                known[batch.device] = (pseudonym("device", batch.device), pseudonym("installation", "i" + batch.device))
            device, installation = known[batch.device]
            for event in batch.events:
                yield "\t".join([
                    str(batch.number), "t" if batch.acknowledged else "f", event.id, event.at, device, installation,
                    event.type, event.content.replace("\\", "\\\\") or "\\N"]) + "\n"
