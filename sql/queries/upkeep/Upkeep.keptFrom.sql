-- Remembers the day from which on every observation is kept.
update census.retention set
    kept_from = greatest(kept_from, $1::date)
