-- Every kind that a manifest declares, once for each app and surface, with the families of all its versions; takes_any: one of
-- them names none.
select
    manifest_kind.app_number,
    manifest_kind.surface,
    manifest_kind.kind,
    bool_or(manifest_kind.families is null) as takes_any,
    coalesce(array_agg(distinct offered.family) filter (where offered.family is not null), '{}') as families
from census.manifest_kind
left join lateral unnest(manifest_kind.families) as offered (family)
    on true
group by
    manifest_kind.app_number,
    manifest_kind.surface,
    manifest_kind.kind
