"""The checks at the end: no acknowledged event is lost, nothing is stored that nobody sent, and the bounds hold the truth."""

import json
import os
import re
import time
from collections import Counter
from datetime import datetime, timezone

from harness.journal import pseudonym
from harness.load import Client
from phones.fleet import FORGETTING, PHONES
from phones.life import DAY, HOUR, Message

STORED = """
    select device_id, event_id, round(extract(epoch from occurred_at) * 1000000)::bigint, installation_id, type, surface,
        coalesce(source, ''), platform, coalesce(os_version, ''), app_version, channel, content::text
    from census.observation
    join census.app using (app_number)
    where app_id in ('{}', '{}')""".format(PHONES, FORGETTING)

# Compares the truth with the levels of that moment. A widget reported without a family or an instance can have any. Spans are copied
# before, because they can be on the workers of a cluster, where a lookup row by row is impossible.
OUTSIDE = """
    create temporary table level_span as
    select device_id, surface, kind, family, instance, from_at, to_at, certain, presumed, suspect, either
    from census.span
    where device_id in (select distinct device from truth);
    create index on level_span (device_id, surface, kind);
    select device, truth.surface, truth.kind, truth.family, truth.instance, at, held, level.certain, level.possible
    from truth
    cross join lateral (
        select
            coalesce(sum(certain) filter (
                where truth.family in ('', span.family) and truth.instance in ('', span.instance)), 0) as certain,
            coalesce(sum(certain + presumed + suspect + case when truth.family || truth.instance = '' then 0 else either end) filter (
                where truth.family in ('', coalesce(span.family, truth.family))
                    and truth.instance in ('', coalesce(span.instance, truth.instance))), 0) as possible
        from level_span as span
        where span.device_id = truth.device
            and span.surface = truth.surface
            and span.kind = truth.kind
            and from_at <= to_timestamp(at)
            and (to_at is null or to_at > to_timestamp(at))) as level
    where held not between level.certain and level.possible
    order by device, at"""

# In the log of a node or of PostgreSQL: a broken promise, or a batch that did not reach the store.
SUSPICIOUS = re.compile(
    r"set aside|Fatal error|fault of ours|unstorable| critical |PANIC|violates check|violates not-null|index row|out of shared memory"
    r"|could not be read|can.t be read|damaged")


def micros(text):
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1_000) * 1_000


def exactly(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-5] + "Z"


def said(content):
    """An event's content, independent of its JSON spelling."""
    if "widgets" in content:
        widgets = Counter()
        for widget in content["widgets"]:
            parts = tuple(sorted((name, part) for name, part in widget.items() if name != "count"))
            widgets[parts] += widget.get("count", 1)
        return widgets
    return {name: content[name] for name in ("widget", "instances", "error") if name in content}


