import subprocess
import time

from harness.service import environment


def migrate(world):
    """`widget-census migrate` runs under load, by itself and four at once"""
    world.begin()
    load = world.drive()
    time.sleep(0.5)
    begun = time.monotonic()
    for number in range(world.count(3, 20)):
        runs = [subprocess.Popen([world.setting.program, "migrate"], env=environment(world.postgres.url()),
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                for _ in range(4 if number % 2 else 1)]
        for run in runs:
            output, _ = run.communicate(timeout=60)
            world.verdict.expect(run.returncode == 0, f"migrate ended with {run.returncode}: {output.strip()}")
            world.fault()
    meanwhile = [answer.status for answer in load.answers if answer.begun > begun]
    world.verdict.exercised(meanwhile.count(202) > 10, "there were hardly any requests meanwhile")
    failed = sum(1 for status in meanwhile if status != 202)
    world.verdict.expect(failed == 0, f"{failed} requests failed meanwhile")
    world.finish(needs_failures=False)
