-- Claims about changes_by_version that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.move_day set widgets_added = widgets_added + 1 where cause = 'installed'
select
    'fail' as severity,
    'over all versions, widgets_added and widgets_removed are those of changes' as claim,
    count(*) as found
from (
    select
        app_number,
        day,
        surface,
        kind,
        cause,
        sum(widgets_added) as widgets_added,
        sum(widgets_removed) as widgets_removed
    from census.move_day
    where widgets_added > 0
        or widgets_removed > 0
    group by
        app_number,
        day,
        surface,
        kind,
        cause
) as by_version
full join (
    select
        app_number,
        day,
        surface,
        kind,
        cause,
        sum(widgets_added) as widgets_added,
        sum(widgets_removed) as widgets_removed
    from census.change_day
    where widgets_added > 0
        or widgets_removed > 0
    group by
        app_number,
        day,
        surface,
        kind,
        cause
) as by_family
    using (app_number, day, surface, kind, cause)
where (by_version.widgets_added, by_version.widgets_removed)
    is distinct from (by_family.widgets_added, by_family.widgets_removed)
union all
-- Harm: delete from census.move_day where cause = 'removed'
select
    'fail' as severity,
    'added minus removed is the change of devices_certain in live_kinds from each day to the next' as claim,
    count(*) as found
from census.unexplained_change
where devices <> 0
