settled as (
    -- The last span of each suspicion: a boot ended it (R6), or the use of one of its suspects did (R7), or it says so
    -- itself.
    select
        -- A device that waits to be counted again has no zone of its own.
        (span.to_at at time zone coalesce(device.zone, app.zone))::date as day,
        claim_platform as platform,
        coalesce(claim_os_version, '') as os_version,
        claim_rule,
        case when ended_rule = 'reboot' then suspect
            when ended_rule = 'sign_of_life' and certain > 0 then 1
            else settled end as settled,
        case when ended_rule = 'reboot' then still_there
            when ended_rule = 'sign_of_life' and certain > 0 then 1
            else greatest(0, still_there - (suspect - settled)) end as still_there,
        floor(extract(epoch from to_at - from_at)) as seconds
    from census.span
    join census.app
        on app.app_number = span.app_number
    left join census.device
        on device.device_id = span.device_id
    where span.app_number = $1
        and still_there is not null
        and to_at is not null
        and (ended_rule = 'reboot' or settled > 0 or (ended_rule = 'sign_of_life' and certain > 0))
),
counted as (
    select
        day,
        platform,
        os_version,
        claim_rule,
        sum(settled) as suspects_settled,
        sum(still_there) as suspects_still_there,
        sum(settled * seconds) as suspect_seconds
    from settled
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        platform,
        os_version,
        claim_rule
)
