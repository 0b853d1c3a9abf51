-- suspect_share: what became of suspects, by the OS that claimed them.
--
-- Grain    one row per (app_number, platform, os_version) with a settled suspect
-- Units    placements; share: of the settled ones still there, smoothed by one of each, so that it is never 0 or 1
-- Reads    span: the last span of each suspicion is the one that the reboot ended
-- Read by  live_now, live_kinds
create or replace view census.suspect_share as
select
    app_number,
    claim_platform as platform,
    coalesce(claim_os_version, '') as os_version,
    sum(suspect) as settled,
    sum(still_there) as still_there,
    (sum(still_there) + 1.0) / (sum(suspect) + 2.0) as share
from census.span
where ended_rule = 'reboot'
    and still_there is not null
group by
    app_number,
    claim_platform,
    coalesce(claim_os_version, '');

comment on view census.suspect_share is 'What became of suspects, by the OS that claimed them.';
comment on column census.suspect_share.app_number is 'The app.';
comment on column census.suspect_share.platform is 'The platform that first claimed them.';
comment on column census.suspect_share.os_version is 'The OS version that first claimed them; empty when unknown.';
comment on column census.suspect_share.settled is 'Suspects whose device booted and reported again.';
comment on column census.suspect_share.still_there is 'Of these, still claimed.';
comment on column census.suspect_share.share is 'still_there / settled, smoothed by one of each.';
