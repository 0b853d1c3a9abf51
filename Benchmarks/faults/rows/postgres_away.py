import time


def postgres_away(world):
    """PostgreSQL is stopped for 10 minutes: 503 to all, flat memory, and recovery without help"""
    service = world.begin()
    load = world.drive()
    time.sleep(world.size(1, 20))
    before = service.resident()
    world.postgres.stop()
    world.fault()
    world.expect_away(service, world.size(3, 600))
    world.verdict.at_most("memory growth", service.resident() - before, 20, "MiB")
    world.postgres.start()
    world.recovered(time.monotonic(), 10)
    world.verdict.expect(service.is_running, "the service exited")
    world.finish(counted=True)
