import time


def kill_postgres(world):
    """kill -9 of the postmaster under load, back after 1 s and after 60 s"""
    service = world.begin()
    load = world.drive()
    pauses = [1.0] * world.count(2, 20) + [world.size(0, 60)] * (world.size(0, 1) > 0)
    refused = 0
    for pause in pauses:
        time.sleep(load.journal.random.uniform(0.3, 1))
        world.postgres.kill()
        world.fault()
        world.expect_away(service, pause)
        refused += world.postgres.start()
        world.recovered(time.monotonic(), 5)
    world.verdict.figure("starts refused", refused)
    world.verdict.expect(service.is_running, "the service exited")
    world.finish(counted=True)


def kill_backend(world):
    """kill -9 of one of the service's sessions under load: PostgreSQL ends them all and recovers"""
    import os
    import signal

    service = world.begin()
    load = world.drive()
    for _ in range(world.count(2, 20)):
        time.sleep(load.journal.random.uniform(0.3, 1))
        sessions = world.postgres.sql(
            "select pid from pg_stat_activity where datname = 'census' and pid <> pg_backend_pid() order by random()")
        before = world.postgres.log.count("ready to accept connections")
        os.kill(int(sessions[0][0]), signal.SIGKILL)
        world.fault()
        while world.postgres.log.count("ready to accept connections") == before:
            time.sleep(0.01)
        world.recovered(time.monotonic(), 2)
    world.verdict.expect(service.is_running, "the service exited")
    world.finish()
