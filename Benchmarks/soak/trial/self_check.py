"""Tests the soak's checks: damages data that has passed, and expects the check for it to notice."""

from phones.fleet import PHONES
from .checks import Checks
from .reference import Reference
from .world import Findings, World

ONE = """(
    select ctid from {table}
    where app_number = (select app_number from census.app where app_id = '%s') {where}
    order by {order} limit 1)""" % PHONES

HARMS = [
    ("conservation", "delete from census.observation where {event}"),
    ("conservation", "insert into census.observation (event_id, {columns}) select 'nobody''s', {columns} from census.observation "
                     "where {event}"),
    ("conservation", "update census.observation set app_version = '0' where {event}"),
    ("conservation", "update census.observation set content = '{{\"widgets\":[{{\"kind\":\"nobody\"}}]}}', type = 'widgets_reported' "
                     "where {event}"),
    ("command", "update census.kind_day set widgets_reported = widgets_reported + 1 where ctid = {kind_day}"),
    ("report", "update census.kind_day set widgets_reported = widgets_reported + 1 where ctid = {kind_day}"),
    ("report", "update census.read_quarter set reads = reads + 1 where ctid = {read_quarter}"),
    ("bounds", "update census.span set certain = certain + 1"),
    ("bounds", "update census.span set certain = 0, presumed = 0, suspect = 0, settled = 0, returned = 0, reported = reported + 1, "
               "still_there = null"),
]


def self_check(world, senders, findings):
    """- Returns: how many kinds of damage were tried."""
    kept = World.DATABASE + "_kept"
    postgres, databases = world.postgres, world.cluster.everywhere
    databases.drop_database(kept)
    databases.rename_database(World.DATABASE, kept)
    for subject, harm in HARMS:
        databases.create_database(World.DATABASE, kept)
        postgres.sql(harm.format(
            event=newest_event(postgres), columns=columns_beside_the_event(postgres),
            kind_day=ONE.format(table="census.kind_day", where="and devices_possible > 0", order="day, kind"),
            read_quarter=ONE.format(table="census.read_quarter", where="", order="quarter_at")))
        seen = Findings(lambda text: None)
        harmed = World(world.cluster, world.folder, seen)
        checks = Checks(harmed, senders, seen)
        {"conservation": checks.conservation, "command": lambda: harmed.command("nightly", "--verify"),
         "report": Reference(harmed, senders, seen).compare, "bounds": lambda: checks.bounds(28)}[subject]()
        if subject not in seen.counts:
            findings.add("self-check", f"no check noticed: {harm}")
        databases.drop_database(World.DATABASE)
    databases.rename_database(kept, World.DATABASE)
    return len(HARMS)


def newest_event(postgres):
    """Identifies the row by its key, because a ctid is ambiguous on a cluster."""
    return postgres.sql(
        "select format('device_id = %L and event_id = %L and occurred_at = %L', device_id, event_id, occurred_at) "
        f"from census.observation join census.app using (app_number) where app_id = '{PHONES}' order by occurred_at desc limit 1")[0][0]


def columns_beside_the_event(postgres):
    return postgres.sql("select string_agg(column_name, ', ') from information_schema.columns "
                        "where table_schema = 'census' and table_name = 'observation' and column_name <> 'event_id'")[0][0]
