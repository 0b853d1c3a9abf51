-- mass_losses: whether app updates take a kind away, for each version that devices updated to, and from.
--
-- Grain    one row per (app_id, surface, kind, from_version, to_version); from_version null: all of them, and this row decides
-- Units    devices: pairs of successive reports, the second from another version; z: standard deviations
-- Reads    loss_watch, loss_origin
-- Caveat   as of the last night; watches versions for 180 days, and kinds with at least 20 holders. Evidence decides: an
--          e-value, which stays valid when checked every night. z only describes
-- Read by  dashboards (decision, installs, losses, quality); `widget-census report mass_losses`;
--          `widget-census losses show KIND`
-- Empty    no update is watched yet; that takes 20 devices that have a kind, update and report again
-- Spare    z, ordinary_rate, evidence, loss_rate, opened_on
-- Budget   5..200 blocks
create or replace view report.mass_losses as
select
    app.app_id,
    watched.surface,
    watched.kind,
    watched.from_version,
    watched.to_version,
    watched.upgraders,
    watched.lost,
    round(watched.lost::numeric / nullif(watched.upgraders, 0), 6) as loss_rate,
    -- With too few others the rate means little: the same limit as for the evidence.
    case
        when watched.others_seconds >= 0.05 * watched.exposed_seconds then
            round(
                least(
                    1,
                    (watched.others_lost::numeric / nullif(watched.others_seconds, 0))
                    * watched.exposed_seconds / nullif(watched.upgraders, 0)),
                6)
    end as ordinary_rate,
    round(watched.z::numeric, 2) as z,
    -- Four digits are enough.
    to_char(watched.evidence, '9.999EEEE')::double precision as evidence,
    watched.devices_at_risk,
    watched.state,
    watched.opened_on
from (
    select
        app_number,
        surface,
        kind,
        null as from_version,
        to_version,
        upgraders,
        lost,
        exposed_seconds,
        others_lost,
        others_seconds,
        z,
        evidence,
        devices_at_risk,
        state,
        opened_on
    from census.loss_watch
    where judged_on is not null
    union all
    select
        loss_origin.app_number,
        loss_origin.surface,
        loss_origin.kind,
        loss_origin.from_version,
        loss_origin.to_version,
        loss_origin.upgraders,
        loss_origin.lost,
        loss_origin.exposed_seconds,
        loss_origin.others_lost,
        loss_origin.others_seconds,
        loss_origin.z,
        loss_origin.evidence,
        loss_origin.devices_at_risk,
        loss_watch.state,
        loss_watch.opened_on
    from census.loss_origin
    join census.loss_watch
        on loss_watch.app_number = loss_origin.app_number
        and loss_watch.surface = loss_origin.surface
        and loss_watch.kind = loss_origin.kind
        and loss_watch.to_version = loss_origin.to_version
) as watched
join census.app
    on app.app_number = watched.app_number;

comment on view report.mass_losses is 'Whether app updates take a kind away, for each version that devices updated to, and from.';
comment on column report.mass_losses.app_id is 'Bundle id or package name.';
comment on column report.mass_losses.surface is 'widget, control, live_activity or today.';
comment on column report.mass_losses.kind is 'The widget''s kind.';
comment on column report.mass_losses.from_version is 'App version before the update; null: any.';
comment on column report.mass_losses.to_version is 'App version after the update.';
comment on column report.mass_losses.upgraders is 'Devices that had the kind for certain, updated and reported again.';
comment on column report.mass_losses.lost is 'Of these, devices whose next report no longer listed it.';
comment on column report.mass_losses.loss_rate is 'lost / upgraders.';
comment on column report.mass_losses.ordinary_rate is 'Share that would have lost it in that time without the update, estimated from devices that did not update on the same nights; null: too few of those.';
comment on column report.mass_losses.z is 'Standard deviations between lost and the number expected from the others'' rate; null: neither group lost any, or there are no others.';
comment on column report.mass_losses.evidence is 'Evidence for a loss: an e-value, starting at 1. An incident opens at 2 / (its share of the false-alarm budget).';
comment on column report.mass_losses.devices_at_risk is 'Devices that still had the kind for certain on the previous version; with from_version null, on any older version.';
comment on column report.mass_losses.state is 'State of the incident: watched (none), open, acknowledged or closed.';
comment on column report.mass_losses.opened_on is 'Day whose pairs sufficed to open an incident; null: none was opened.';
