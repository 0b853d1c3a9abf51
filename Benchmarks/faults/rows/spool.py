import subprocess
import time

from harness.service import environment
from harness.verdict import Skipped


def spool(world):
    """with a spool, PostgreSQL is away and the service killed before the spool drains: 202 throughout, and all is stored later"""
    folder = {"CENSUS_SPOOL_DIR": world.folder + "/spool"}
    known = subprocess.run([world.setting.program, "apps", "list"], env=environment("host=127.0.0.1 port=1", **folder),
                           capture_output=True, text=True)
    if "unknown variable CENSUS_SPOOL_DIR" in known.stderr:
        raise Skipped("this program has no spool")
    service = world.begin(**folder)
    # Five minutes of batches of 9 KB fit into the spool's gigabyte; beyond that the answer would be 503.
    load = world.drive(pace=0.03)
    time.sleep(1)
    for _ in range(world.count(1, 5)):
        world.postgres.kill()
        away = time.monotonic()
        world.fault()
        time.sleep(world.size(3, 60))
        # Its first answers can still be 503.
        taken = sum(1 for answer in load.answers if answer.begun > away + 1 and answer.status == 202)
        world.verdict.figure("taken while away", taken + int(world.verdict.figures.get("taken while away", 0)))
        world.verdict.expect(taken > 0, "nothing was acknowledged while PostgreSQL was away")
        # Killed with all of that on its disk. A service does not start while PostgreSQL is away.
        service.kill()
        world.fault()
        world.postgres.start()
        service.spawn()
        world.recovered(time.monotonic(), 10)
    load.stop()
    drained, begun = None, time.monotonic()
    while drained is None and time.monotonic() < begun + world.size(60, 600):
        if world.reconciliation()["lost"] == 0:
            drained = time.monotonic() - begun
        time.sleep(0.5)
    world.verdict.at_most("drained", drained, world.size(60, 600))
    # With a spool hardly any request fails; the batches taken while PostgreSQL was away prove that the fault had an effect.
    world.finish(needs_failures=False)
