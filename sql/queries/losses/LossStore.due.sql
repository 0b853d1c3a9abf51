-- Watches of app $1 to judge again: of versions that appeared less than $3 days before $2, with updates taken this night, and
-- all that opened and are not closed, or of which losses were accepted: that may have been taken back.
select
    loss_watch.surface,
    loss_watch.kind,
    loss_watch.to_version,
    loss_watch.chance,
    loss_watch.tolerance,
    loss_watch.bound,
    loss_watch.long_bound,
    loss_watch.state,
    loss_watch.opened_on,
    loss_version.first_day
from census.loss_watch
join census.loss_version
    on loss_version.app_number = loss_watch.app_number
    and loss_version.to_version = loss_watch.to_version
where loss_watch.app_number = $1
    and loss_version.first_day > $2::date - $3::integer
    and (
        loss_watch.state in ('open', 'acknowledged')
        or loss_watch.excused > 0
        or exists (
            select 1
            from census.pair_night
            where pair_night.app_number = $1
                and pair_night.surface = loss_watch.surface
                and pair_night.kind = loss_watch.kind
                and pair_night.to_version = loss_watch.to_version
                and pair_night.from_version <> pair_night.to_version
                and pair_night.taken_at = now()))
order by
    loss_version.first_day,
    loss_watch.to_version,
    loss_watch.surface,
    loss_watch.kind
