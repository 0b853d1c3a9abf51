import time


def sigterm(world):
    """SIGTERM under load: the service finishes its requests and exits with 0"""
    service = world.begin()
    load = world.drive()
    for _ in range(world.count(3, 20)):
        time.sleep(load.journal.random.uniform(0.3, 1))
        answered = len(load.answers)
        status, took = service.terminate()
        world.fault()
        world.verdict.expect(status == 0, f"the service exited with {status}")
        world.verdict.at_most("exit max", took, 10)
        # While it drains it refuses no request: a connection ends, or a request is answered.
        late = [answer.status for answer in load.answers[answered:] if answer.status not in (202, 0)]
        world.verdict.expect(not late, f"the service answered {sorted(set(late))} while it stopped")
        world.verdict.at_most("ready max", service.start(), 5)
    world.finish()
