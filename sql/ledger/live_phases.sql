-- The phases of devices of app $1 that last when the asked day ends, in the app's zone $4.
live_phase as (
    select
        phase.device_id,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        phase.is_reporting and coalesce(phase.lapsed_at, 'infinity') >= its_day.ends_at as is_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    -- A device that waits to be folded in another zone is still counted by the days of the old one.
    cross join lateral (
        select case when phase.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone phase.zone end as ends_at
    ) as its_day
    where phase.app_number = $1
        and phase.from_at < its_day.ends_at
        -- Not a plain comparison: the planner expects a third of the rows then, and sorts them to group them.
        and case when phase.to_at is null then true else phase.to_at >= its_day.ends_at end
)
