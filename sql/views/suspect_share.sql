-- suspect_share: what became of suspects, by the OS that claimed them and the rule that doubted them.
--
-- Grain    one row per (app_number, platform, os_version, claim_rule) with a settled suspect
-- Units    placements; share: of the settled ones still there, smoothed by one of each, so that it is never 0 or 1
-- Reads    outcome_day: by a reboot (R6), or by the use of one of them (R7)
-- Caveat   the widgets of a restored phone (R5) are real where those of a reinstalled app are not: never mix the rules
-- Read by  live_now, live_kinds
create or replace view census.suspect_share as
select
    app_number,
    platform,
    os_version,
    sum(suspects_settled)::bigint as settled,
    sum(suspects_still_there)::bigint as still_there,
    (sum(suspects_still_there) + 1.0) / (sum(suspects_settled) + 2.0) as share,
    claim_rule
from census.outcome_day
group by
    app_number,
    platform,
    os_version,
    claim_rule
having sum(suspects_settled) > 0;

comment on view census.suspect_share is 'What became of suspects, by the OS that claimed them and the rule that doubted them.';
comment on column census.suspect_share.app_number is 'The app.';
comment on column census.suspect_share.platform is 'The platform that first claimed them.';
comment on column census.suspect_share.os_version is 'The OS version that first claimed them; empty when unknown.';
comment on column census.suspect_share.settled is 'Suspects of which it became known whether they were there.';
comment on column census.suspect_share.still_there is 'Of these, those that were.';
comment on column census.suspect_share.share is 'still_there / settled, smoothed by one of each.';
comment on column census.suspect_share.claim_rule is 'The rule that doubted them: reinstall or fresh_install.';
