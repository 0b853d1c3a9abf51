-- One at a time: nights that watch updates, and people who act on incidents.
lock table census.losses_lock in exclusive mode
