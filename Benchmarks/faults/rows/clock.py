import ctypes
import glob
import os
import shutil
import subprocess
import time

from harness.journal import Journal
from harness.program import last_words
from harness.verdict import Skipped

DAY = 86_400
TIMERS = os.path.join(os.path.dirname(__file__), "../harness/timers.c")


def clock(world):
    """the server's clock jumps by -2 h, +1 d and +4 y, and back"""
    service = world.begin(**faked(world, 0))
    load = world.drive(senders=4, pace=0.02)
    time.sleep(1)
    for jump in [-7_200, DAY, 0] * world.count(0, 5) + [-7_200, DAY, 4 * 365 * DAY]:
        set_clock(world, jump)
        world.fault()
        world.verdict.exercised(has_come_in(world, jump), f"no event arrived with the clock {jump} s off")
        time.sleep(world.size(0.5, 5))
        world.recovered(time.monotonic(), 5)
        world.verdict.expect(service.is_running, "the service exited")
    load.stop()
    # A night under the last jump must drop nothing, because only devices' own clocks move the retention.
    night = subprocess.run([world.setting.program, "nightly"], env=service.environment, capture_output=True, text=True)
    world.verdict.expect(night.returncode == 0, f"the night ended with {night.returncode}: {last_words(night.stderr)}")
    set_clock(world, 0)
    # Times must be corrected to the server's clock, whatever that is, as the contract says.
    wrong = world.postgres.number("""
        select count(*) from census.observation
        where corrected_at not between received_at - interval '15 minutes' and received_at + interval '5 minutes'""")
    world.verdict.expect(wrong == 0, f"{wrong} events were not corrected to the server's time")
    time.sleep(1)
    world.finish(needs_failures=False, counted=True)
    failed_inserts(world, load)


def has_come_in(world, jump, limit=20):
    """Waits until another event is received in the false time, because the program reads its clock file only now and then."""
    query = f"""
        select count(*) from census.observation
        where received_at between now() + interval '{jump - 1800} s' and now() + interval '{jump + 1800} s'"""
    before, deadline = world.postgres.number(query), time.monotonic() + limit
    while time.monotonic() < deadline:
        if world.postgres.number(query) > before:
            return True
        time.sleep(0.1)
    return False


def midnight(world):
    """the server's and the clients' midnight passes under load"""
    # An hour before midnight until everything has started, because on a busy machine that takes long.
    variables = faked(world, DAY - time.time() % DAY - 3_600)
    world.postgres.variables = variables
    world.begin(**variables)
    seconds = DAY - time.time() % DAY - world.size(6, 8)
    set_clock(world, seconds)
    # The programs read the clock file once a second.
    time.sleep(2)
    journal = Journal(world.setting.seed, clock=lambda: time.time() + seconds, age=2)
    load = world.drive(senders=4, pace=0.1, journal=journal)
    time.sleep(world.size(7, 15))
    world.fault()
    load.stop()
    days = world.postgres.sql("select occurred_at::date, count(*) from census.observation group by 1 order by 1")
    world.verdict.figure("events a day", "/".join(count for _, count in days))
    world.verdict.exercised(len(days) == 2 and all(int(count) > 100 for _, count in days),
                            "not enough events on both sides of midnight")
    world.finish(needs_failures=False)
    failed_inserts(world, load)


def failed_inserts(world, load):
    failed = [answer.status for answer in load.answers if answer.status != 202]
    world.verdict.expect(not failed, f"{len(failed)} requests failed: {sorted(set(failed))}")


def faked(world, seconds):
    """The environment that gives a process a fake clock, `seconds` off the real one."""
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    if not found:
        raise Skipped("faketime is not installed: scripts/setup faketime")
    set_clock(world, seconds)
    # NIO's deadlines and ours are on the monotonic clock, which never jumps.
    return {"LD_PRELOAD": f"{real_timers(world)}:{found[0]}", "FAKETIME_TIMESTAMP_FILE": world.folder + "/clock",
            "FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_SHARED": shared_memory(world)}


def real_timers(world):
    """Compiles the library that keeps libfaketime from changing timers."""
    library = world.folder + "/timers.so"
    # Swift's linker calls clang, so clang exists wherever the program was built.
    compiler = shutil.which("clang") or "cc"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, TIMERS], check=True)
    return library


def shared_memory(world):
    """Shared memory that libfaketime would create itself; its early setenv would hide the arguments from Swift."""
    name = f"/widget-census-faults-{os.getpid()}-{world.row}"
    system = ctypes.CDLL(None)
    system.sem_open(name.encode(), os.O_CREAT, 0o600, 1)
    with open("/dev/shm" + name, "wb") as file:
        file.write(bytes([255]) * 4_096)
    # PostgreSQL runs as another user.
    for path in ("/dev/shm" + name, "/dev/shm/sem." + name[1:]):
        os.chmod(path, 0o666)
    world.cleanups += [lambda: system.sem_unlink(name.encode()), lambda: os.unlink("/dev/shm" + name)]
    return f"{name} {name}"


def set_clock(world, seconds):
    with open(world.folder + "/clock.new", "w") as file:
        file.write(f"{seconds:+.3f}\n")
    os.rename(world.folder + "/clock.new", world.folder + "/clock")
