"""Clients that never finish a request."""

import json
import os
import re
import signal
import subprocess
import threading
import time

from harness.journal import spelled
from harness.load import Client

from .target import APP, politely

DEADLINE, GRACE, HEALTHY = 10, 2, 0.1


def slow_heads(target, verdict, options):
    """1,000 connections whose headers never end: closed within 12 s, and a healthy client's p99 is under 100 ms"""
    _attack(target, verdict, options, ["-H"])


def slow_bodies(target, verdict, options):
    """the same with bodies: each gets 408"""
    # The content type is the only header that slowhttptest lets us choose, so it also carries the key.
    slow = _attack(target, verdict, options, [
        "-B", "-t", "POST", "-s", "4096", "-f", f"application/json\r\nAuthorization: Bearer {target.key}"])
    verdict.expect(slow["408"] == slow["connections"], f"{slow['408']} of {slow['connections']} got 408")


def _attack(target, verdict, options, mode):
    connections = 300 if options.quick else 1_000
    # Idle connections of other attacks are closed after 20 s.
    patience = time.monotonic() + 25
    while _established(target.service.port) and time.monotonic() < patience:
        time.sleep(0.1)
    before, resident = target.answered().get(("events", "408"), 0), target.service.resident()
    healthy = Healthy(target)
    process = politely(
        ["slowhttptest", *mode, "-c", str(connections), "-r", str(connections), "-i", "2", "-x", "10", "-l", "30",
         "-p", "5", "-u", target.url + "/v1/events"],
        target.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak, peaked, ended, begun = 0, None, None, time.monotonic()
    try:
        while time.monotonic() < begun + 40:
            # Without the healthy client's connection.
            open_now, now = _established(target.service.port) - 1, time.monotonic()
            peak = max(peak, open_now)
            if peaked is None and peak >= connections:
                peaked = now
            # slowhttptest checks now and then whether the service is available.
            if peaked and open_now <= 1:
                ended = now
                break
            time.sleep(0.05)
        grown = target.service.resident() - resident
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        healthy.stop()
    verdict.figure("connections", connections)
    verdict.expect(peak >= connections, f"only {peak} of {connections} connections were open at once")
    verdict.at_most("closed after", ended and ended - peaked, DEADLINE + GRACE)
    verdict.figure("requests beside", len(healthy.took))
    verdict.at_most("healthy p99", 1_000 * healthy.percentile(0.99), 1_000 * HEALTHY, "ms")
    verdict.expect(healthy.failed == 0, f"{healthy.failed} healthy requests failed")
    verdict.figure("memory growth", f"{grown:.1f} MiB")
    return {"connections": connections, "408": target.answered().get(("events", "408"), 0) - before}


def _established(port):
    """How many connections to the port are open, from the kernel's list."""
    with open("/proc/net/tcp") as file:
        return len(re.findall(rf"^ *\d+: 0100007F:{port:04X} [0-9A-F:]+ 01 ", file.read(), re.MULTILINE))


class Healthy:
    """Phones that send one after another, 50 a second, on one connection or each on its own."""

    def __init__(self, target, keeps=True):
        self.target, self.keeps, self.took, self.failed = target, keeps, [], 0
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def stop(self):
        self.stopping.set()
        self.thread.join()

    def percentile(self, share):
        return sorted(self.took)[int(len(self.took) * share)]

    def _run(self):
        client = Client(self.target.service.port)
        while not self.stopping.wait(0.02):
            now = spelled(time.time())
            batch = {
                "sent_at": now, "app": {"id": APP, "version": "1"}, "installation": {"id": "healthy"},
                "device": {"id": f"healthy-{len(self.took)}", "platform": "ios"},
                "events": [{"id": now, "type": "widget_opened", "at": now, "widget": {"kind": "weather"}}]}
            answer, _ = client.request("POST", "/v1/events", json.dumps(batch), {
                "Content-Type": "application/json", "Authorization": "Bearer " + self.target.key})
            self.took.append(answer.took)
            self.failed += answer.status != 202
            if not self.keeps:
                client.close()
        client.close()
