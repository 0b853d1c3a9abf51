-- Counts the days $2 of app $1, which end at the instants $3, from its spans, whether they were closed before or not.
--
-- A placement is counted on day D when it was live at the end of D, on a device heard from in the window that ends
-- with D: the end of a silent device's last span is device.silent_at. Where a day ends, the caller says, who also decided
-- where a window ends: where midnight comes twice (Havana), PostgreSQL would choose the other one.
-- Answers how many (day, kind) changed, and on which days.
with day_end as (
    select
        listed.day,
        listed.ends_at
    from unnest($2::date[], $3::timestamptz[]) as listed (day, ends_at)
),
held as (
    select
        day_end.day,
        span.surface,
        span.kind,
        span.device_id,
        sum(span.certain) as certain,
        sum(span.certain + span.presumed + span.suspect) as possible,
        sum(span.reported) as reported,
        coalesce(bool_or(span.still_there > 0 or span.presumed > 0), false) as is_still_there,
        bool_or(span.suspect > 0 and span.still_there is null) as is_unsettled,
        max(span.claim_platform) as platform,
        coalesce(max(span.claim_os_version), '') as os_version,
        max(span.claim_rule) as claim_rule
    from day_end
    join census.span
        on span.app_number = $1
        and span.from_at < day_end.ends_at
        and (span.to_at is null or span.to_at >= day_end.ends_at)
    join census.device
        on device.device_id = span.device_id
        and (span.to_at is not null or device.silent_at >= day_end.ends_at)
    group by
        day_end.day,
        span.surface,
        span.kind,
        span.device_id
),
counted as (
    select
        day,
        surface,
        kind,
        count(*) filter (where certain > 0) as devices_certain,
        count(*) filter (where possible > 0) as devices_possible,
        count(*) filter (where certain = 0 and is_still_there) as devices_still_there,
        count(*) filter (where reported > 0) as devices_reported,
        sum(certain) as widgets_certain,
        sum(possible) as widgets_possible,
        sum(reported) as widgets_reported
    from held
    group by
        day,
        surface,
        kind
),
-- What was counted before and is gone becomes zero: the number first known stays.
wanted as (
    select
        coalesce(counted.day, known.day) as day,
        coalesce(counted.surface, known.surface) as surface,
        coalesce(counted.kind, known.kind) as kind,
        coalesce(counted.devices_certain, 0) as devices_certain,
        coalesce(counted.devices_possible, 0) as devices_possible,
        coalesce(counted.devices_still_there, 0) as devices_still_there,
        coalesce(counted.devices_reported, 0) as devices_reported,
        coalesce(counted.widgets_certain, 0) as widgets_certain,
        coalesce(counted.widgets_possible, 0) as widgets_possible,
        coalesce(counted.widgets_reported, 0) as widgets_reported
    from counted
    full join (
        select
            day,
            surface,
            kind
        from census.kind_day
        where app_number = $1
            and day = any($2::date[])
    ) as known
        on known.day = counted.day
        and known.surface = counted.surface
        and known.kind = counted.kind
),
written as (
    insert into census.kind_day (
        app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, devices_reported,
        widgets_certain, widgets_possible, widgets_reported, devices_certain_first_known, devices_possible_first_known)
    select
        $1,
        wanted.day,
        wanted.surface,
        wanted.kind,
        wanted.devices_certain,
        wanted.devices_possible,
        wanted.devices_still_there,
        wanted.devices_reported,
        wanted.widgets_certain,
        wanted.widgets_possible,
        wanted.widgets_reported,
        case when closed_day.day is null then wanted.devices_certain else 0 end,
        case when closed_day.day is null then wanted.devices_possible else 0 end
    from wanted
    left join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day = wanted.day
    on conflict (app_number, day, surface, kind) do update set
        devices_certain = excluded.devices_certain,
        devices_possible = excluded.devices_possible,
        devices_still_there = excluded.devices_still_there,
        devices_reported = excluded.devices_reported,
        widgets_certain = excluded.widgets_certain,
        widgets_possible = excluded.widgets_possible,
        widgets_reported = excluded.widgets_reported
    where (
            kind_day.devices_certain, kind_day.devices_possible, kind_day.devices_still_there,
            kind_day.devices_reported, kind_day.widgets_certain, kind_day.widgets_possible, kind_day.widgets_reported
        ) is distinct from (
            excluded.devices_certain, excluded.devices_possible, excluded.devices_still_there,
            excluded.devices_reported, excluded.widgets_certain, excluded.widgets_possible, excluded.widgets_reported)
    returning
        day,
        surface,
        kind
),
unsettled as (
    select
        day,
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        count(*) as devices
    from held
    where certain = 0
        and is_unsettled
        and not is_still_there
    group by
        day,
        surface,
        kind,
        platform,
        os_version,
        claim_rule
),
forgotten as (
    delete from census.kind_day_unsettled
    where app_number = $1
        and day = any($2::date[])
        and not exists (
            select
            from unsettled
            where unsettled.day = kind_day_unsettled.day
                and unsettled.surface = kind_day_unsettled.surface
                and unsettled.kind = kind_day_unsettled.kind
                and unsettled.platform = kind_day_unsettled.platform
                and unsettled.os_version = kind_day_unsettled.os_version
                and unsettled.claim_rule = kind_day_unsettled.claim_rule)
    returning
        day,
        surface,
        kind
),
weighed as (
    insert into census.kind_day_unsettled (
        app_number, day, surface, kind, platform, os_version, claim_rule, devices)
    select
        $1,
        day,
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        devices
    from unsettled
    on conflict (app_number, day, surface, kind, platform, os_version, claim_rule) do update set
        devices = excluded.devices
    where kind_day_unsettled.devices <> excluded.devices
    returning
        day,
        surface,
        kind
),
changed as (
    select day, surface, kind from written
    union
    select day, surface, kind from forgotten
    union
    select day, surface, kind from weighed
)
select
    count(*) as cells,
    coalesce(array_agg(distinct day), '{}') as days
from changed
