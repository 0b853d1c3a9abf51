-- What updates of app $1 cost that opened no incident, beside what was lost without them in the same nights.
select
    coalesce(sum(lost), 0)::bigint as lost,
    coalesce(sum(exposed_seconds), 0)::bigint as exposed_seconds,
    coalesce(sum(others_lost), 0)::bigint as others_lost,
    coalesce(sum(others_seconds), 0)::bigint as others_seconds
from census.loss_watch
where app_number = $1
    and not exists (
        select 1
        from census.loss_watch as opened
        where opened.app_number = $1
            and opened.to_version = loss_watch.to_version
            and opened.opened_on is not null)
