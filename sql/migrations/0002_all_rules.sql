-- All rules of docs/reconciliation.md, folded onto checkpoints.

alter table census.app
    add column doubted_builds text[] not null default '{}';
comment on column census.app.doubted_builds is 'OS builds whose lists are not believed, such as the betas of iOS 14.0: what they claim is possible only.';

alter table census.pending_device
    add column earliest_at timestamptz,
    add column occurred_from timestamptz;
comment on column census.pending_device.earliest_at is 'The earliest corrected time of the observations that queued the device; null: it is to be folded from the start.';
comment on column census.pending_device.occurred_from is 'Their earliest time as sent: no older partition has to be read.';

alter table census.device
    add column checkpoint bytea,
    add column folded_through timestamptz,
    add column suspect_since timestamptz,
    add column last_ordinal integer not null default 0;
comment on column census.device.checkpoint is 'The fold''s state after the last reconciled observation; null, or written by other rules: the device is folded from the start.';
comment on column census.device.folded_through is 'The latest corrected time that is in the checkpoint: what comes for later times is folded onto it.';
comment on column census.device.suspect_since is 'Since when there are suspects without an outcome: spans of suspects since then may still change.';
comment on column census.device.last_ordinal is 'The highest ordinal among the device''s spans.';

alter table census.span
    add column presumed integer not null default 0,
    add column claim_rule text,
    drop constraint span_holds_something,
    add constraint span_holds_something check (
        certain >= 0 and presumed >= 0 and suspect >= 0 and reported >= 0 and certain + presumed + suspect + reported > 0);
comment on column census.span.presumed is 'Placements that nothing proves and nothing speaks against: possible, and expected to be real.';
comment on column census.span.claim_rule is 'The rule that doubts the suspects: reinstall or fresh_install.';
comment on column census.span.still_there is 'Of the suspects, how many proved to have been there; null while unknown.';
update census.span set
    claim_rule = 'reinstall'
where suspect > 0;

drop index census.span_settled;
create index span_settled on census.span (app_number)
where still_there is not null and ended_rule in ('reboot', 'sign_of_life');

create index span_fading on census.span (to_at)
where ended_cause = 'silent';

create table census.set_aside (
    device_id uuid primary key,
    app_number integer not null,
    set_aside_at timestamptz not null default now(),
    reason text not null
);
comment on table census.set_aside is 'Device. Devices whose history could not be reconciled: their numbers stand as they were. The next observation has them tried again.';
comment on column census.set_aside.device_id is 'The device.';
comment on column census.set_aside.app_number is 'The app.';
comment on column census.set_aside.set_aside_at is 'When it was last tried.';
comment on column census.set_aside.reason is 'What was wrong.';

alter table census.kind_day
    add column devices_reported bigint not null default 0;
comment on column census.kind_day.devices_reported is 'Devices whose OS claimed it: the naive number.';
comment on column census.kind_day.devices_still_there is 'Of those that only possibly held it: proved later to have held it, or presumed to.';

alter table census.kind_day_unsettled
    add column claim_rule text not null default 'reinstall',
    drop constraint kind_day_unsettled_pkey,
    add primary key (app_number, day, surface, kind, platform, os_version, claim_rule);
comment on column census.kind_day_unsettled.claim_rule is 'The rule that doubts them: reinstall or fresh_install.';

-- The rules are others now: every device is read anew.
insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from census.device;
