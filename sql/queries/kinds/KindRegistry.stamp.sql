-- What app $1's gallery depends on besides the devices: as long as it is the same, so are the kinds and the decisions.
select
    app.window_days,
    app.zone,
    app.doubted_builds,
    coalesce(latest.act_number, 0) as version,
    -- After an older backup was restored, another act may get a number that was given before.
    latest.acted_at,
    (
        select count(*)
        from census.known_name
        where app_number = $1
            and dimension = 'kind') as known_kinds
from census.app
left join lateral (
    select
        act_number,
        acted_at
    from census.kind_act
    where app_number = $1
    order by act_number desc
    limit 1
) as latest
    on true
where app_number = $1