class Checks:
    def __init__(self, world, senders, findings):
        self.world, self.senders, self.findings = world, senders, findings
        self.claimed = {}
        for delivery in senders.fleet.deliveries:
            life = delivery.life
            device = pseudonym("device", life.device, life.app)
            for index, message in enumerate(delivery.messages):
                self.claimed[device, message.id, micros(message.spelled_at)] = (delivery, index, message)

    def conservation(self):
        """- Returns: how many events are stored."""
        stored = {}
        for row in self.world.ask(STORED):
            key = (row[0], row[1], int(row[2]))
            if key in stored:
                self.findings.add("conservation", f"stored twice: {row}")
            stored[key] = row
        kept_from = self.world.ask("select coalesce(extract(epoch from kept_from), 0) from census.retention")[0][0]
        # With a clock that is a day off, an event is in another day's partition.
        horizon = (float(kept_from) + 2 * DAY) * 1_000_000
        for key, (delivery, index, message) in self.claimed.items():
            is_due = delivery.acknowledged and index not in delivery.rejected and key[0] not in self.senders.erased
            if is_due and key not in stored and key[2] >= horizon:
                self.findings.add("conservation", f"acknowledged but not stored: {message.id} of {delivery.life.device}, "
                                  f"{message.spelled_at}, attempts {delivery.attempts}")
        for key, row in stored.items():
            self._compare(key, row)
        self._forgotten([*self.senders.erased, *self.senders.forgotten_strangers])
        return len(stored)

    def _forgotten(self, devices):
        """Checks that nothing is left of them, although they went on sending and their batches were imported again."""
        if not devices:
            return
        among = ", ".join(f"'{device}'" for device in devices)
        for table in ("observation", "refused", "pending_device", "set_aside", "device", "device_base", "span", "phase"):
            left = self.world.ask(f"select count(*) from census.{table} where device_id in ({among})")[0][0]
            if left != "0":
                self.findings.add("forgotten", f"{left} rows of census.{table} belong to forgotten devices")

    def _compare(self, key, row):
        if key not in self.claimed:
            return self.findings.add("conservation", f"stored, but nobody sent it: {row}")
        delivery, index, message = self.claimed[key]
        if key[0] in self.senders.erased:
            return self.findings.add("conservation", f"stored for a forgotten device: {row}")
        # An accepted one can be refused when it is sent again, after fewer days are kept.
        if index in delivery.rejected and not (delivery.rejected[index] == "too_old" and len(delivery.attempts) > 1):
            return self.findings.add("conservation", f"stored, although it was refused as {delivery.rejected[index]}: {row}")
        envelope, body = delivery.envelope, message.body
        wanted = [pseudonym("installation", envelope["installation"]["id"], delivery.life.app), body["type"],
                  body.get("surface", "widget"), body.get("source", ""), envelope["device"]["platform"],
                  envelope["device"].get("os_version", ""), envelope["app"]["version"], envelope["app"].get("channel", "production")]
        if wanted != row[3:11] or said(json.loads(row[11])) != said(body):
            self.findings.add("conservation", f"stored differently from what was sent: {row} {wanted} {body}")

    # The bounds.

    def bounds(self, window):
        """Compares every judged device, between the marks of its truth, for each kind that its app reported.

        - window: days, the shortest that was set.
        - Returns: how many times a level was compared.
        """
        rows, names = [], {}
        for life in self.senders.fleet.lives:
            device = pseudonym("device", life.device, life.app)
            if life.judged and device not in self.senders.erased:
                names[device] = life
                for surface, model, at, held in self.truths(life, window):
                    rows.append("\t".join([device, surface, *(part or "" for part in model), f"{at:.3f}", str(held)]) + "\n")
        seen = set()
        for device, surface, kind, family, instance, at, held, certain, possible in self.world.ask(
                OUTSIDE, copied=("device uuid, surface text, kind text, family text, instance text, at double precision, held integer",
                                 "truth", rows)):
            if (device, surface, kind) in seen:
                continue
            seen.add((device, surface, kind))
            life = names[device]
            self.findings.add("bounds", f"{life.device} holds {held} of {kind} {family} {instance} ({surface}) at {exactly(float(at))}; "
                              f"certain {certain}, possible {possible}" + self.tell(life, float(at)))
        return len(rows)

    def truths(self, life, window):
        """The truth of a life, while its app had reported it: (surface, (kind, family, instance), time, held). Family and instance
        are None where all of the kind are counted."""
        messages = self.delivered(life)
        delivered = {message.id for message in messages}
        # A restore renames instances, also in the past.
        has_names = not any(message.body["type"] == "widgets_restored" for message in life.messages)
        moments = sorted([(mark.at, 0, mark) for mark in life.marks] + [(message.at, 1, message) for message in messages],
                         key=lambda moment: moment[:2])
        models = {(mark.surface, model) for mark in life.marks for model in mark.held}
        levels = {(surface, level) for surface, (kind, family, instance) in models for level in (
            (kind, None, None), (kind, family, None), (kind, family, instance if has_names else None))}
        held, known, heard, seen = {}, set(), None, {}
        for position, (at, _, what) in enumerate(moments):
            if isinstance(what, Message):
                heard = at
                if what.body.get("surface") == "today":
                    seen[what.body["widget"]["kind"]] = at
            else:
                self._learn(what, what.message is not None and what.message.id in delivered, held, known,
                            {kind for surface, (kind, _, _) in models if surface == what.surface})
            until = moments[position + 1][0] if position + 1 < len(moments) else at + HOUR
            middle = (at + until) / 2
            # Times of a wrong clock are shifted by a little more or less each time.
            if heard is None or until - at < (60 if life.skew else 0.01) or middle > heard + (window - 1) * DAY:
                continue
            for surface, level in levels:
                if (surface, level[0]) not in known:
                    continue
                if surface != "today" or middle < seen.get(level[0], 0) + (window - 1) * DAY:
                    count = sum(number for model, number in held.get(surface, {}).items()
                                if all(wanted in (None, part) for wanted, part in zip(level, model)))
                    yield surface, level, middle, count

    def _learn(self, mark, told, held, known, kinds):
        """- known: the (surface, kind) whose changes were all reported."""
        before, now = held.get(mark.surface, {}), dict(mark.held)
        held[mark.surface] = now
        for kind in kinds if mark.kind is None else {mark.kind}:
            is_list = mark.kind is None or mark.surface == "today"
            changed = {model: count for model, count in before.items() if model[0] == kind} != {
                model: count for model, count in now.items() if model[0] == kind}
            if told and is_list:
                known.add((mark.surface, kind))
            elif not told and (changed or mark.message is None):
                known.discard((mark.surface, kind))

    def tell(self, life, until):
        """The newest part of the story up to a moment."""
        lines = []
        for message in life.messages:
            context = message.context
            launch = context["installation"].get("first_launched_at")
            installation = {**context["installation"], **({"first_launched_at": exactly(launch)} if launch else {})}
            lines.append((message.at, f"{exactly(message.at)} {context['version']} {installation} {json.dumps(message.body)}"))
        for mark in life.marks:
            held = ", ".join(f"{count} {' '.join(part for part in model if part)}" for model, count in mark.held.items())
            lines.append((mark.at, f"{exactly(mark.at)} the screen ({mark.surface}) holds {held or 'nothing'}"
                          + (", as was told" if mark.message else "")))
        for boot in life.boots:
            lines.append((boot, f"{exactly(boot)} boot"))
        lines = [line for line in lines if line[0] <= until + 1]
        lines.sort(key=lambda line: line[0])
        return "\n" + "\n".join("    " + line for _, line in lines[-16:])

    # The gallery.

    def galleries(self):
        """Asks a node for each phone.

        - Returns: how many phones.
        """
        if not self.world.nodes:
            return 0
        client, asked = Client(self.world.nodes[0].port), 0
        for life in self.senders.fleet.lives:
            if not life.judged or pseudonym("device", life.device, life.app) in self.senders.erased:
                continue
            answer, text = client.request("GET", "/v1/gallery-policy", headers={
                "Authorization": "Bearer " + self.world.keys[life.app], "Census-Device": life.device})
            if answer.status != 200:
                self.findings.add("gallery", f"{life.device} was answered {answer.status}: {text[:300]}")
                continue
            asked += 1
            hidden = {kind for kind, what in json.loads(text)["kinds"].items() if what == "hide"}
            named, is_listed = set(), False
            for message in reversed(self.delivered(life)):
                body = message.body
                if message.context["installation"]["id"] != life.messages[-1].context["installation"]["id"]:
                    break
                # Kinds are marked on the surface widget, because the gallery has no controls.
                if body.get("surface", "widget") != "widget":
                    continue
                if "widgets" in body:
                    is_listed, named = True, named | {widget["kind"] for widget in body["widgets"]}
                    break
                if body["type"] in ("widget_installed", "widget_opened", "widget_configured"):
                    named.add(body["widget"]["kind"])
            device = life.messages[-1].context["device"]
            # There, hiding one kind can hide all.
            is_all_or_nothing = device["platform"] in ("ios", "ipados") and device["os_version"].startswith("14.")
            if hidden & named or hidden and (not is_listed or is_all_or_nothing):
                self.findings.add("gallery", f"{sorted(hidden)} are hidden from {life.device}: {text}" + self.tell(life, time.time()))
        client.close()
        return asked

    def delivered(self, life):
        """The accepted messages, by time."""
        ids = {message.id for delivery in self.senders.fleet.deliveries if delivery.life is life and delivery.acknowledged
               for index, message in enumerate(delivery.messages) if index not in delivery.rejected}
        return [message for message in life.messages if message.id in ids]

    # A cluster.

    def prepared(self, limit=30):
        """Checks that no transaction stays half committed after the cluster had time for recovery."""
        if not self.world.citus:
            return
        deadline, left = time.monotonic() + limit, self.world.citus.prepared()
        while left and time.monotonic() < deadline:
            time.sleep(0.5)
            left &= self.world.citus.prepared()
        if left:
            self.findings.add("prepared", f"after {limit} s transactions are still prepared: {sorted(left)}")

    # The logs.

    def logs(self):
        """Looks in the logs for errors that no fault of the soak excuses."""
        logs = [(os.path.basename(node.log_path), node.log) for node in self.world.nodes]
        logs += [(os.path.relpath(server.folder + "/postgres.log", self.world.postgres.folder), server.log[begin:])
                 for server, begin in self.world.log_begins]
        seen = {(name, line) for name, text in logs for line in text.splitlines() if SUSPICIOUS.search(line)}
        for name, line in sorted(seen):
            self.findings.add("log", f"{name}: {line[:400]}")

    # The ledger.

    def verify(self):
        """Runs a night, then another with --verify that must change and find nothing."""
        with self.world.without_writers():
            self.world.command("nightly")
            again = self.world.command("nightly", "--verify", "--format", "json")
        if again.returncode == 0:
            summary = json.loads(again.stdout)
            changed = {app["app_id"]: app for app in summary["apps"] if app["days_restated"] or app["days_closed"]}
            if changed or summary["spans_changed"]:
                self.findings.add("night", f"a second night changed something: {again.stdout}")
            if summary["devices_set_aside"]:
                self.findings.add("night", f"devices are set aside: {again.stdout}")
