-- name: add
-- Adds manifest $6, in its canonical spelling, of version $2 of app $1; does nothing if that version has one.
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
        app_number, app_version, surface, kind, families, intent, states_intent, migrates_from, replaces)
    select
        added.app_number,
        added.app_version,
        entry ->> 'surface',
        entry ->> 'kind',
        case when entry ? 'families' then array(select jsonb_array_elements_text(entry -> 'families')) end,
        entry ->> 'intent',
        entry ? 'intent',
        array(select jsonb_array_elements_text(entry -> 'migrates_from')),
        entry ->> 'replaces'
    from added
    cross join jsonb_array_elements($6::jsonb -> 'kinds') as entry
)
select app_version
from added

-- name: all
-- The manifests of app $1, of version $2 if that is not null, with a row for each kind and one for a manifest without any.
select
    manifest.app_version,
    manifest.added_at,
    manifest.added_by,
    manifest_kind.surface,
    manifest_kind.kind as name,
    manifest_kind.families,
    manifest_kind.intent,
    manifest_kind.states_intent,
    manifest_kind.migrates_from,
    manifest_kind.replaces
from census.manifest
left join census.manifest_kind
    on manifest_kind.app_number = manifest.app_number
    and manifest_kind.app_version = manifest.app_version
where manifest.app_number = $1
    and ($2::text is null or manifest.app_version = $2)
order by
    manifest.added_at,
    manifest.app_version collate "C"

-- name: declared
-- Every kind that a manifest declares, once for each app and surface, with the families of all its versions; null where one of
-- them names none, and so takes any.
select
    manifest_kind.app_number,
    manifest_kind.surface,
    manifest_kind.kind,
    case
        when bool_and(manifest_kind.families is not null)
            then coalesce(array_agg(distinct offered.family) filter (where offered.family is not null), '{}')
    end as families
from census.manifest_kind
left join lateral unnest(manifest_kind.families) as offered (family)
    on true
group by
    manifest_kind.app_number,
    manifest_kind.surface,
    manifest_kind.kind
