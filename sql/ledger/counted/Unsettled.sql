{include live_spans},
{include held_kinds},
counted as (
    select
        first,
        last,
        surface,
        kind,
        claim[1][1] as platform,
        claim[1][2] as os_version,
        claim[1][3] as claim_rule,
        count(*) as devices
    from held
    where certain = 0
        and not is_still_there
        and claim is not null
    group by
        first,
        last,
        surface,
        kind,
        claim[1][1],
        claim[1][2],
        claim[1][3]
)
