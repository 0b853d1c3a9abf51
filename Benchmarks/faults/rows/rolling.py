import functools
import os
import re
import signal
import subprocess
import time

from harness.balancer import ALIVE, Balancer, find
from harness.journal import Journal
from harness.load import Phone
from harness.program import last_words
from harness.service import environment
from .two_nodes import compare_with_one_node

NAMES = ("one", "two", "three")


def rolling(world):
    """three nodes behind HAProxy are upgraded (CENSUS_NEXT_PROGRAM) one by one; one is killed, one frozen"""
    find()
    world.postgres.copy(world.setting.template)
    world.postgres.start()
    world.postgres.sql("create database one template census", database="postgres")
    nodes = {name: world.serve(name=f"node-{name}") for name in NAMES}
    balancer = Balancer(world.folder, {name: node.port for name, node in nodes.items()})
    world.proxies.append(balancer)
    balancer.start()
    await_all(world, balancer)
    journal = Journal(world.setting.seed, devices=200, age=3 * 86_400)
    phone = functools.partial(Phone, lasts=world.count(5, 20))
    load = world.drive(senders=6, pace=0.1, journal=journal, port=balancer.port, client=phone)
    time.sleep(world.size(1, 5))

    world.program = os.path.realpath(os.environ.get("CENSUS_NEXT_PROGRAM") or world.program)
    roll = Roll(world, balancer, nodes)
    migrate(world, balancer, nodes)
    roll.drained()
    for _ in range(world.count(0, 3)):
        roll.unannounced()
        kill(world, balancer, nodes["one"])
        freeze(world, balancer, "two", nodes["two"])
    roll.judge_shares()

    load.stop()
    unaccepted = load.settle(60)
    world.verdict.expect(unaccepted == 0, f"{unaccepted} batches are still not accepted")
    run(world, "migrate", database="one")
    compare_with_one_node(world, load, senders=6, once_counted=False)
    world.finish(needs_failures=False)


def migrate(world, balancer, nodes):
    """Runs the next version's `migrate` once, while nodes of this version take events."""
    begun = time.monotonic()
    run(world, "migrate")
    unready = [name for name, node in nodes.items() if node.status("/readyz") != 200]
    world.verdict.figure("nodes unready after migrate", len(unready))
    for name in unready:
        await_balancer(world, lambda: not balancer.is_up(name), f"the balancer did not notice that {name} is not ready")
        world.verdict.expect(balancer.is_up(name, ALIVE), f"the balancer considers the node {name} dead")
    time.sleep(world.size(1, 5))
    judge(world, "migrate", begun, [])


