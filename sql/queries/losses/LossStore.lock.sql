-- One at a time for each app: nights that watch its updates, and people who act on its incidents.
select pg_advisory_xact_lock(hashtextextended('losses', $1::integer))
