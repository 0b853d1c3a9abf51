-- The manifests of app $1, of version $2 if that is not null, with a row for each kind and one for a manifest without any.
select
    manifest.app_version,
    manifest.added_at,
    manifest.added_by,
    manifest_kind.surface,
    manifest_kind.kind,
    manifest_kind.families,
    manifest_kind.intent,
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
