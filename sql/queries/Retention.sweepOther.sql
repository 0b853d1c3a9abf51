-- Deletes what lies in no partition and is from before $1, where the device's base holds it.
delete from census.observation_other
using census.device_base
where device_base.device_id = observation_other.device_id
    and observation_other.corrected_at < $1
    and device_base.folded_through >= observation_other.corrected_at
