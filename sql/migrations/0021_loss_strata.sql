-- Pairs are compared with pairs of like gaps, and losses tell on which OS versions they happened and what came in their place.
-- Pairs that were taken before count as short ones: how long each gap was is not known any more.

alter table census.pair_entry
    add column gap text collate "C" not null default 'short',
    add column os_release text collate "C",
    add column gained text[] collate "C" not null default '{}';
comment on column census.pair_entry.gap is 'How long the time between the reports was: short (up to two days), long (up to 14) or late.';
comment on column census.pair_entry.os_release is 'The OS version at the second report; null: there was no update of the app, or it is not known.';
comment on column census.pair_entry.gained is 'Kinds that the second report lists and of which nothing was there before; only of updates that lost the kind.';
comment on column census.pair_entry.exposed_seconds is 'Time between the reports, summed; each gap counts as an hour at least.';

alter table census.pair_night
    add column gap text collate "C" not null default 'short',
    add constraint pair_night_gap_is_known check (gap in ('short', 'long', 'late')),
    drop constraint pair_night_pkey,
    add primary key (app_number, surface, kind, to_version, from_version, taken_at, day, is_other_os, gap);
comment on column census.pair_night.gap is 'How long the time between the reports was: short (up to two days, and all pairs of before version 21 of the schema), long (up to 14) or late, which is no evidence.';
comment on column census.pair_night.exposed_seconds is 'Time between the reports, summed; each gap counts as an hour at least.';

alter table census.loss_watch
    add column long_bound double precision,
    add column late bigint not null default 0,
    add column unmatched bigint not null default 0,
    add column unmatched_with_os bigint not null default 0;
comment on column census.loss_watch.bound is 'How many others lose it in a day at most, by the pairs with short gaps before the first update; null: there were none. Fixed beforehand.';
comment on column census.loss_watch.long_bound is 'The same by the pairs with long gaps.';
comment on column census.loss_watch.late is 'Those of upgraders that are no evidence, because they reported again only after 14 days.';
comment on column census.loss_watch.unmatched is 'Those that are none because no others were there to compare with, and no bound was low enough to show anything.';
comment on column census.loss_watch.unmatched_with_os is 'The same of those that updated the OS, too.';
update census.loss_watch set
    long_bound = bound
where bound is not null;

create table census.loss_detail (
    app_number integer not null,
    surface text collate "C" not null,
    kind text collate "C" not null,
    to_version text collate "C" not null,
    detail text collate "C" not null,
    value text collate "C" not null,
    upgraders bigint not null,
    lost bigint not null,
    last_day date not null,
    primary key (app_number, surface, kind, to_version, detail, value),
    constraint loss_detail_is_known check (detail in ('os', 'gained')),
    constraint loss_detail_counts check (0 <= lost and lost <= upgraders)
);
create index loss_detail_day on census.loss_detail (app_number, last_day);
comment on table census.loss_detail is 'Local aggregate. What devices that updated have in common: the OS version, and kinds that they reported for the first time in the report that lacks the lost one.';
comment on column census.loss_detail.app_number is 'The app.';
comment on column census.loss_detail.surface is 'widget, control, live_activity or today.';
comment on column census.loss_detail.kind is 'The widget''s kind.';
comment on column census.loss_detail.to_version is 'The version that was updated to.';
comment on column census.loss_detail.detail is 'os: an OS version; gained: a kind that was new on them.';
comment on column census.loss_detail.value is 'The OS version at the second report, or the kind.';
comment on column census.loss_detail.upgraders is 'Devices that held it for certain, updated and reported again; of a gained kind only those that lost it.';
comment on column census.loss_detail.lost is 'Those that then listed nothing of it.';
comment on column census.loss_detail.last_day is 'The day of the newest of these reports.';
