import threading
import time

from harness.load import Client


def locked(world):
    """census.observation is locked for a minute: 503 in time, and other requests are served"""
    service = world.begin()
    load = world.drive(senders=16)
    time.sleep(1)
    before = service.resident()
    seconds = world.size(4, 60)
    holder = threading.Thread(target=world.postgres.sql, args=(
        f"begin; lock table census.observation in access exclusive mode; select pg_sleep({seconds}); commit",))
    begun = time.monotonic()
    holder.start()
    world.fault()
    headers = {"Authorization": "Bearer " + world.key}
    slowest, largest, client = 0, before, Client(service.port)
    while holder.is_alive():
        answer, _ = client.request("GET", "/v1/gallery-policy", headers=headers)
        # The lock can end in between.
        if holder.is_alive():
            world.verdict.expect(answer.status == 200, f"the gallery policy was answered {answer.status}")
        slowest, largest = max(slowest, answer.took), max(largest, service.resident())
        time.sleep(0.1)
    world.recovered(time.monotonic(), 5)
    turned_away = sorted(answer.took for answer in load.answers if answer.status == 503 and answer.begun > begun)
    p99 = turned_away[len(turned_away) * 99 // 100] if turned_away else None
    world.verdict.at_most("p99 of 503", p99, 3.5)
    world.verdict.at_most("policy max", slowest, 2)
    # Waiting batches can take 64 MiB.
    world.verdict.at_most("memory growth", largest - before, 84, "MiB")
    world.finish()
