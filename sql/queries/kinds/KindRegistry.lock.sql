-- One decision at a time: the same one made twice at once would be recorded twice.
lock table census.kinds_lock in exclusive mode
