import os
import subprocess
import time

from harness.verdict import Skipped

INDEXES = """
    create extension if not exists amcheck;
    select count(bt_index_check(index.oid, true))
    from pg_class as index join pg_index on indexrelid = index.oid
    where relnamespace in ('census'::regnamespace, 'report'::regnamespace) and index.relkind = 'i'
        and relam = (select oid from pg_am where amname = 'btree')
"""


def disk_full(world):
    """PostgreSQL's disk is full under load, and has space again"""
    if os.geteuid() != 0:
        raise Skipped("this row mounts a small tmpfs, which needs root")
    disk = world.folder + "/disk"
    os.makedirs(disk)
    size = 160
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}m,mode=755", "tmpfs", disk], capture_output=True)
    if mounted.returncode != 0:
        raise Skipped("this row mounts a small tmpfs, which is not allowed here")
    world.cleanups.append(lambda: subprocess.run(["umount", "-l", disk], check=True))
    world.postgres.data = disk + "/data"
    service = world.begin(["max_wal_size=48MB", "min_wal_size=32MB"])
    load = world.drive()
    for _ in range(world.count(1, 5)):
        time.sleep(1)
        size = fill_and_free(world, service, load, disk, size)
    # The claims are compared in the same database, which needs space.
    enlarge(disk, size + 1_000)
    world.verdict.expect("no space" in service.log.lower() or "disk is full" in service.log.lower(),
                         "the service's log does not name the cause")
    world.verdict.figure("indexes checked", world.postgres.number(INDEXES))
    world.finish()


def fill_and_free(world, service, load, disk, size):
    """- Returns: the disk's new size, MiB."""
    fill(disk + "/filler")
    world.fault()
    begun, dead = time.monotonic(), 0
    while time.monotonic() < begun + world.size(4, 30):
        time.sleep(0.1)
        # PostgreSQL frees some space itself, when it removes old log or has recovered.
        fill(disk + "/filler")
        world.verdict.expect(service.is_running, "the service exited")
        world.verdict.expect(service.status("/livez") == 200, "/livez was not 200 while the disk was full")
        # A supervisor would try this, without success.
        if world.postgres.process.poll() is not None:
            dead += 1
            world.postgres.spawn()
    # It found space for any batch that it acknowledged meanwhile, and must have kept it.
    while_full = [answer for answer in load.answers if answer.begun > begun]
    taken = sorted(answer.begun for answer in while_full if answer.status == 202)
    acknowledged = [begun] + taken + [time.monotonic()]
    longest = max(later - earlier for earlier, later in zip(acknowledged, acknowledged[1:]))
    world.verdict.exercised(longest > 2 and any(answer.status == 503 for answer in while_full),
                            f"the service answered 202 while the disk was full, at most {longest:.1f} s apart")
    before = int(world.verdict.figures.get("202 while full", "0"))
    world.verdict.figure("202 while full", before + len(taken))
    world.verdict.figure("deaths while full", dead + int(world.verdict.figures.get("deaths while full", 0)))
    size += 100
    enlarge(disk, size)
    begun = time.monotonic()
    if world.postgres.process.poll() is not None:
        world.postgres.start()
    world.recovered(begun, 30)
    return size


def enlarge(disk, size):
    subprocess.run(["mount", "-o", f"remount,size={size}m", disk], check=True)


def fill(path):
    with open(path, "ab", buffering=0) as file:
        for piece in (1 << 20, 4_096):
            try:
                while True:
                    file.write(bytes(piece))
            except OSError:
                pass
