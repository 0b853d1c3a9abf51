-- No setting of an app changes until the transaction ends: see AppRegistry.lock.
select pg_advisory_xact_lock_shared(hashtextextended('widget-census settings', 0))
