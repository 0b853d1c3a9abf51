-- No setting of an app changes until the transaction ends: see AppRegistry.lock.
lock table census.settings_lock in row share mode
