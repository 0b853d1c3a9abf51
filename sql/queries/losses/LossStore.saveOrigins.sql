-- Saves the same for each version that devices came from.
insert into census.loss_origin (
    app_number, surface, kind, to_version, from_version, upgraders, lost, exposed_seconds, others, others_lost,
    others_seconds, evidence, z, devices_at_risk)
select
    $1,
    $2,
    $3,
    $4,
    from_version,
    upgraders,
    lost,
    exposed_seconds,
    others,
    others_lost,
    others_seconds,
    evidence,
    z,
    devices_at_risk
from unnest(
    $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
    $12::double precision[], $13::double precision[], $14::bigint[]
) as origin (
    from_version, upgraders, lost, exposed_seconds, others, others_lost, others_seconds, evidence, z, devices_at_risk)
on conflict (app_number, surface, kind, to_version, from_version) do update set
    upgraders = excluded.upgraders,
    lost = excluded.lost,
    exposed_seconds = excluded.exposed_seconds,
    others = excluded.others,
    others_lost = excluded.others_lost,
    others_seconds = excluded.others_seconds,
    evidence = excluded.evidence,
    z = excluded.z,
    devices_at_risk = excluded.devices_at_risk
