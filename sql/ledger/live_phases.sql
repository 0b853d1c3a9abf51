-- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
-- last at whose end its last report still counts: days by their positions in $2.
live_phase as (
    select
        phase.device_id,
        its_days.first,
        its_days.last,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    join zone_day
        on zone_day.zone = phase.zone
    cross join lateral (
        select
            width_bucket(phase.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
            width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
    ) as its_days
    where phase.app_number = $1
        and its_days.first <= its_days.last
)
