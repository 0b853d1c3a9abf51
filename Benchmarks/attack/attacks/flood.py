"""Overload: small bodies that make much work, bodies that never end, and too many connections."""

import collections
import gzip
import json
import os
import re
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time

from harness.journal import spelled
from harness.load import Client
from harness.program import processor_time

from .slow import Healthy
from .target import Target, politely

HERE = os.path.dirname(os.path.realpath(__file__))
LOUD = "com.example.loud"
MEMORY, OTHERS, CONNECTIONS = 300, 250, 1_500
# A healthy client's p99 before the attack is some 20 ms. Above this the machine is too busy for a verdict.
BUSY = 50
# The server accepts at most 2,048 connections.
SILENT = 3_000
# How many numbers the machine on which we set the limits adds up in a second, one after another.
REFERENCE = 60e6


def heavy_bodies(target, verdict, options):
    """20 bodies a second of 8 KB that inflate to 8 MiB, with one key: other apps' p99 stays under 250 ms, /livez answers"""
    with Flooded(target, verdict) as flooded:
        flooded.calm(3 if options.quick else 10)
        seconds = 6 if options.quick else 30
        body = flooded.path("body")
        with open(body, "wb") as file:
            file.write(bomb())
        verdict.figure("bytes a body", os.path.getsize(body))
        process = politely(
            [sys.executable, f"{HERE}/bomber.py", str(flooded.service.port), flooded.loud, "20", str(seconds), body],
            flooded.folder, stdout=subprocess.PIPE, text=True)
        output = flooded.during(lambda: process.communicate(timeout=seconds + 60)[0])
        answers = json.loads(output)
        verdict.figure("answers", " ".join(f"{status}: {count}" for status, count in sorted(answers.items())))
        unknown = set(answers) - {"202", "429", "503"}
        verdict.expect(not unknown, f"answers {unknown}")
        verdict.expect(answers.get("202", 0) > 0, "the server accepted none of them, so it decoded nothing")


