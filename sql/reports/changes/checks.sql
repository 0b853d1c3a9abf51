-- Claims about changes that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.change_day set cause = 'moved' where cause = 'removed'
select
    'fail' as severity,
    'every cause is known' as claim,
    count(*) as found
from report.changes
where cause not in (
    'installed', 'removed', 'configured', 'reinstalled', 'upgrade_loss', 'silent', 'returned', 'forgotten')
union all
-- Harm: update census.change_day set widgets_removed = -1
select
    'fail' as severity,
    'widgets_added and widgets_removed are not negative' as claim,
    count(*) as found
from report.changes
where widgets_added < 0
    or widgets_removed < 0
union all
-- Harm: delete from census.change_day where cause = 'removed'
select
    'fail' as severity,
    'added minus removed is the change of widgets_certain in live_kinds from each day to the next' as claim,
    count(*) as found
from census.unexplained_change
where widgets <> 0
