"""Faults while the service counts: kills, outages, operators' commands. The seed decides which, when and how."""

import os
import random
import signal
import subprocess
import threading
import time
from datetime import datetime, timezone

from harness.program import last_words
from phones.fleet import BETA, FORGETTING, PHONES, STRANGERS
from . import worker_faults

ZONES = ["UTC", "Europe/Prague", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"]
WINDOWS = [7, 14, 28, 35]
# The story has 44 days, and batches are at most six days late. So days are first dropped after half of it.
KEPT_DAYS = [30, 33, 36, 60]


class Faults:
    def __init__(self, world, senders, reference, seed, seconds, without=frozenset(), pause=1.5):
        self.world, self.senders, self.reference, self.seconds = world, senders, reference, seconds
        self.counts, self.stopping, self.threads = {}, threading.Event(), []
        self.night, self.killed = None, set()
        self.saved = None
        self.moves = []
        """(begun, ended) of moves of shards, in seconds since 1970."""
        self.days_watched = 0
        self.all = ALL
        if world.citus:
            self.all = {name: fault for name, fault in {**ALL, **worker_faults.ALL}.items() if name not in worker_faults.LEFT_OUT}
        chance = random.Random(f"{seed} faults")
        names = [name for name in self.all if name not in without]
        self.schedule, at = [], 3.0
        # Every kind once before any is repeated, if there is time.
        bag = []
        while at < seconds - 1 and names:
            bag = bag or chance.sample(names, len(names))
            # Once old days are dropped, no late events can arrive for them, and zones change only the days that are kept.
            name = bag.pop()
            if name == "keep" and at < 0.55 * seconds:
                bag.insert(0, name)
                at += 0.5
                if len(bag) == 1:
                    bag = []
                continue
            self.schedule.append((at, name, chance.getrandbits(32)))
            at += chance.expovariate(1 / pause) + 0.3

    def start(self):
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self._run, self._nights)]
        for thread in self.threads:
            thread.start()

    def stop(self, limit=None):
        """- limit: seconds; None means as long as the last fault takes."""
        self.stopping.set()
        for thread in self.threads:
            thread.join(limit)

    def _run(self):
        for at, name, number in self.schedule:
            while time.monotonic() < self.senders.begun + at:
                if self.stopping.wait(0.05):
                    return
            if self.world.citus and self.stopping.is_set():
                # A cluster recovers more slowly, so skip faults that are still due when the round is over.
                return
            try:
                if self.all[name](self, random.Random(number)) is not False:
                    self.counts[name] = self.counts.get(name, 0) + 1
            except Exception as error:
                self.world.findings.add("harness", f"{name}: {type(error).__name__}: {error}")
        self.stopping.wait()

    # Nights, one after another, as the phones' days pass.

    def _nights(self):
        while not self.stopping.wait(1.5):
            with self.world.nights:
                self.run_night()

    def run_night(self, *words):
        day = datetime.fromtimestamp(self.senders.story_time - 86_400 * 1.5, timezone.utc).strftime("%Y-%m-%d")
        words = words or ("--day", day)
        begun = time.monotonic()
        self.night = process = self.world.spawn("nightly", *words, log="nights.log")
        status = self.world.watch(process, f"nightly {' '.join(words)}")
        self.night = None
        self.counts["nights"] = self.counts.get("nights", 0) + 1
        if status == 0 or process in self.killed or status == 3 and self.world.was_disturbed(begun):
            return
        self.world.findings.add("night", f"`nightly {' '.join(words)}` ended with {status}: {self._tail('nights.log')}")

    def _tail(self, log, characters=1_200):
        with open(f"{self.world.folder}/{log}", errors="replace") as file:
            return file.read()[-characters:]

    # Nodes.

    def kill_node(self, chance):
        """kill -9 of a node, with whatever its spool holds"""
        node = chance.choice(self.world.nodes)
        node.kill()
        time.sleep(chance.uniform(0, 1))
        self.world.start(node)

    def terminate_node(self, chance):
        """SIGTERM"""
        node, begun = chance.choice(self.world.nodes), time.monotonic()
        status, took = node.terminate(60)
        if status != 0 and not self.world.was_disturbed(begun):
            self.world.findings.add("node", f"SIGTERM ended a node with {status} after {took:.1f} s: {node.log[-600:]}")
        self.world.start(node)

    def freeze_node(self, chance):
        """a node is frozen for seconds"""
        node = chance.choice(self.world.nodes)
        if node.is_running:
            node.process.send_signal(signal.SIGSTOP)
            time.sleep(chance.uniform(0.5, 5))
            node.process.send_signal(signal.SIGCONT)

    # PostgreSQL.

    def kill_backend(self, chance):
        """kill -9 of a session: PostgreSQL ends them all"""
        with self.world.disturbance():
            children = [process for process in self.world.postgres.children() if process != self.world.postgres.process.pid]
            if not children:
                return False
            try:
                os.kill(chance.choice(sorted(children)), signal.SIGKILL)
            except ProcessLookupError:
                return False
            time.sleep(0.1)
            self.world.postgres.wait_accepting()

    def end_sessions(self, chance):
        """an administrator ends every session"""
        with self.world.disturbance():
            self.world.ask("select count(pg_terminate_backend(pid)) from pg_stat_activity "
                           "where datname = 'census' and pid <> pg_backend_pid()")

    def kill_postmaster(self, chance):
        """kill -9 of the postmaster"""
        with self.world.disturbance():
            self.world.postgres.kill()
            self.world.postgres.start()

    def postgres_away(self, chance):
        """PostgreSQL is away for seconds: the nodes use their spools"""
        with self.world.disturbance():
            self.world.postgres.stop()
            time.sleep(chance.uniform(2, 8))
            self.world.postgres.start()

    def lock(self, chance):
        """census.observation is locked for seconds"""
        seconds = chance.uniform(0.5, 4)
        with self.world.disturbance():
            self.world.ask(f"begin; lock table census.observation in access exclusive mode; select pg_sleep({seconds:.1f}); commit")

    def hold(self, chance):
        """census.observation is read for seconds, as pg_dump does: nobody has to wait"""
        seconds = chance.uniform(4, 12)
        script = f"begin; lock table census.observation in access share mode; select pg_sleep({seconds:.1f}); commit"
        # It ends when a fault ends its session.
        subprocess.Popen([self.world.postgres.bin + "/psql", "-Xqc", script, "-d", self.world.postgres.url()],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    # Nights.

    def kill_night(self, chance):
        """kill -9 of a night in the middle"""
        deadline = time.monotonic() + 8
        while self.night is None:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 1.2))
        return self._kill_night(signal.SIGKILL)

    def interrupt_night(self, chance):
        """SIGINT to a night"""
        deadline = time.monotonic() + 8
        while self.night is None:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        time.sleep(chance.uniform(0.3, 1.2))
        return self._kill_night(signal.SIGINT)

    def _kill_night(self, number):
        night = self.night
        if night is None or night.poll() is not None:
            return False
        self.killed.add(night)
        night.send_signal(number)

    def second_night(self, chance):
        """two nights at once"""
        begun = time.monotonic()
        day = datetime.fromtimestamp(self.senders.story_time - 86_400 * 1.5, timezone.utc).strftime("%Y-%m-%d")
        outcome = self.world.run("nightly", "--day", day)
        if outcome.returncode != 0 and not (outcome.returncode == 3 and self.world.was_disturbed(begun)):
            self.world.findings.add("night", f"a second night at the same time ended with {outcome.returncode}: {last_words(outcome.stderr)}")

    def rebuild(self, chance):
        """nightly --rebuild, half of them killed"""
        with self.world.nights, self.world.without_writers():
            if chance.random() < 0.5:
                return self.run_night("--rebuild")
            process = self.world.spawn("nightly", "--rebuild", log="nights.log")
            try:
                process.wait(chance.uniform(0.2, 2))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    # Operators.

    def zone(self, chance):
        """apps set --zone"""
        self._set(PHONES, "--zone", chance.choice(ZONES))

    def window(self, chance):
        """apps set --window"""
        days = chance.choice(WINDOWS)
        # Dropped days were folded with a shorter window; a longer one can't restore the spans that it ended.
        if self.world.kept_days is not None and days > min([28] + [window for _, window in self.world.windows]):
            return False
        self.world.windows.append((PHONES, days))
        self._set(PHONES, "--window", str(days))

    def doubt(self, chance):
        """apps set --doubt-builds"""
        self._set(PHONES, "--doubt-builds", chance.choice([BETA, f"{BETA} 18A5319i"]))

    def _set(self, app, option, value):
        with self.world.nights:
            self.world.settings[app, option] = value
            self.world.command("apps", "set", app, option, *value.split())
            if self.world.kept_days is not None:
                self.reference.settings_changed_after_drop = True

    def mark(self, chance):
        """kinds mark --legacy, reopen"""
        kind, lifecycle = chance.choice(["search", "radar", "calendar"]), chance.choice(["legacy", "legacy", "reopen"])
        app = chance.choice([PHONES, FORGETTING])
        # 2 means that nothing was heard of this kind yet.
        if self.world.decide(app, kind, lifecycle, allowed=(0, 2)).returncode == 0:
            self.world.marks[app, kind] = lifecycle

    def keys(self, chance):
        """a new key, and the old one revoked"""
        app = chance.choice([PHONES, FORGETTING])
        old = self.world.keys[app]
        outcome = self.world.command("keys", "add", "--app", app)
        if outcome.returncode == 0:
            self.world.keys[app] = outcome.stdout.strip()
            # 1 means that an earlier revocation, whose answer was lost, succeeded.
            self.world.command("keys", "revoke", input=old + "\n", allowed=(0, 1))

    def keep(self, chance):
        """keep --days, with nodes restarted one after the other: the next night drops days"""
        with self.world.nights:
            self.reference.harvest()
            self.world.kept_days = chance.choice(KEPT_DAYS)
            self.world.command("keep", "--days", str(self.world.kept_days))
            for node in self.world.nodes:
                node.terminate(60)
                self.world.start(node)

    def bring(self, chance):
        """import of acknowledged batches, some of them twice; half of the imports killed"""
        path = f"{self.world.folder}/some.ndjson"
        # Don't import a wrong clock's batch that waits in a spool, or its times would be corrected in two ways.
        lines = self.senders.archive(path, {}, lambda delivery: not delivery.life.skew and chance.random() < 0.1)
        if lines == 0:
            return False
        if chance.random() < 0.5:
            self.world.command("import", path)
            return
        process = self.world.spawn("import", path)
        try:
            process.wait(chance.uniform(0.1, 1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def migrate(self, chance):
        """widget-census migrate under load"""
        self.world.command("migrate")

    def look(self, chance):
        """reports, explanations and lists, as people request them"""
        life = chance.choice([life for life in self.senders.fleet.lives if life.app == PHONES])
        for words in chance.sample([
                ("report", chance.choice(["live_now", "live_kinds", "changes", "coverage", "os_quirks", "refused", "retirement"])),
                ("explain", "--app", PHONES, "--device", life.device), ("kinds", "list", "--app", PHONES), ("apps", "list"),
                ("keep",)], 3):
            # 1 means that nothing was heard of this device yet.
            self.world.command(*words, allowed=(0, 1) if words[0] == "explain" else (0,))

    def back_up(self, chance):
        """pg_dump under load; `restore` uses it"""
        self.saved = self.world.backup() or self.saved

    def restore(self, chance):
        """an older backup replaces the database; acknowledged batches are imported, forgotten devices forgotten again"""
        if self.saved is None:
            self.saved = self.world.backup()
            time.sleep(chance.uniform(1, 4))
        if self.saved is None:
            return False
        world = self.world
        with world.nights, world.disturbance():
            self.reference.harvest()
            world.restore(self.saved)
            for app in (PHONES, FORGETTING):
                world.keys[app] = world.command("keys", "add", "--app", app).stdout.strip()
            for (app, option), value in world.settings.items():
                world.command("apps", "set", app, option, *value.split())
            path = f"{world.folder}/acknowledged.ndjson"
            self.senders.archive(path, self.reference.offsets)
            world.command("import", path)
            for (app, kind), lifecycle in world.marks.items():
                world.decide(app, kind, lifecycle)
            # Events that are not reconciled when a device is forgotten never count.
            world.command("nightly")
            for device in list(self.senders.erased):
                world.command("forget", "--app", FORGETTING, "--pseudonym", device)
            for device in list(self.senders.forgotten_strangers):
                world.command("forget", "--app", STRANGERS, "--pseudonym", device)
            if world.kept_days is not None:
                world.command("keep", "--days", str(world.kept_days))
            for node in world.nodes:
                world.start(node)

    def verify(self, chance):
        """nightly --verify in between"""
        with self.world.nights:
            self.run_night("--verify")


ALL = {"kill-node": Faults.kill_node, "terminate-node": Faults.terminate_node, "freeze-node": Faults.freeze_node,
       "kill-backend": Faults.kill_backend, "end-sessions": Faults.end_sessions, "kill-postmaster": Faults.kill_postmaster,
       "postgres-away": Faults.postgres_away, "lock": Faults.lock, "hold": Faults.hold, "kill-night": Faults.kill_night,
       "interrupt-night": Faults.interrupt_night, "second-night": Faults.second_night, "rebuild": Faults.rebuild,
       "zone": Faults.zone, "window": Faults.window, "doubt": Faults.doubt, "mark": Faults.mark, "keys": Faults.keys,
       "keep": Faults.keep, "import": Faults.bring, "migrate": Faults.migrate, "look": Faults.look, "back-up": Faults.back_up,
       "restore": Faults.restore, "verify": Faults.verify}
