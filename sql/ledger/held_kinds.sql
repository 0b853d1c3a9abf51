-- What each device holds of each kind in each stretch.
held as (
    select
        device_id,
        first,
        last,
        surface,
        kind,
        sum(certain) as certain,
        sum(certain + presumed + suspect) as possible,
        sum(reported) as reported,
        sum(suspect) as suspect,
        sum(suspect - still_there) as gone,
        sum(still_there) as still_there,
        bool_or(presumed > 0 or coalesce(still_there, 0) > 0) as is_still_there,
        (array_agg(
            array[claim_platform, claim_os_version, claim_rule]
            order by
                claim_platform collate "C" desc,
                claim_os_version collate "C" desc,
                claim_rule collate "C" desc
        ) filter (where suspect > 0 and still_there is null))[1:1] as claim
    from live_span
    group by
        device_id,
        first,
        last,
        surface,
        kind
)