class Roll:
    """Stops one node after another, and starts the next version on the same port."""

    def __init__(self, world, balancer, nodes):
        self.world, self.balancer, self.nodes = world, balancer, nodes
        self.answered = dict.fromkeys(nodes, 0)

    def drained(self):
        """As docs/guides/operations.md says."""
        begun, nights = time.monotonic(), []
        for name, node in self.nodes.items():
            self.balancer.drain(name)
            await_balancer(self.world, lambda: self.balancer.connections(name) == 0, f"the node {name} still has connections", 30)
            self._replace(name, node)
            self.balancer.take(name)
            await_up(self.world, self.balancer, name)
            # Two nights at once, of the new version, as soon as there is a node of it.
            nights = nights or [spawn(self.world, "nightly") for _ in range(2)]
        for night in nights:
            output, _ = night.communicate(timeout=120)
            self.world.verdict.expect(night.returncode == 0, f"a night ended with {night.returncode}: {last_words(output)}")
        judge(self.world, "roll", begun, [])

    def unannounced(self):
        """Stops a node as if its machine shut down: SIGTERM, and the balancer has to notice."""
        begun, stops = time.monotonic(), []
        for name, node in self.nodes.items():
            stops.append(self._replace(name, node))
            await_up(self.world, self.balancer, name)
        judge(self.world, "SIGTERM", begun, stops)

    def _replace(self, name, node):
        """- Returns: when it got the signal, and when it had stopped."""
        world = self.world
        self.answered[name] += requests(node)
        begun = time.monotonic()
        status, took = node.terminate()
        world.fault()
        world.verdict.expect(status == 0, f"the node {name} exited {status}")
        world.verdict.at_most("exit max", took, 10)
        node.program = world.program
        world.verdict.at_most("ready max", node.start(), 5)
        return begun, begun + took

    def judge_shares(self):
        deadline = time.monotonic() + 10
        while not all(map(requests, self.nodes.values())) and time.monotonic() < deadline:
            time.sleep(0.1)
        for name, node in self.nodes.items():
            number = requests(node)
            self.world.verdict.expect(number > 0, f"the new node {name} has answered nothing")
            self.answered[name] += number
        shares = [100 * number // max(sum(self.answered.values()), 1) for number in self.answered.values()]
        self.world.verdict.figure("shares", "/".join(map(str, shares)) + "%")
        self.world.verdict.exercised(min(shares) >= 5, f"a node got hardly any requests: {shares}%")


def judge(world, name, begun, stops):
    """Checks that only requests on connections that a stopping node closed have failed since."""
    answers = [answer for answer in world.load.answers if answer.begun >= begun]
    broken = [answer for answer in answers if answer.status == 0]
    late = sum(1 for answer in answers if answer.status == 503)
    before = world.verdict.figures.get(f"{name}: failed", "0 of 0").split()
    failed, number = int(before[0]) + len(broken) + late, int(before[2]) + len(answers)
    world.verdict.figure(f"{name}: failed", f"{failed} of {number}")
    world.verdict.exercised(len(answers) > 10, f"there were hardly any requests during {name}")
    others = sorted({answer.status for answer in answers} - {202, 503, 0})
    world.verdict.expect(not others, f"{name}: requests were answered {others}")
    for answer in broken:
        ended = answer.begun + answer.took
        # The client can notice a little later.
        world.verdict.expect(any(stop <= ended <= end + 0.5 for stop, end in stops),
                             f"{name}: a request failed while no node was stopping")


def kill(world, balancer, node):
    time.sleep(1)
    node.kill()
    world.fault()
    world.recovered(time.monotonic(), 5)
    world.verdict.at_most("ready max", node.start(), 5)
    await_all(world, balancer)


def freeze(world, balancer, name, node):
    """Freezes a node: it keeps its connections, and the kernel accepts more for it."""
    time.sleep(1)
    os.kill(node.process.pid, signal.SIGSTOP)
    world.fault()
    begun = time.monotonic()
    while balancer.is_up(name) and time.monotonic() < begun + 10:
        time.sleep(0.02)
    # A second until the next check, 2 s for its answer, half a second, and 2 s more.
    world.verdict.at_most("taken out max", None if balancer.is_up(name) else time.monotonic() - begun, 7)
    out = time.monotonic()
    time.sleep(3)
    world.recovered(out, 5)
    stuck = [answer for answer in world.load.answers if answer.begun > out and answer.status == 0]
    world.verdict.expect(not stuck, f"{len(stuck)} requests reached a frozen node after the balancer had removed it")
    os.kill(node.process.pid, signal.SIGCONT)
    await_all(world, balancer)
    world.verdict.expect(node.is_running, "the node that was frozen exited")


def requests(node):
    """How many batches this process has answered."""
    _, text = node.get("/metrics")
    found = re.findall(r'^widget_census_http_requests_total\{route="events",.*\} (\d+)$', text.decode(), re.MULTILINE)
    return sum(map(int, found))


def run(world, command, database="census"):
    process = spawn(world, command, database)
    output, _ = process.communicate(timeout=120)
    world.verdict.expect(process.returncode == 0, f"{command} ended with {process.returncode}: {last_words(output)}")


def spawn(world, command, database="census"):
    return subprocess.Popen([world.program, command], env=environment(world.postgres.url(database=database)),
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def await_all(world, balancer):
    for name in NAMES:
        await_up(world, balancer, name)


def await_up(world, balancer, name):
    await_balancer(world, lambda: balancer.is_up(name), f"the balancer does not use the node {name} again")


def await_balancer(world, holds, otherwise, limit=10):
    deadline = time.monotonic() + limit
    while not holds():
        if time.monotonic() > deadline:
            raise RuntimeError(otherwise)
        time.sleep(0.05)
