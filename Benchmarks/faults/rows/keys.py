import subprocess
import threading
import time

from harness.journal import APP
from harness.load import Client, Load
from harness.service import environment


def replay(world):
    """a captured request is sent 1000 times: no new row, and the key's rate holds"""
    service = world.begin(CENSUS_RATE_REQUESTS="50")
    load = world.load = Load(world.journal, [service.port], world.key)
    batch = load.journal.claim(size=20)
    body = batch.body(time.time())
    first = load.send(Client(service.port), batch)
    world.verdict.expect(first, "the first delivery was not accepted")
    before = world.postgres.number("select count(*) from census.observation")

    def attacker(count):
        client = Client(service.port)
        headers = {"Content-Type": "application/json", "Authorization": "Bearer " + world.key}
        for _ in range(count):
            answer, _ = client.request("POST", "/v1/events", body, headers)
            load.answers.append(answer)
            world.fault()
        client.close()

    threads = [threading.Thread(target=attacker, args=(world.count(250, 250),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    statuses = [answer.status for answer in load.answers]
    world.verdict.figure("new rows", world.postgres.number("select count(*) from census.observation") - before)
    world.verdict.expect(world.verdict.figures["new rows"] == "0", "a replay created new rows")
    world.verdict.figure("429", statuses.count(429))
    world.verdict.expect(statuses.count(202) > 1 and 429 in statuses, "no replay was accepted, or the rate limit did not apply")
    world.finish(allowed={429})


def key_rotation(world):
    """keys are rotated under load: no valid key is refused, and a revoked one opens nothing"""
    service = world.begin()
    load = world.drive(senders=4, pace=0.05)

    def keys(*words, text=None):
        return subprocess.run([world.setting.program, "keys", *words], input=text, text=True, check=True,
                              capture_output=True, env=environment(world.postgres.url())).stdout.strip()

    for _ in range(world.count(1, 10)):
        old, new = load.key, keys("add", "--app", APP)
        # Half of the clients still have the old one; both are valid.
        client, overlap = Client(service.port), time.monotonic() + world.size(0.5, 2)
        while time.monotonic() < overlap:
            load.key = new if load.key == old else old
            time.sleep(0.05)
        load.key = world.key = new
        # Let requests with the old one end before it is revoked.
        time.sleep(0.5)
        keys("revoke", text=old)
        revoked, status = time.monotonic(), None
        while status != 403 and time.monotonic() < revoked + 10:
            status = client.request("GET", "/v1/gallery-policy", headers={"Authorization": "Bearer " + old})[0].status
            time.sleep(0.02)
        world.fault()
        world.verdict.at_most("refused after max", time.monotonic() - revoked if status == 403 else None, 6)
        client.close()
    wrongful = sum(1 for answer in load.answers if answer.status in (401, 403))
    world.verdict.figure("wrongful 401/403", wrongful)
    world.finish(needs_failures=False)
