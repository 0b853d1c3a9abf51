import json
import subprocess
import time

from harness.journal import APP
from harness.load import Client
from harness.proxy import Proxy
from harness.service import environment


def gallery_away(world):
    """PostgreSQL is unreachable for one node, which tells every device to show everything; the other answers as usual"""
    proxy = Proxy(world.postgres.port, world.setting.seed)
    world.proxies.append(proxy)
    world.postgres.copy(world.setting.template)
    world.postgres.start()
    cut = world.serve(world.postgres.url(proxy.port), name="cut")
    whole = world.serve(name="whole")
    world.drive(senders=4)
    kind, device, client = "melting", "gallery-away", Client(whole.port)
    headers = {"Authorization": "Bearer " + world.key}
    reports(world, client, device, kind)
    subprocess.run([world.setting.program, "kinds", "mark", kind, "--legacy", "--app", APP],
                   env=environment(world.postgres.url()), check=True, capture_output=True)
    slowest, stale = 0, 0
    for number in range(world.count(2, 20)):
        # The device lacks the kind, both nodes say so, and the phone keeps that answer.
        reports(world, client, device, "another")
        for node in (cut, whole):
            world.verdict.expect(asked_soon(node, headers, device, kind) == ("hide", "lacks_it"),
                                 "a device that lacks the kind was not told to hide it")
        [proxy.stall, proxy.refuse][number % 2]()
        world.fault()
        # Now it holds the kind; only the other node can know.
        reports(world, client, device, kind)
        begun, end = time.monotonic(), time.monotonic() + world.size(3, 10)
        while time.monotonic() < end:
            answer, policy = ask(cut, headers, device)
            slowest = max(slowest, answer.took)
            told = told_of(policy, kind)
            world.verdict.expect(answer.status == 200 and told == ("show", "policy_stale"),
                                 f"the disconnected node answered {answer.status} {told}")
            answer, policy = ask(cut, headers)
            slowest = max(slowest, answer.took)
            # A node keeps decisions for a second.
            is_kept = time.monotonic() < begun + 1
            world.verdict.expect(answer.status == 200 and (policy.get("stale") is True or is_kept)
                                 and policy["kinds"].get(kind) == "hide_unless_installed",
                                 f"the general answer was {answer.status} {policy}")
            stale += 2
            time.sleep(0.02)
        answer, policy = ask(whole, headers, device)
        world.verdict.expect(told_of(policy, kind) == ("show", "holds_it"), "the connected node was wrong")
        proxy.forward()
        world.verdict.expect(asked_soon(cut, headers, device, kind) == ("show", "holds_it"),
                             "the reconnected node does not answer as before")
    client.close()
    world.verdict.figure("stale answers", stale)
    world.verdict.exercised(stale > 20, f"only {stale} answers were given while the store was away")
    world.verdict.at_most("answer max", slowest, 3)
    world.finish()


def reports(world, client, device, kind, limit=10):
    """Sends a list with widgets of one kind, until it is accepted."""
    batch, deadline = world.load.journal.claim(size=1, device=device, kind=kind), time.monotonic() + limit
    while not world.load.send(client, batch) and time.monotonic() < deadline:
        time.sleep(0.1)
    world.verdict.expect(batch.acknowledged, "the connected node did not accept a report")


def ask(node, headers, device=None):
    answer, text = node.get("/v1/gallery-policy", {**headers, **({"Census-Device": device} if device else {})})
    return answer, json.loads(text) if answer.status == 200 else {}


def told_of(policy, kind):
    return policy.get("kinds", {}).get(kind), policy.get("reasons", {}).get(kind)


def asked_soon(node, headers, device, kind, limit=10):
    """The node's answer about the kind, once it reads the store again."""
    deadline, told = time.monotonic() + limit, None
    while time.monotonic() < deadline:
        answer, policy = ask(node, headers, device)
        told = told_of(policy, kind)
        if answer.status == 200 and not policy.get("stale"):
            break
        time.sleep(0.05)
    # Read the general answer, too, because a node repeats from memory only what it has read.
    ask(node, headers)
    return told
