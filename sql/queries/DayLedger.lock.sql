-- One night at a time for an app; a second one waits here, then finds nothing to do.
select pg_advisory_xact_lock(hashtextextended('nightly', $1::integer))