def wide_bodies(target, verdict, options):
    """eight keys' bodies of 8 MiB full of the smallest widgets, all different, and of 64 KiB: same limits for memory and p99"""
    seconds, large, unlike = (6, 1 << 20, 3) if options.quick else (20, 8 << 20, 5)
    with Flooded(target, verdict) as flooded:
        flooded.calm(3 if options.quick else 10)
        bombers = []
        for number in range(8):
            app = f"com.example.wide{number}"
            flooded.target.run("apps", "add", app)
            flooded.target.run("apps", "set", app, "--max-kinds", "2000")
            key = flooded.target.run("keys", "add", "--app", app)
            is_large = number % 2 == 0
            # Large ones from one device, whose history grows; small ones each from another device.
            bodies = [flooded.path(f"body{number}-{turn}") for turn in range(unlike if is_large else 20 * unlike)]
            for turn, body in enumerate(bodies):
                device = app if is_large else f"{app} {turn}"
                field = ("kind", "instance")[(number // 2) % 2]
                with open(body, "wb") as file:
                    file.write(wide(app, device, large if is_large else 64 << 10, field, turn))
            bombers.append((key, "2" if is_large else "20", bodies))

        def attack():
            processes = [politely(
                [sys.executable, f"{HERE}/bomber.py", str(flooded.service.port), key, rate, str(seconds), *bodies],
                flooded.folder, stdout=subprocess.PIPE, text=True) for key, rate, bodies in bombers]
            answers = collections.Counter()
            for process in processes:
                answers.update(json.loads(process.communicate(timeout=seconds + 60)[0]))
            return answers

        answers = flooded.during(attack)
        verdict.figure("answers", " ".join(f"{status}: {count}" for status, count in sorted(answers.items())))
        unknown = set(answers) - {"202", "429", "503"}
        verdict.expect(not unknown, f"answers {unknown}")
        verdict.expect(answers["202"] > 0, "the server accepted none of them, so it decoded nothing")


def strange_bodies(target, verdict, options):
    """bodies full of the most expensive JSON members, each shape at 2 and 8 MiB: four times the bytes, four times the CPU time"""
    with Flooded(target, verdict) as flooded:
        flooded.calm(2 if options.quick else 10)
        client = Client(flooded.service.port)

        def cost(body):
            """CPU time of the service for one body: the least of several."""
            took = []
            for _ in range(2 if options.quick else 3):
                used = processor_time(flooded.service.process.pid)
                answer, _ = client.request("POST", "/v1/events", body, headers={
                    "Authorization": "Bearer " + flooded.loud, "Content-Type": "application/json", "Content-Encoding": "gzip"})
                while answer.status == 429:
                    time.sleep(1)
                    used = processor_time(flooded.service.process.pid)
                    answer, _ = client.request("POST", "/v1/events", body, headers={
                        "Authorization": "Bearer " + flooded.loud, "Content-Type": "application/json",
                        "Content-Encoding": "gzip"})
                verdict.expect(answer.status in (202, 400, 413, 422), f"answered {answer.status}")
                took.append(processor_time(flooded.service.process.pid) - used)
            return min(took)

        for name, shape in STRANGE.items():
            small, large = (cost(strange(shape, size)) for size in (2_000_000, 7_900_000))
            verdict.figure(name, f"{1_000 * small:.0f}, {1_000 * large:.0f} ms")
            verdict.expect(large < 0.7 * verdict.slack, f"{name}: {large:.2f} s of CPU time for one body")
            # A process's CPU clock has steps of 10 ms.
            verdict.expect(large < 8 * max(small, 0.03), f"{name}: {small:.2f} s, and {large:.2f} s for four times as much")
        client.close()


# The repeated part: members of the root or of an event, events, widgets. Each of these was once much too expensive.
STRANGE = {
    "an escaped name": ("root", '"\\u0061":1'), "a name of ours": ("root", '"id":1'), "our name escaped": ("root", '"\\u0069d":1'),
    "strange names": ("root", '"sentat%d":1'), "in an event": ("event", '"\\u0061":1'), "names in an event": ("event", '"x%d":1'),
    "events of nothing": ("events", '{"x1":1,"x2":2,"x3":3,"x4":4,"x5":5,"x6":6,"x7":7,"x8":8}'),
    "families": ("widgets", '{"kind":"a","family":"f%d"}'), "names in a widget": ("widgets", '{"kind":"a","x%d":1}'),
    "escapes": ("root", '"\\u0061\\u0062\\u0063":"\\u0061\\u0062\\u0063\\ud83d\\ude00"'), "arrays": ("root", '"a":[[[[[[[[[]]]]]]]]]'),
}


def strange(shape, size):
    """A valid batch with a part that is repeated up to a size."""
    where, text = shape
    base, now = json.loads(batch("strange")), spelled(time.time())
    count = size // (len(text) + (6 if "%" in text else 1))
    numbered = [text % number if "%" in text else text for number in range(count)]
    many = ",".join(numbered)
    events = base.pop("events")
    head = json.dumps(base)[:-1]
    if where == "root":
        return gzip.compress(("{" + many + "," + head[1:] + ',"events":' + json.dumps(events) + "}").encode(), mtime=0)
    if where == "event":
        return gzip.compress((head + ',"events":[{' + many + "," + json.dumps(events[0])[1:] + "]}").encode(), mtime=0)
    if where == "events":
        # As many events as allowed, each large enough to fill the size.
        each = "{" + ",".join(f'"x{number}":1' for number in range(size // 1_000 // 10)) + "}"
        return gzip.compress((head + ',"events":[' + ",".join([each] * 1_000) + "]}").encode(), mtime=0)
    lists = [numbered[first:first + 1_000] for first in range(0, count, 1_000)]
    reports = ",".join(f'{{"id":"s{number}","type":"widgets_reported","at":"{now}","widgets":[{",".join(one)}]}}'
                       for number, one in enumerate(lists))
    return gzip.compress((head + ',"events":[' + reports + "]}").encode(), mtime=0)


def unread_answers(target, verdict, options):
    """1,900 connections without a key that request documents and pages 16 times each and read nothing: memory stays, other clients are served"""
    count = 500 if options.quick else 1_900
    may_open(count + 500)
    with Flooded(target, verdict) as flooded:
        flooded.calm(2 if options.quick else 10)
        unread = Unread(flooded.service.port, count)
        flooded.during(lambda: unread.run(8 if options.quick else 20))
        verdict.figure("connections", count)
        verdict.expect(unread.opened == count, f"only {unread.opened} of {count} connections")


def held_bodies(target, verdict, options):
    """1,500 connections that hold back the last byte of 1 MiB: resident memory stays under 300 MiB, other clients are served"""
    count = 400 if options.quick else CONNECTIONS
    may_open(count + 500)
    with Flooded(target, verdict) as flooded:
        flooded.calm(2 if options.quick else 10)
        held = Held(flooded.service.port, flooded.loud, count)
        flooded.during(lambda: held.run(8 if options.quick else 20))
        verdict.figure("connections", count)
        verdict.figure("sent", f"{held.sent >> 20} MiB")
        verdict.figure("answers", " ".join(f"{status}: {n}" for status, n in sorted(held.answers.items())))
        verdict.expect(held.opened == count, f"only {held.opened} of {count} connections")
        verdict.expect(held.answers.get("503", 0) > 0, "all of them were admitted: the budget was not reached")


def silent_connections(target, verdict, options):
    """more connections than allowed that send nothing, or half a header: new clients and /livez are served meanwhile"""
    count = SILENT if options.quick else 2 * SILENT
    may_open(count + 500)
    with Flooded(target, verdict, keeps=False) as flooded:
        flooded.calm(2 if options.quick else 10)
        # A debug build accepts some 1,700 connections a second on two cores, fewer on slower or busy ones. Faster than that we would
        # measure the time in the listen queue. It must still be faster than silent ones end, or the server would not get full.
        share = max(0.15, share_of_processor()) if options.quick else 1
        silent = Silent(flooded.service.port, count, 1_000 * share if options.quick else None)
        flooded.during(lambda: silent.run(7 / share if options.quick else 30))
        _, text = flooded.service.get("/metrics")
        cut = re.search(rb"^widget_census_connections_cut_total (\d+)$", text, re.MULTILINE)
        verdict.figure("at once", silent.most)
        verdict.figure("opened", silent.opened)
        verdict.figure("cut", int(cut[1]) if cut else 0)
        verdict.expect(silent.opened >= count, f"only {silent.opened} connections were opened: the server was not full")
        verdict.expect(cut and int(cut[1]) > 0, "the server closed no waiting connection, or doesn't count them")


def crumbs(target, verdict, options):
    """500 clients a second send 700 KB of the smallest requests, or of a body's smallest chunks, and read nothing"""
    with Flooded(target, verdict, keeps=False) as flooded:
        flooded.calm(2 if options.quick else 10)
        crumbs = Crumbs(flooded.service.port, flooded.loud, 20 if options.quick else 500)
        flooded.during(lambda: crumbs.run(6 if options.quick else 30))
        verdict.figure("opened", crumbs.opened)
        verdict.figure("sent", f"{crumbs.sent >> 20} MiB")
        verdict.expect(crumbs.opened >= 60, f"only {crumbs.opened} connections")


def descriptors(target, verdict, options):
    """no file descriptors for new clients: the others are served, the event loops are idle, and the server recovers by itself"""
    with Flooded(target, verdict) as flooded:
        service, client = flooded.service, Client(flooded.service.port)
        verdict.expect(client.request("GET", "/livez")[0].status == 200, "the service was not alive at the beginning")
        pid = service.process.pid
        before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{pid}/fd")) + 20, before[1]))
        sockets = [socket.create_connection(("127.0.0.1", service.port), timeout=5) for _ in range(100)]
        time.sleep(0.5)
        begun, used = time.monotonic(), processor_time(pid)
        alive = [client.request("GET", "/livez")[0].status for _ in range(20) if not time.sleep(0.1)]
        share = (processor_time(pid) - used) / (time.monotonic() - begun)
        _, text = client.request("GET", "/metrics")
        errors = re.search(rb"^widget_census_accept_errors_total (\d+)$", text, re.MULTILINE)
        verdict.figure("accept errors", int(errors[1]) if errors else 0)
        verdict.figure("processor", share)
        verdict.expect(set(alive) == {200}, f"/livez on an existing connection: {alive}")
        verdict.expect(errors and int(errors[1]) > 0, "the limit was not reached, or the server doesn't count it")
        verdict.expect(share < 0.6, f"the event loops use {share:.2f} of a processor")
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        healed, patience = None, time.monotonic() + 10
        while healed is None and time.monotonic() < patience:
            healed = time.monotonic() if service.status("/livez") == 200 else None
        verdict.expect(healed, "no new client was served after the limit was raised again")
        for one in sockets:
            one.close()
        client.close()


class Flooded:
    """A separate service with the default rates, a healthy phone of one app, and another app's key."""

    def __init__(self, target, verdict, keeps=True):
        """- keeps: whether the healthy clients keep their connections or open one for each request."""
        self.verdict, self.keeps = verdict, keeps
        self.folder = tempfile.mkdtemp(prefix=f"{verdict.row}-", dir=target.folder)
        os.chmod(self.folder, 0o711)
        rates = {"CENSUS_RATE_REQUESTS": "1000", "CENSUS_RATE_EVENTS": "50000", "CENSUS_RATE_KIB": "16384"}
        self.target = Target(target.program, self.folder, **rates)
        self.service = self.target.service

    def __enter__(self):
        self.target.start()
        self.target.run("apps", "add", LOUD)
        self.loud = self.target.run("keys", "add", "--app", LOUD)
        # After this request the server knows the key.
        Client(self.service.port).request("GET", "/v1/gallery-policy", headers={"Authorization": "Bearer " + self.loud})
        return self

    def __exit__(self, *error):
        self.verdict.expect(self.service.is_running, "the service has ended")
        self.target.stop()

    def path(self, name):
        return f"{self.folder}/{name}"

    def calm(self, seconds):
        _, phone, alive, _ = self._watched("before", lambda: time.sleep(seconds))
        self.before = {"others' p99": 1_000 * phone.percentile(0.99), "livez p99": 1_000 * alive.percentile(0.99)}

    def during(self, body):
        result, phone, alive, peak = self._watched("during", body)
        self.verdict.figure("peak memory", f"{peak:.0f} MiB")
        self.verdict.expect(peak <= MEMORY, f"{peak:.0f} MiB resident (limit: {MEMORY})")
        self._judge("others' p99", phone)
        if not self.keeps:
            self._judge("livez p99", alive)
        self.verdict.expect(phone.failed == 0, f"{phone.failed} of {len(phone.took)} healthy requests failed")
        self.verdict.expect(alive.failed == 0, f"/livez failed {alive.failed} of {len(alive.took)} times")
        return result

    def _judge(self, name, probe):
        took, before = 1_000 * probe.percentile(0.99), self.before[name]
        if took > OTHERS * self.verdict.slack and before > BUSY:
            self.verdict.exercised(False, f"{name}: {took:.0f} ms, but {before:.0f} ms before the attack")
        else:
            self.verdict.at_most(name, took, OTHERS, "ms")

    def _watched(self, when, body):
        phone, alive, memory = Healthy(self.target, self.keeps), Alive(self.target, self.keeps), Memory(self.service)
        try:
            result = body()
        finally:
            for one in (phone, alive, memory):
                one.stop()
        for name, probe in (("others", phone), ("livez", alive)):
            middle, worst = (f"{1_000 * probe.percentile(share):.0f}" for share in (0.5, 0.99))
            self.verdict.figure(f"{name} {when}", f"{middle}/{worst} ms ({len(probe.took)})")
        return result, phone, alive, memory.peak


class Alive(Healthy):
    """Requests /livez 50 times a second, on its own connections."""

    def _run(self):
        client = Client(self.target.service.port)
        while not self.stopping.wait(0.02):
            answer, _ = client.request("GET", "/livez")
            self.took.append(answer.took)
            self.failed += answer.status != 200
            if not self.keeps:
                client.close()
        client.close()


class Memory:
    def __init__(self, service):
        self.service, self.peak, self.stopping = service, 0.0, threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def stop(self):
        self.stopping.set()
        self.thread.join()

    def _run(self):
        while not self.stopping.wait(0.05):
            self.peak = max(self.peak, self.service.resident())


class Held:
    """Connections that send all of a request but its last byte, as far as the server reads."""

    def __init__(self, port, key, count):
        self.port, self.count, self.opened, self.sent, self.answers = port, count, 0, 0, {}
        body = batch("held").encode()
        body += b" " * ((1 << 20) - len(body))
        head = (f"POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n")
        self.bytes = (head.encode() + body)[:-1]

    def run(self, seconds):
        selector, deadline = selectors.DefaultSelector(), time.monotonic() + seconds
        for _ in range(self.count):
            one = socket.create_connection(("127.0.0.1", self.port), timeout=5)
            one.setblocking(False)
            selector.register(one, selectors.EVENT_READ | selectors.EVENT_WRITE, [0])
            self.opened += 1
        while selector.get_map() and time.monotonic() < deadline:
            for key, events in selector.select(0.1):
                self._turn(selector, key.fileobj, key.data, events)
        for key in list(selector.get_map().values()):
            key.fileobj.close()
        selector.close()

    def _turn(self, selector, one, position, events):
        try:
            if events & selectors.EVENT_WRITE:
                sent = one.send(memoryview(self.bytes)[position[0]:position[0] + 65_536])
                self.sent += sent
                position[0] += sent
                if position[0] == len(self.bytes):
                    selector.modify(one, selectors.EVENT_READ, position)
            if events & selectors.EVENT_READ:
                answer = one.recv(65_536)
                if answer:
                    status = answer.split(b" ", 2)[1].decode()
                    self.answers[status] = self.answers.get(status, 0) + 1
                    return
                selector.unregister(one)
                one.close()
        except BlockingIOError:
            return
        except OSError:
            selector.unregister(one)
            one.close()


class Crumbs:
    """Requests whose answers nobody reads, and bodies in chunks of one byte, without a key and with one."""

    def __init__(self, port, key, rate):
        """- rate: connections a second."""
        self.port, self.rate, self.opened, self.sent = port, rate, 0, 0
        head = b"POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        chunks = b"\r\n" + b"1;aaaa\r\n[\r\n" * 60_000
        self.kinds = (b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n" * 20_000, head + chunks,
                      head + f"Authorization: Bearer {key}\r\n".encode() + chunks)

    def run(self, seconds):
        begun = time.monotonic()
        while (passed := time.monotonic() - begun) < seconds:
            if self.opened >= self.rate * passed:
                time.sleep(0.001)
                continue
            self._send(self.kinds[self.opened % len(self.kinds)])
            self.opened += 1

    def _send(self, data):
        one = socket.socket()
        one.settimeout(2)
        # Another source address than the healthy clients', or all would run out of ports.
        one.bind(("127.0.0.2", 0))
        position = 0
        try:
            one.connect(("127.0.0.1", self.port))
            while position < len(data):
                position += one.send(memoryview(data)[position:position + 65_536])
        except OSError:
            # The server has closed the connection.
            pass
        self.sent += position
        one.close()


class Unread:
    """Connections that request something large 16 times and read nothing."""

    PATHS = ("/openapi.json", "/contract.md", "/console/style.css", "/console/login", "/v1/manifest.schema.json", "/nowhere")

    def __init__(self, port, count):
        self.port, self.count, self.opened = port, count, 0

    def run(self, seconds):
        deadline, held = time.monotonic() + seconds, []
        for number in range(self.count):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            one.settimeout(5)
            # Another source address than the healthy clients', or all would run out of ports.
            one.bind(("127.0.0.2", 0))
            one.connect(("127.0.0.1", self.port))
            one.sendall(f"GET {self.PATHS[number % len(self.PATHS)]} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 16)
            held.append(one)
            self.opened += 1
        time.sleep(max(deadline - time.monotonic(), 0))
        for one in held:
            one.close()


class Silent:
    """Connections that send nothing, or every other one half a header, and reconnect when they are closed."""

    HALF = b"POST /v1/events HTTP/1.1\r\nHost: x\r\nX-Half: "

    def __init__(self, port, count, rate=None):
        """- rate: how many to open a second; None means as many as possible."""
        self.port, self.count, self.rate, self.opened, self.most = port, count, rate, 0, 0
        self.selector = selectors.DefaultSelector()

    def run(self, seconds):
        begun, opening = time.monotonic(), 0
        while (passed := time.monotonic() - begun) < seconds:
            due = self.rate * passed if self.rate else float("inf")
            while len(self.selector.get_map()) < self.count and opening < 64 and self.opened + opening < due:
                self._open()
                opening += 1
            for key, events in self.selector.select(0.01):
                if key.data["opening"] and events & selectors.EVENT_WRITE:
                    opening -= 1
                    self._begin(key)
                elif events & selectors.EVENT_READ:
                    opening -= key.data["opening"]
                    self.selector.unregister(key.fileobj)
                    key.fileobj.close()
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()

    def _open(self):
        one = socket.socket()
        one.setblocking(False)
        # Another source address than the healthy clients', or all would run out of ports.
        one.bind(("127.0.0.2", 0))
        one.connect_ex(("127.0.0.1", self.port))
        self.selector.register(one, selectors.EVENT_READ | selectors.EVENT_WRITE, {"opening": True})

    def _begin(self, key):
        key.data["opening"] = False
        self.opened += 1
        self.most = max(self.most, len(self.selector.get_map()))
        self.selector.modify(key.fileobj, selectors.EVENT_READ, key.data)
        try:
            if self.opened % 2:
                key.fileobj.send(Silent.HALF)
        except OSError:
            return


def share_of_processor(seconds=0.5):
    """The speed of a process that needs a whole processor, as the service does, relative to the machine on which we set the
    limits. Processors differ by a factor of three."""
    begun, sums = time.monotonic(), 0
    while (passed := time.monotonic() - begun) < seconds:
        sum(number for number in range(10_000))
        sums += 1
    return min(1, sums * 10_000 / passed / REFERENCE)


def may_open(count):
    """Raises the limit of open files as far as allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, count)), hard))


def bomb():
    """A valid batch with nearly 8 MiB of a field that the server ignores."""
    text = batch("bomb")
    return gzip.compress((text[:-1] + ',"ignored":[' + "0," * 4_190_000 + "0]}").encode(), 9, mtime=0)


def batch(device):
    now = spelled(time.time())
    return json.dumps({
        "sent_at": now, "app": {"id": LOUD, "version": "1"}, "installation": {"id": device},
        "device": {"id": device, "platform": "ios"},
        "events": [{"id": now, "type": "widget_opened", "at": now, "widget": {"kind": "weather"}}]})


def wide(app, device, size, field, turn):
    """Reports of 1,000 widgets that differ in one field, as many as fit. No two reports share an instance."""
    begun = time.time() - 3_600 + 30 * turn
    parts = [json.dumps({"sent_at": spelled(time.time()), "app": {"id": app, "version": "1"}, "installation": {"id": device},
                         "device": {"id": device, "platform": "android"}})[:-1] + ',"events":[']
    left = size - len(parts[0]) - 2
    for number in range(400):
        first = 1_000 * (400 * turn + number)
        names = (f'"kind":"{one:x}"' if field == "kind" else f'"kind":"a","{field}":"{first + one:x}"'
                 for one in range(1_000))
        text = (f'{{"id":"{turn}-{number}","type":"widgets_reported","at":"{spelled(begun + number)}","widgets":['
                + ",".join("{" + name + "}" for name in names) + "]}")
        if len(text) + 1 > left:
            break
        left -= len(text) + 1
        parts += [text, ","]
    return gzip.compress(("".join(parts[:-1]) + "]}").encode(), mtime=0)
