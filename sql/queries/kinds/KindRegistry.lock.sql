-- One decision at a time for an app: the same one twice at once would be written down twice.
select pg_advisory_xact_lock(hashtextextended('kinds', $1::integer))
