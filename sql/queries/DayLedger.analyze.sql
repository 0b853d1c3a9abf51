-- Has the planner know how much the last night and the reconcilers left: a table that had been empty is taken for one that
-- still is, and a night of seconds took a minute. Who vacuums one of them meanwhile is not waited for.
analyze (skip_locked)
    census.kind_entry,
    census.kind_unsettled_entry,
    census.install_entry,
    census.device_entry,
    census.change_entry,
    census.outcome_entry
