import csv
import io
import subprocess
import threading
import time

from harness.journal import Journal
from harness.load import Client, Load
from harness.service import environment

OBSERVATIONS = """
    select device_id, event_id, occurred_at, corrected_at, installation_id, type, surface, platform, os_version,
        app_version, channel, booted_at, rebooted, first_launched_at, content::text from census.observation order by 1, 2, 3"""


def two_nodes(world):
    """the same devices send to two services at once, repeatedly: the result equals that of one service"""
    world.postgres.copy(world.setting.template)
    world.postgres.start()
    world.postgres.sql("create database one template census", database="postgres")
    nodes = [world.serve(name="first"), world.serve(name="second")]
    journal = Journal(world.setting.seed, devices=40, age=3 * 86_400)
    world.load = load = Load(journal, [node.port for node in nodes], world.key)

    def sender():
        clients = [Client(node.port) for node in nodes]
        chance = journal.random
        for _ in range(world.count(15, 500)):
            batch = journal.claim()
            at_once([threading.Thread(target=load.send, args=(client, batch)) for client in clients])
            world.fault()
            if chance.random() < 0.3:
                load.send(chance.choice(clients), chance.choice(journal.batches))

    at_once([threading.Thread(target=sender) for _ in range(8)])
    load.settle(30)
    twice = sum(1 for batch in journal.batches if batch.statuses.count(202) > 1)
    world.verdict.figure("taken twice", twice)
    world.verdict.exercised(twice > world.faults / 2, "too few batches were taken by both nodes")

    compare_with_one_node(world, load)
    world.finish(needs_failures=False)


def compare_with_one_node(world, load, senders=1, once_counted=True):
    """Sends the same claims to one node, with the database `one`, a copy of the template.

    `senders`: with one, one batch after another. `once_counted`: whether what was first counted of a day is compared, too; not
    where nights ran before all had come.
    """
    one = world.serve(world.postgres.url(database="one"), name="one")
    # Unacknowledged ones can be missing.
    stored = {row[0] for row in world.postgres.sql("select event_id from census.observation")}
    claimed = [batch for batch in load.journal.batches
               if batch.acknowledged or any(event.id in stored for event in batch.events)]
    alone = Load(load.journal, [one.port], world.key)

    def send(share):
        client = Client(one.port)
        for batch in share:
            world.verdict.expect(alone.send(client, batch), "the single node did not accept a batch")
        client.close()

    at_once([threading.Thread(target=send, args=(claimed[number::senders],)) for number in range(senders)])
    for database in ("census", "one"):
        wait_reconciled(world, database)
    mine, theirs = (set(map(tuple, world.postgres.sql(OBSERVATIONS, name))) for name in ("census", "one"))
    world.verdict.figure("rows that differ", len(mine ^ theirs))
    world.verdict.expect(mine and mine == theirs, f"{len(mine ^ theirs)} observations differ from one node's")
    for report in ("live_now", "live_kinds", "changes", "coverage"):
        both = [reported(world, name, report) for name in ("census", "one")]
        if not once_counted:
            both = [without_first_counts(rows) for rows in both]
        world.verdict.expect(both[0] == both[1] and len(both[0]) > 1, f"the report {report} differs, or is empty")
    world.services.remove(one)
    one.kill()


def at_once(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def wait_reconciled(world, database):
    deadline = time.monotonic() + world.size(60, 600)
    while world.postgres.number("select count(*) from census.pending_device", database):
        if time.monotonic() > deadline:
            raise RuntimeError("the devices were not reconciled in time")
        time.sleep(0.1)
    program = [world.program, "nightly"]
    subprocess.run(program, env=environment(world.postgres.url(database=database)), check=True, capture_output=True)


def reported(world, database, report):
    outcome = subprocess.run(
        [world.program, "report", report, "--format", "csv"],
        env=environment(world.postgres.url(database=database)), check=True, capture_output=True, text=True)
    return list(csv.reader(io.StringIO(outcome.stdout)))


def without_first_counts(rows):
    """A report without the columns that depend on the time of arrival: see docs/why/faults.md."""
    kept = [position for position, name in enumerate(rows[0]) if not name.endswith("_first_known")]
    if len(kept) == len(rows[0]):
        return rows
    possible, reported = rows[0].index("devices_possible"), rows[0].index("widgets_reported")
    return [[row[position] for position in kept] for row in rows if (row[possible], row[reported]) != ("0", "0")]
