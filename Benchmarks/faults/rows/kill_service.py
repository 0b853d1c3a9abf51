import time


def kill_service(world):
    """kill -9 of the service under load; the next start needs no help"""
    service = world.begin()
    load = world.drive()
    kills, volume = world.count(4, 30), world.size(2_000, 100_000)
    deadline = time.monotonic() + world.size(60, 1_200)
    while (world.faults < kills or load.acknowledged < volume) and time.monotonic() < deadline:
        time.sleep(load.journal.random.uniform(0.2, world.size(0.8, 1.5)))
        if world.faults >= 1.2 * kills:
            continue
        service.kill()
        world.fault()
        begun = time.monotonic()
        # Sooner than any supervisor would, so the dead process's sessions still hold their locks.
        world.verdict.at_most("ready max", service.start(), 5)
        world.recovered(begun, 10)
    world.verdict.expect(load.acknowledged >= volume, f"only {load.acknowledged} events were acknowledged in time")
    world.finish(counted=True)
