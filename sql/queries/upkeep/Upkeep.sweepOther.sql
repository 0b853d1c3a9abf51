-- Deletes observations from before $1 that lie in no partition, where the device's base holds them. Those that no base holds
-- stay: the device is set aside, and is folded from there once it can be.
delete from census.observation_other
where corrected_at < $1
    and exists (
        select 1
        from census.device_base
        where device_base.device_id = observation_other.device_id
            and device_base.folded_through >= observation_other.corrected_at)
