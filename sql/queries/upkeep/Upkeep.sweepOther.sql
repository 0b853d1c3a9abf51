-- Deletes what lies in no partition and is from before $1, where the device's base holds it. What no base holds stays: its device
-- is set aside, and is folded from there when it can be.
delete from census.observation_other
where corrected_at < $1
    and exists (
        select
        from census.device_base
        where device_base.device_id = observation_other.device_id
            and device_base.folded_through >= observation_other.corrected_at)
