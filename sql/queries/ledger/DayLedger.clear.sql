-- Made by scripts/generate-sql from sql/ledger/clear.sql and tables.toml: edit those.
-- Empties the ledger of app $1: levels, flows and net changes. What was first known about a closed day stays, and so do
-- reads, which only the log knows.
with
not_closed as (
    delete from census.kind_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
),
kind_entry_rows as (
    delete from census.kind_entry
    where app_number = $1
),
kind_unsettled_entry_rows as (
    delete from census.kind_unsettled_entry
    where app_number = $1
),
version_entry_rows as (
    delete from census.version_entry
    where app_number = $1
),
install_entry_rows as (
    delete from census.install_entry
    where app_number = $1
),
device_entry_rows as (
    delete from census.device_entry
    where app_number = $1
),
change_entry_rows as (
    delete from census.change_entry
    where app_number = $1
),
move_entry_rows as (
    delete from census.move_entry
    where app_number = $1
),
outcome_entry_rows as (
    delete from census.outcome_entry
    where app_number = $1
),
active_entry_rows as (
    delete from census.active_entry
    where app_number = $1
),
overlap_entry_rows as (
    delete from census.overlap_entry
    where app_number = $1
),
use_entry_rows as (
    delete from census.use_entry
    where app_number = $1
),
cohort_entry_rows as (
    delete from census.cohort_entry
    where app_number = $1
),
kind_day_unsettled_rows as (
    delete from census.kind_day_unsettled
    where app_number = $1
),
version_day_rows as (
    delete from census.version_day
    where app_number = $1
),
install_day_rows as (
    delete from census.install_day
    where app_number = $1
),
device_day_rows as (
    delete from census.device_day
    where app_number = $1
),
change_day_rows as (
    delete from census.change_day
    where app_number = $1
),
move_day_rows as (
    delete from census.move_day
    where app_number = $1
),
outcome_day_rows as (
    delete from census.outcome_day
    where app_number = $1
),
active_day_rows as (
    delete from census.active_day
    where app_number = $1
),
overlap_day_rows as (
    delete from census.overlap_day
    where app_number = $1
),
use_day_rows as (
    delete from census.use_day
    where app_number = $1
),
cohort_day_rows as (
    delete from census.cohort_day
    where app_number = $1
)
update census.kind_day set
    devices_certain = 0,
    devices_possible = 0,
    devices_still_there = 0,
    devices_reported = 0,
    devices_silent = 0,
    widgets_certain = 0,
    widgets_possible = 0,
    widgets_reported = 0,
    widgets_suspect = 0,
    widgets_gone = 0,
    widgets_still_there = 0
where app_number = $1
    and day in (select closed_day.day from census.closed_day where app_number = $1)
