-- Adds manifest $6, in its canonical spelling, of version $2 of app $1; nothing when that version has one.
with added as (
    insert into census.manifest (app_number, app_version, added_by, digest, source)
    values ($1, $2, $3, $4, $5)
    on conflict do nothing
    returning
        app_number,
        app_version
),
kind as (
    insert into census.manifest_kind (
        app_number, app_version, surface, kind, families, intent, migrates_from, replaces)
    select
        added.app_number,
        added.app_version,
        entry ->> 'surface',
        entry ->> 'kind',
        case when entry ? 'families' then array(select jsonb_array_elements_text(entry -> 'families')) end,
        entry ->> 'intent',
        array(select jsonb_array_elements_text(entry -> 'migrates_from')),
        entry ->> 'replaces'
    from added
    cross join jsonb_array_elements($6::jsonb -> 'kinds') as entry
)
select app_version
from added
