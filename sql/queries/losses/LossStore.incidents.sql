-- The watches of app $1 in one of the states $2, the newest incident first.
select
    loss_watch.surface,
    loss_watch.kind,
    loss_watch.to_version,
    loss_watch.chance,
    loss_watch.upgraders,
    loss_watch.lost,
    loss_watch.excused,
    loss_watch.exposed_seconds,
    loss_watch.others,
    loss_watch.others_lost,
    loss_watch.others_seconds,
    loss_watch.evidence,
    loss_watch.smallest_seen,
    loss_watch.devices_at_risk,
    loss_watch.state,
    loss_watch.opened_on,
    loss_watch.judged_on,
    loss_watch.late,
    loss_watch.unmatched,
    loss_watch.unmatched_with_os,
    detail.details,
    detail.detail_values,
    detail.detail_upgraders,
    detail.detail_lost,
    origin.from_versions,
    origin.from_versions_lost
from census.loss_watch
cross join lateral (
    select
        coalesce(array_agg(from_version), '{}') as from_versions,
        coalesce(array_agg(lost), '{}') as from_versions_lost
    from census.loss_origin
    where loss_origin.app_number = loss_watch.app_number
        and loss_origin.surface = loss_watch.surface
        and loss_origin.kind = loss_watch.kind
        and loss_origin.to_version = loss_watch.to_version
        and loss_origin.lost > 0
) as origin
cross join lateral (
    select
        coalesce(array_agg(part.detail), '{}') as details,
        coalesce(array_agg(part.value), '{}') as detail_values,
        coalesce(array_agg(part.upgraders), '{}') as detail_upgraders,
        coalesce(array_agg(part.lost), '{}') as detail_lost
    from (
        select
            loss_detail.detail,
            loss_detail.value,
            loss_detail.upgraders,
            loss_detail.lost
        from census.loss_detail
        where loss_detail.app_number = loss_watch.app_number
            and loss_detail.surface = loss_watch.surface
            and loss_detail.kind = loss_watch.kind
            and loss_detail.to_version = loss_watch.to_version
        order by
            loss_detail.lost desc,
            loss_detail.upgraders desc,
            loss_detail.value
        limit 100
    ) as part
) as detail
where app_number = $1
    and state = any($2::text[])
    and judged_on is not null
order by
    opened_on desc nulls last,
    to_version,
    surface,
    kind
