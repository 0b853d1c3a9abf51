-- One decision at a time for each app: the same one made twice at once would be recorded twice.
select pg_advisory_xact_lock(hashtextextended('kinds', $1::integer))
