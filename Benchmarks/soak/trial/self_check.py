"""The soak's own checks: each must notice what it is for. What has passed is harmed, and looked at again."""

from phones.fleet import PHONES
from .checks import Checks
from .reference import Reference
from .world import Findings, World

ONE = """(
    select ctid from {table}
    where app_number = (select app_number from census.app where app_id = '%s') {where}
    order by {order} limit 1)""" % PHONES

HARMS = [
    ("conservation", "delete from {partition} where ctid = {one}"),
    ("conservation", "insert into {partition} select (json_populate_record(t, '{{\"event_id\": \"nobody''s\"}}')).* from {partition} t "
                     "where ctid = {one}"),
    ("conservation", "update {partition} set app_version = '0' where ctid = {one}"),
    ("conservation", "update {partition} set content = '{{\"widgets\":[{{\"kind\":\"nobody\"}}]}}', type = 'widgets_reported' where ctid = {one}"),
    ("command", "update census.kind_day set widgets_reported = widgets_reported + 1 where ctid = {kind_day}"),
    ("report", "update census.kind_day set widgets_reported = widgets_reported + 1 where ctid = {kind_day}"),
    ("report", "update census.read_day set reads = reads + 1 where ctid = {read_day}"),
    ("bounds", "update census.span set certain = certain + 1"),
    ("bounds", "update census.span set certain = 0, presumed = 0, suspect = 0, reported = reported + 1, still_there = null"),
]


def self_check(world, senders, findings):
    """- Returns: how many harms were tried."""
    kept = World.DATABASE + "_kept"
    postgres = world.postgres
    postgres.sql(f"drop database if exists {kept} with (force)", database="postgres")
    postgres.sql(f"alter database {World.DATABASE} rename to {kept}", database="postgres")
    for subject, harm in HARMS:
        postgres.sql(f"create database {World.DATABASE} template {kept}", database="postgres")
        partition = postgres.sql("select observation.tableoid::regclass from census.observation join census.app using (app_number) "
                                 f"where app_id = '{PHONES}' order by occurred_at desc limit 1")[0][0]
        postgres.sql(harm.format(
            partition=partition, one=ONE.format(table=partition, where="", order="occurred_at desc"),
            kind_day=ONE.format(table="census.kind_day", where="and devices_possible > 0", order="day, kind"),
            read_day=ONE.format(table="census.read_day", where="", order="day")))
        seen = Findings(lambda text: None)
        harmed = World(world.cluster, world.folder, seen)
        checks = Checks(harmed, senders, seen)
        {"conservation": checks.conservation, "command": lambda: harmed.command("nightly", "--verify"),
         "report": Reference(harmed, senders, seen).compare, "bounds": lambda: checks.bounds(28)}[subject]()
        if subject not in seen.counts:
            findings.add("self-check", f"nobody noticed: {harm}")
        postgres.sql(f"drop database {World.DATABASE} with (force)", database="postgres")
    postgres.sql(f"alter database {kept} rename to {World.DATABASE}", database="postgres")
    return len(HARMS)
