"""All phones of one round, with everything they will send and when. Only the seed decides.

Their lives are drawn by `soak-phones`, from Sources/Fleet.
"""

import gzip
import itertools
import json
import random
import subprocess
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from harness.program import program
from .life import DAY, HOUR, Life

PHONES = "com.example.soak.phones"
"""An app whose settings change while it is counted."""
FORGETTING = "com.example.soak.forgetting"
"""An app whose devices are forgotten, each after its reports are counted, so one import can be compared."""
STRANGERS = "com.example.soak.strangers"
"""An app whose accepted kinds depend on who sends first, so only the checks that hold for any history apply."""
APPS = [PHONES, FORGETTING, STRANGERS]
BETA = "18A5301v"
"""A build that lists removed widgets. Its lists must not be believed."""

PHONE_KINDS = {
    "apple": "iPhones and their like", "android": "Android phones", "dice": "any event, at random",
    "clones": "two phones with one id", "liars": "apps that report a failed read as an empty list",
    "giants": "the longest strings that are accepted", "hoarders": "lists of hundreds of widgets, rarely sent",
    "strangers": "bodies that are not batches, endless kinds, one id with many contents, and erasures meanwhile",
    "android-restores": "ids that a restore renames", "differences": "events that apps derive from their lists",
    "names": "events that name a widget only in part", "taps": "widget_opened on WidgetKit", "today": "the Today extension",
    "controls": "controls", "betas": "builds that list removed widgets", "skews": "clocks that are wrong by hours",
    "silence": "phones that are off for weeks", "late": "batches that arrive days late",
    "erasures": "devices that are forgotten",
}
FORMS = ["plain", "gzip", "members", "chunked", "unknown", "spread", "doubled"]


@dataclass
class Delivery:
    """A batch: the content of every attempt, and the results."""
    number: int
    due: float
    """When it is first sent, in the phones' time."""
    life: Life
    messages: list
    envelope: dict
    wire: str
    """The events, the same bytes at every attempt."""
    form: str = "plain"
    """How the body is encoded and sent; the content is the same."""
    is_erasure: bool = False
    repeats: int = 0
    acknowledged: bool = False
    rejected: dict = field(default_factory=dict)
    """Index → code."""
    attempts: list = field(default_factory=list)
    """(sent, received at the latest, status)"""

    def told(self):
        """- Returns: the envelope without its time, with unknown members that cause warnings."""
        if self.form != "unknown":
            return self.envelope
        return {"build": {"deep": [1, None, {"er": 1.5e300}]}, **self.envelope, "trace": None, "os_build": "not here"}

    def body(self, now):
        """- Returns: the body and further headers."""
        envelope = {"sent_at": spelled(now + self.life.skew), **self.told()}
        text = json.dumps(envelope)[:-1] + ', "events": [' + self.wire + "]}"
        if self.form == "spread":
            text = json.dumps(json.loads(text), indent=4, ensure_ascii=True).replace('"events"', '"\\u0065vents"', 1)
        elif self.form == "doubled":
            # The first of two equal keys wins.
            text = text[:-1] + ', "sent_at": "yesterday", "events": 7}'
        body = text.encode()
        if self.form == "gzip":
            return gzip.compress(body), {"Content-Encoding": "gzip"}
        if self.form == "members":
            middle = len(body) // 2
            return gzip.compress(body[:middle]) + gzip.compress(body[middle:]), {"Content-Encoding": "gzip"}
        if self.form == "chunked":
            pieces = [body[at:at + 700] for at in range(0, len(body), 700)]
            # http.client sends pieces as chunks.
            return iter(pieces), {}
        return body, {}


def spelled(seconds, zone=0):
    """RFC 3339, to the millisecond, as a clock in a zone (hours) has it."""
    text = datetime.fromtimestamp(round(seconds * 1000) / 1000, timezone(timedelta(hours=zone))).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


class Fleet:
    def __init__(self, seed, start, end, phones, without=frozenset(), erased_share=0.25):
        """- start, end: of the story, in seconds since 1970.
        - without: kinds of phones to leave out."""
        self.start, self.end, self.without, self.erased_share = start, end, without, erased_share
        self.run = f"s{seed}"
        self.lives = list(self._live(phones, random.Random(f"{seed} erasures")))
        # Two lives with the same device id are one device to the census.
        self.deliveries = self._deliver(random.Random(f"{seed} deliveries"))

    def _live(self, phones, chance):
        words = [self.run, int(self.start), int(self.end), phones, ",".join(sorted(self.without))]
        drawn = subprocess.run([program(product="soak-phones"), *map(str, words)], check=True, stdout=subprocess.PIPE)
        for line in map(json.loads, drawn.stdout.splitlines()):
            life = Life.read(line, FORGETTING if line["app"] == "forgetting" else PHONES)
            if life.app == FORGETTING and life.judged and line["is_last"] and "erasures" not in self.without:
                life.erased_at_end = chance.random() < self.erased_share
            yield life

    def _deliver(self, chance):
        numbers, all = itertools.count(1), []
        for life in self.lives:
            zone = chance.choice([0, 0, 0, 2, -7, 5.5])
            for messages in self._outboxes(chance, life):
                delay = chance.choices([chance.uniform(0, 60), chance.uniform(0, 6 * HOUR), chance.uniform(0, 6 * DAY)],
                                       [70, 20, 0 if "late" in self.without else 10])[0]
                due = min(messages[-1].at + delay, self.end)
                all.append(self._batch(next(numbers), due, life, messages, zone))
                all[-1].form = "plain" if "forms" in self.without else chance.choices(FORMS, [12] + [1] * (len(FORMS) - 1))[0]
                all[-1].repeats = chance.choices([0, 1, 3], [90, 9, 1])[0]
            if life.erased_at_end:
                all.append(Delivery(next(numbers), self.end, life, [], {}, "", is_erasure=True))
        return sorted(all, key=lambda delivery: (delivery.due, delivery.number))

    def _outboxes(self, chance, life):
        """Groups of messages with one context, which a phone sends together."""
        run, size = [], 0
        for message in life.messages:
            length = len(json.dumps(message.body))
            # Well under 1 MiB, whatever characters are escaped.
            is_full = len(run) >= 900 or size + length > 300_000
            if run and (is_full or message.context != run[0].context or not life.hoards and chance.random() < 0.6):
                yield run
                run, size = [], 0
            run.append(message)
            size += length
        yield run

    def _batch(self, number, due, life, messages, zone):
        context = messages[0].context
        installation, device = dict(context["installation"]), {"id": life.device, **context["device"]}
        if "first_launched_at" in installation:
            installation["first_launched_at"] = spelled(installation["first_launched_at"] + life.skew, zone)
        booted = life.boot_before(due) if life.tells_boot_time else None
        if booted is not None:
            device["booted_at"] = spelled(booted + life.skew)
        envelope = {"app": {"id": life.app, "version": context["version"]}, "device": device, "installation": installation}
        if "channel" in context:
            envelope["app"]["channel"] = context["channel"]
        if "gallery_policy" in context:
            envelope["gallery_policy"] = context["gallery_policy"]
        for message in messages:
            message.spelled_at = spelled(message.at + life.skew, zone)
        events = [{"id": message.id, "at": message.spelled_at, **message.body} for message in messages]
        return Delivery(number, due, life, messages, envelope, json.dumps(events, ensure_ascii=False)[1:-1])
