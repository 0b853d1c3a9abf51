-- Made by scripts/generate-sql from sql/ledger/contents.sql and tables.toml: edit those.
-- The days of app $1 as hashes: one row for each cell of kind_day, and one for each day of each other table.
-- Leaves out what was first known, and reads.
select
    day,
    true as is_kind,
    hashtextextended(length(surface) || ' ' || surface || kind, 0) as cell,
    hashtextextended(
        row(
            devices_certain, devices_possible, devices_still_there, devices_reported, devices_silent, widgets_certain,
            widgets_possible, widgets_reported, widgets_suspect, widgets_gone, widgets_still_there)::text, 0) as numbers
from census.kind_day
where app_number = $1
    -- Zeros stay where something was first known, and say nothing.
    and (
        devices_certain <> 0
        or devices_possible <> 0
        or devices_still_there <> 0
        or devices_reported <> 0
        or devices_silent <> 0
        or widgets_certain <> 0
        or widgets_possible <> 0
        or widgets_reported <> 0
        or widgets_suspect <> 0
        or widgets_gone <> 0
        or widgets_still_there <> 0
    )
union all
select
    day,
    false,
    1,
    bit_xor(hashtextextended(kind_day_unsettled::text, 0))
from census.kind_day_unsettled
where app_number = $1
group by day
union all
select
    day,
    false,
    2,
    bit_xor(hashtextextended(version_day::text, 0))
from census.version_day
where app_number = $1
group by day
union all
select
    day,
    false,
    3,
    bit_xor(hashtextextended(install_day::text, 0))
from census.install_day
where app_number = $1
group by day
union all
select
    day,
    false,
    4,
    bit_xor(hashtextextended(device_day::text, 0))
from census.device_day
where app_number = $1
group by day
union all
select
    day,
    false,
    5,
    bit_xor(hashtextextended(change_day::text, 0))
from census.change_day
where app_number = $1
group by day
union all
select
    day,
    false,
    6,
    bit_xor(hashtextextended(move_day::text, 0))
from census.move_day
where app_number = $1
group by day
union all
select
    day,
    false,
    7,
    bit_xor(hashtextextended(outcome_day::text, 0))
from census.outcome_day
where app_number = $1
group by day
union all
select
    day,
    false,
    8,
    bit_xor(hashtextextended(active_day::text, 0))
from census.active_day
where app_number = $1
group by day
union all
select
    day,
    false,
    9,
    bit_xor(hashtextextended(overlap_day::text, 0))
from census.overlap_day
where app_number = $1
group by day
union all
select
    day,
    false,
    10,
    bit_xor(hashtextextended(use_day::text, 0))
from census.use_day
where app_number = $1
group by day
union all
select
    day,
    false,
    11,
    bit_xor(hashtextextended(cohort_day::text, 0))
from census.cohort_day
where app_number = $1
group by day
