-- Tells the planner how much the last night and the reconcilers left: it assumes that a table that was empty
-- still is, and a night of seconds then took a minute. Does not wait for a vacuum of one of them.
analyze (skip_locked)
{for tables}
    census.{entries}
{between}
,
{end}
