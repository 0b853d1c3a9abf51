-- Kinds of app $1 with updates taken this night to a watched version that they are not watched for, though at least $3 devices
-- held them for certain when the last closed day through $2 ended; with how many came late before them.
select
    late.surface,
    late.kind,
    loss_version.to_version,
    loss_version.first_day,
    loss_version.place,
    loss_version.kinds,
    loss_version.false_alarms,
    (
        select count(*)
        from census.loss_watch
        where loss_watch.app_number = $1
            and loss_watch.to_version = loss_version.to_version) as watched
from (
    select distinct
        surface,
        kind,
        to_version
    from census.pair_night
    where app_number = $1
        and taken_at = now()
        and from_version <> to_version
) as late
join census.loss_version
    on loss_version.app_number = $1
    and loss_version.to_version = late.to_version
join census.kind_day
    on kind_day.app_number = $1
    and kind_day.surface = late.surface
    and kind_day.kind = late.kind
    and kind_day.day = (
        select max(closed_day.day)
        from census.closed_day
        where closed_day.app_number = $1
            and closed_day.day <= $2)
    and kind_day.devices_certain >= $3
where not exists (
    select 1
    from census.loss_watch
    where loss_watch.app_number = $1
        and loss_watch.surface = late.surface
        and loss_watch.kind = late.kind
        and loss_watch.to_version = late.to_version)
order by
    loss_version.to_version,
    late.surface,
    late.kind
