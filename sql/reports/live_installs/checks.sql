-- Claims about live_installs that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.install_day set devices_possible = 1
select
    'fail' as severity,
    'certain <= possible, for devices and for widgets' as claim,
    count(*) as found
from report.live_installs
where not (
    0 <= devices_certain and devices_certain <= devices_possible
    and 0 <= widgets_certain and widgets_certain <= widgets_possible and 0 <= widgets_reported)
union all
-- Harm: update census.install_day set widgets_certain = 1
select
    'fail' as severity,
    'every device has a widget' as claim,
    count(*) as found
from report.live_installs
where devices_certain > widgets_certain
    or devices_possible > widgets_possible
union all
-- Harm: update census.install_day set widgets_reported = widgets_reported + 1
select
    'fail' as severity,
    'widgets add up to those of live_kinds, and possible ones to at least as many' as claim,
    count(*) as found
from (
    select
        part.app_number,
        part.day,
        part.surface,
        part.kind
    from (
        select
            app_number,
            day,
            surface,
            kind,
            widgets_certain,
            widgets_possible,
            widgets_reported
        from census.kind_day
        union all
        select
            app_number,
            day,
            surface,
            kind,
            -widgets_certain,
            -widgets_possible,
            -widgets_reported
        from census.install_day
    ) as part
    group by
        part.app_number,
        part.day,
        part.surface,
        part.kind
    having sum(part.widgets_certain) <> 0
        -- An event without a family might have removed a widget of any of several families.
        or sum(part.widgets_possible) > 0
        or sum(part.widgets_reported) <> 0
) as different
union all
-- Harm: update census.kind_day set devices_certain = devices_certain + 1
select
    'fail' as severity,
    'live_kinds has at least as many devices as the largest row of a kind, and at most the sum of its rows' as claim,
    count(*) as found
from (
    select
        app_id,
        day,
        surface,
        kind,
        max(devices_certain) as certain_at_least,
        sum(devices_certain) as certain_at_most,
        max(devices_possible) as possible_at_least,
        sum(devices_possible) as possible_at_most
    from report.live_installs
    group by
        app_id,
        day,
        surface,
        kind
) as installs
join report.live_kinds
    on live_kinds.app_id = installs.app_id
    and live_kinds.day = installs.day
    and live_kinds.surface = installs.surface
    and live_kinds.kind = installs.kind
where not (
    live_kinds.devices_certain between installs.certain_at_least and installs.certain_at_most
    and live_kinds.devices_possible between installs.possible_at_least and installs.possible_at_most)
