"""Faults of a cluster's workers, with --cluster only: kills, freezes, moves of shards."""

import json
import time

from harness.postgres import Postgres
from .published import Published


def kill_worker(faults, chance):
    """kill -9 of all of a worker; back after seconds"""
    _take_away(faults, chance, Postgres.kill_all, chance.uniform(1, 6), Postgres.start)


def freeze_worker(faults, chance):
    """a worker is frozen for seconds"""
    _take_away(faults, chance, Postgres.freeze, chance.uniform(3, 8), Postgres.thaw)


def _take_away(faults, chance, begin, seconds, end):
    worker = chance.choice(faults.world.citus.workers)
    with faults.world.disturbance():
        published = Published(faults.world)
        # Moves can leave it without a shard, and then nothing depends on it.
        is_needed = any(port == worker.port for _, port in faults.world.citus.placements(faults.world.DATABASE))
        begin(worker)
        try:
            faults.days_watched += published.watch(seconds)
            if is_needed:
                _expect_away(faults.world)
        finally:
            end(worker)


def _expect_away(world):
    """Checks that no node tells a balancer that it can store."""
    for node in world.nodes:
        answer, text = node.get("/readyz")
        if answer.status == 200 and json.loads(text).get("store") != "away":
            world.findings.add("ready", f"/readyz answers {text} while a worker is away")


# Moves of shards excuse no failure: commands and nights meanwhile must succeed.

def move_shards(faults, chance):
    """shards move from worker to worker while everything runs"""
    world = faults.world
    ports = [worker.port for worker in world.citus.workers]
    if len(ports) < 2:
        return False
    placements = world.citus.placements(world.DATABASE)
    for shard, source in chance.sample(placements, chance.choice([1, 1, 2])):
        target = chance.choice([port for port in ports if port != source])
        mode = chance.choice(["auto", "force_logical"])
        _move(faults, f"citus_move_shard_placement({shard}, '127.0.0.1', {source}, '127.0.0.1', {target}, "
                      f"shard_transfer_mode := '{mode}')")


def rebalance(faults, chance):
    """shards are distributed evenly over the workers again"""
    if len(faults.world.citus.workers) < 2:
        return False
    _move(faults, "rebalance_table_shards(rebalance_strategy := 'by_shard_count')")


def _move(faults, call):
    world = faults.world
    # Recovery from a fault takes a moment, and an operator would wait for it.
    world.wait_recovered()
    begun = time.time()
    try:
        world.postgres.sql(f"select {call}")
    except RuntimeError as error:
        world.findings.add("move", f"{call}: {error}")
    faults.moves.append((begun, time.time()))


ALL = {"kill-worker": kill_worker, "freeze-worker": freeze_worker, "move-shards": move_shards, "rebalance": rebalance}

# On a cluster it takes ten times as long, and the soak stops the nodes for it, so nothing else happens meanwhile. There, the one at the
# end of each round must be enough.
LEFT_OUT = {"verify"}
