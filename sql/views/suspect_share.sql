-- suspect_share: outcomes of suspects, by the OS that listed them and the rule that doubted them.
--
-- Grain    one row per (app_number, platform, os_version, claim_rule) with a settled suspect
-- Units    placements; share of the settled ones that were still there, with one of each added, so it is never 0 or 1
-- Reads    outcome_day: settled by a reboot (R6) or by use (R7)
-- Caveat   widgets on a restored phone (R5) tend to be real, those of a reinstalled app not: never mix the rules
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

comment on view census.suspect_share is 'Outcomes of suspects, by the OS that listed them and the rule that doubted them.';
comment on column census.suspect_share.app_number is 'The app.';
comment on column census.suspect_share.platform is 'Platform that first listed them.';
comment on column census.suspect_share.os_version is 'OS version that first listed them; empty if unknown.';
comment on column census.suspect_share.settled is 'Suspects whose outcome is known.';
comment on column census.suspect_share.still_there is 'Of these, suspects that were still there.';
comment on column census.suspect_share.share is '(still_there + 1) / (settled + 2).';
comment on column census.suspect_share.claim_rule is 'The rule that doubted them: reinstall or fresh_install.';
