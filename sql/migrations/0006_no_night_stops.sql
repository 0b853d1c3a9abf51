-- Nothing that comes in stops a night, and what an older version may have broken is counted anew
-- (docs/decisions/0025-nightly-failures.md, docs/decisions/0016-ledger.md).

-- Four names that clients choose did not fit in a row of an index. A hash of them does, however long they are: SHA-256 of
-- each one's length and bytes, so that no two cells are written alike.

alter table census.install_day
    drop constraint install_day_pkey,
    add column cell bytea not null generated always as (
        substring(sha256(replace(
            length(surface)::text || ' ' || surface || length(kind)::text || ' ' || kind
            || length(family)::text || ' ' || family || length(app_version)::text || ' ' || app_version
            || length(os_version)::text || ' ' || os_version || platform, '\', '\\')::bytea), 1, 16)) stored,
    add primary key (app_number, day, cell);
comment on column census.install_day.cell is 'Stands for the six columns after the day: the first 16 bytes of a SHA-256.';

alter table census.install_entry
    add column cell bytea not null generated always as (
        substring(sha256(replace(
            length(surface)::text || ' ' || surface || length(kind)::text || ' ' || kind
            || length(family)::text || ' ' || family || length(app_version)::text || ' ' || app_version
            || length(os_version)::text || ' ' || os_version || platform, '\', '\\')::bytea), 1, 16)) stored;
comment on column census.install_entry.cell is 'Stands for the six columns after the day: the first 16 bytes of a SHA-256.';

-- How it went for each app.

create table census.app_night (
    app_number integer primary key,
    closed_at timestamptz,
    fault text,
    failure text,
    failed_at timestamptz,
    is_doubted boolean not null default false,
    recounted_at timestamptz,
    constraint app_night_fault_is_known check (fault in ('away', 'data', 'set_up', 'ours')),
    constraint app_night_failure_is_whole check (
        (fault is null) = (failure is null) and (fault is null) = (failed_at is null))
);
comment on table census.app_night is 'Local. How the last night went for each app.';
comment on column census.app_night.app_number is 'The app.';
comment on column census.app_night.closed_at is 'When its days were last closed.';
comment on column census.app_night.fault is 'Whose fault it is that they were not closed since: away, data, set_up or ours; null: they were.';
comment on column census.app_night.failure is 'The same as a sentence, without data.';
comment on column census.app_night.failed_at is 'When that was.';
comment on column census.app_night.is_doubted is 'The next night counts its ledger anew from the spans before it closes a day.';
comment on column census.app_night.recounted_at is 'When its ledger was last counted anew.';

alter table census.night_run
    add column apps_failed bigint,
    add column ledgers_recounted bigint;
comment on column census.night_run.apps_failed is 'Apps whose days could not be closed; census.app_night says why.';
comment on column census.night_run.ledgers_recounted is 'Apps whose ledger was counted anew from the spans.';
comment on column census.night_run.failure is 'Why it failed, or could not close the days of some apps; null: it did not.';

-- Reads stay in quarters of an hour, which belong to a day in every zone. Of those counted before, only the day is known:
-- they stand at its noon.

create table census.read_quarter (
    app_number integer not null,
    quarter_at timestamptz not null,
    reads bigint not null,
    reads_failed bigint not null,
    reads_erased bigint not null default 0,
    reads_failed_erased bigint not null default 0,
    is_of_day boolean not null default false,
    -- With the numbers: coverage reads a hundred rows for a day, and needs nothing else of them.
    primary key (app_number, quarter_at, is_of_day) include (reads, reads_failed),
    constraint read_quarter_counts check (
        reads_failed between 0 and reads and reads_failed_erased between 0 and reads_erased)
);
comment on table census.read_quarter is 'Local aggregate. How often apps read the list of widgets, by quarter of an hour: days begin at one in every zone.';
comment on column census.read_quarter.app_number is 'The app.';
comment on column census.read_quarter.quarter_at is 'Start of the quarter of an hour, on the server''s clock.';
comment on column census.read_quarter.reads is 'Reports, successful or not.';
comment on column census.read_quarter.reads_failed is 'Of these, reads that had failed.';
comment on column census.read_quarter.reads_erased is 'Of these, reads of devices that were forgotten: the log no longer has them.';
comment on column census.read_quarter.reads_failed_erased is 'Of those, reads that had failed.';
comment on column census.read_quarter.is_of_day is 'All of a day, at its noon: it was counted before quarters were kept.';
insert into census.read_quarter (app_number, quarter_at, reads, reads_failed, is_of_day)
select
    read_day.app_number,
    date_bin('15 minutes', (read_day.day + time '12:00') at time zone app.zone, '2000-01-01 00:00:00+00'),
    read_day.reads,
    read_day.reads_failed,
    true
from census.read_day
join census.app
    on app.app_number = read_day.app_number;
-- The view of the version before still reads it: it goes when that is gone.
delete from census.read_day;
comment on table census.read_day is 'Local. Empty and no longer used: read_quarter has what it had.';

alter table census.read_entry
    add column reads_erased bigint not null default 0,
    add column reads_failed_erased bigint not null default 0;
comment on column census.read_entry.reads_erased is 'Of these, reads of devices that were forgotten since.';
comment on column census.read_entry.reads_failed_erased is 'Of those, reads that had failed.';

-- What a restored instance held was renamed back to where it began, which the ledger had not been told. All devices are folded
-- anew, since the rules are others now; and the ledger of apps that may have such is counted anew.

insert into census.app_night (app_number, is_doubted)
select distinct
    app_number,
    true
from census.device
where platform = 'android';
