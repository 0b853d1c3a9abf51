"""One import of all acknowledged batches, in order, into a fresh database; every report must equal it."""

import threading

from harness.journal import pseudonym
from phones.fleet import FORGETTING, PHONES
from .world import World

EXCLUDED = {
    # The number that was first counted depends on the time of arrival.
    "live_kinds": {"devices_certain_first_known", "devices_possible_first_known"},
}


class Reference:
    def __init__(self, world, senders, findings):
        self.world, self.senders, self.findings = world, senders, findings
        self.offsets, self.lock = {}, threading.Lock()
        self.settings_changed_after_drop = False
        self.days, self.is_ahead, self.is_guessed = [], False, False

    def harvest(self):
        """Reads from the store how it shifted the times of wrong clocks, because only the store knows which attempt was committed
        first."""
        skewed = {delivery.messages[0].id: delivery for delivery in self.senders.fleet.deliveries
                  if delivery.messages and delivery.life.skew and delivery.attempts}
        if not skewed:
            return
        rows = self.world.ask("select event_id, round(extract(epoch from corrected_at - occurred_at) * 1000000)::bigint "
                              "from wanted join census.observation using (event_id)",
                              copied=("event_id text", "wanted", [f"{id}\n" for id in skewed]))
        for id, micros in rows:
            self.offsets[skewed[id].number] = int(micros)
        # Forgotten or dropped meanwhile, so guess; the attempts differ by milliseconds.
        self.is_guessed = any(delivery.acknowledged and delivery.number not in self.offsets for delivery in skewed.values())

    def build(self):
        """- Returns: how many batches were imported."""
        world, path = self.world, f"{self.world.folder}/reference.ndjson"
        for (app, option), value in world.settings.items():
            world.command("apps", "set", app, option, *value.split(), database=World.REFERENCE)
        batches = self.senders.archive(path, self.offsets)
        world.command("import", path, database=World.REFERENCE)
        world.command("nightly", database=World.REFERENCE)
        for device in self.senders.erased:
            world.command("forget", "--app", FORGETTING, "--pseudonym", device, database=World.REFERENCE)
        world.command("nightly", "--verify", database=World.REFERENCE)
        for (app, kind), lifecycle in world.marks.items():
            # Marking decides the surfaces from the reports so far, and any kind that was ever legacy has overlaps.
            for decision in ("legacy", "reopen", lifecycle):
                for database in (World.REFERENCE, World.DATABASE):
                    world.decide(app, kind, decision, database=database)
        for database in (World.REFERENCE, World.DATABASE):
            world.command("nightly", database=database)
        return batches

    def compare(self):
        """- Returns: how many rows of reports were compared."""
        rows = 0
        views = [row[0] for row in self.world.ask(
            "select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace "
            "where n.nspname = 'report' and c.relkind = 'v' order by 1")]
        kept_from = self.world.ask("select kept_from + 2 from census.retention")[0][0]
        # A night in another zone may have closed a day that has not ended in this one, or begun with an earlier one.
        closed, wanted = (
            {row[0] for row in self.world.ask(
                f"select day from census.closed_day join census.app using (app_number) where app_id = '{PHONES}'", database)}
            for database in (World.DATABASE, World.REFERENCE))
        self.days, self.is_ahead = sorted(closed & wanted), max(closed, default="") > max(wanted, default="")
        for view in views:
            columns = [row[0] for row in self.world.ask(
                f"select column_name from information_schema.columns where table_schema = 'report' and table_name = '{view}' "
                "order by ordinal_position")]
            # Decisions are compared by what they lead to: the soak decides more often than the import.
            if "app_id" not in columns or view == "acts":
                continue
            rows += self._compare(view, columns, kept_from)
        return rows

    def _compare(self, view, columns, kept_from):
        excluded = set(EXCLUDED.get(view, ()))
        if self.is_guessed and view == "live_now":
            excluded.add("as_of")
        if self.settings_changed_after_drop or self.is_ahead:
            # They follow what os_quirks says, which is not compared then.
            excluded |= {"devices_expected", "ready_on", "ready_on_earliest", "ready_on_latest"}
        if view == "retirement" and self.world.ask(f"select 1 from report.refused where app_id = '{PHONES}' and code = 'too_old'"):
            # A silent device with an event refused as too old counts as unknown here; the other store never gets that event.
            excluded |= {"verdict", "reason"}
        where = f"app_id in ('{PHONES}', '{FORGETTING}')"
        if self.settings_changed_after_drop:
            # Days before the first that is kept stay as they were counted, under the settings of then.
            if view == "active":
                excluded.add("devices_in_window")
            day = "day" if "day" in columns else "cohort_week" if "cohort_week" in columns else None
            if day and kept_from:
                # Some look back on such days.
                later = {"active": 6, "retention": 7}.get(view, 0)
                where += f" and (app_id <> '{PHONES}' or {day} >= date '{kept_from}' + {later})"
            elif view == "os_quirks":
                where += f" and app_id <> '{PHONES}'"
        if "day" in columns and view != "refused" and self.days:
            days = ", ".join(f"'{day}'" for day in self.days)
            where += f" and (app_id <> '{PHONES}' or day in ({days}))"
        elif view == "os_quirks" and self.is_ahead:
            where += f" and app_id <> '{PHONES}'"
        chosen = [column for column in columns if column not in excluded]
        if view == "live_kinds":
            # A cell that became empty stays, for the number first known.
            where += " and (devices_possible > 0 or widgets_reported > 0)"
        if view == "refused":
            # Events too old for the soak's store are not sent to the reference, which keeps events for longer.
            where += " and code <> 'too_old'"
        query = f"select {', '.join(chosen)} from report.{view} where {where}"
        mine, theirs = ({tuple(row) for row in self.world.ask(query, database)} for database in (World.DATABASE, World.REFERENCE))
        if mine != theirs:
            only = [f"  {sign} {' '.join(row)}" for sign, some in (("soak  ", mine - theirs), ("import", theirs - mine))
                    for row in sorted(some)[:4]]
            self.findings.add("report", f"{view}: {len(mine - theirs)} rows differ from one import's {len(theirs - mine)} "
                              f"({' '.join(chosen)}):\n" + "\n".join(only))
        return len(mine)

    def blame(self):
        """The devices whose spans or phases differ from the import's, to find out why a report differs."""
        names = {pseudonym("device", life.device, life.app): life for life in self.senders.fleet.lives}
        different = {}
        for table, columns in (
                ("span", "device_id, surface, kind, family, intent, configuration, instance, from_at, to_at, certain, presumed, "
                         "suspect, reported, still_there, claim_platform, claim_os_version, claim_rule, began_cause, ended_cause"),
                ("phase", "device_id, from_at, to_at, platform, os_version, app_version, gallery_policy, is_reporting, is_cloned")):
            mine, theirs = ({tuple(row) for row in self.world.ask(f"select {columns} from census.{table}", database)
                             if row[0] in names} for database in (World.DATABASE, World.REFERENCE))
            for sign, rows in (("soak  ", mine - theirs), ("import", theirs - mine)):
                for row in rows:
                    different.setdefault(names[row[0]].device, []).append(f"{sign} {table} {' '.join(row[1:])}")
        return different
