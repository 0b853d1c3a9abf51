"""Numbers that are published: while a part of the devices can't be asked, none comes of the others alone."""

import time

# One statement on the coordinator's own tables: of one moment.
CLOSED = """
    select app_number, day, coalesce(restated_at, closed_at),
        (select array_agg((surface, kind, devices_certain, devices_possible, widgets_reported) order by surface, kind)
         from census.kind_day where (kind_day.app_number, kind_day.day) = (closed_day.app_number, closed_day.day)),
        (select sum(devices_active)
         from census.device_day where (device_day.app_number, device_day.day) = (closed_day.app_number, closed_day.day))
    from census.closed_day"""


class Published:
    """What closed days said before a worker went away: they say it until they are restated.

    A night that was about to commit may still restate them; what it says then is compared with one import's in the end.
    """

    def __init__(self, world):
        self.world = world
        self.before = self._read()

    def watch(self, seconds):
        """- Returns: how many times a day was compared."""
        deadline, compared = time.monotonic() + seconds, 0
        while True:
            compared += self._compare(self._read())
            left = deadline - time.monotonic()
            if left <= 0:
                return compared
            time.sleep(min(left, 0.5))

    def _read(self):
        """- Returns: (app, day) → when it was said, and what; None when PostgreSQL does not say."""
        try:
            return {(row[0], row[1]): row[2:] for row in self.world.postgres.sql(CLOSED)}
        except RuntimeError:
            return None

    def _compare(self, now):
        if now is None or self.before is None:
            return 0
        for day, (said_at, *what) in self.before.items():
            if day not in now:
                self.world.findings.add("published", f"the closed day {day} is gone while a worker is away")
            elif now[day][0] == said_at and now[day][1:] != what:
                self.world.findings.add("published", f"the closed day {day} says something else without a restatement while a "
                                        f"worker is away: {what}, and now {now[day][1:]}")
        compared, self.before = len(self.before), now
        return compared
