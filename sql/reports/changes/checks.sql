-- What holds of changes on any database, beside what its grain says; found: violations.
-- Harm: update census.change_day set cause = 'moved' where cause = 'removed'
select
    'fail' as severity,
    'every cause is a known one' as claim,
    count(*) as found
from report.changes
where cause not in (
    'installed', 'removed', 'configured', 'reinstalled', 'upgrade_loss', 'silent', 'returned', 'forgotten')
union all
-- Harm: update census.change_day set widgets_removed = -1
select
    'fail' as severity,
    'nothing negative came or went' as claim,
    count(*) as found
from report.changes
where widgets_added < 0
    or widgets_removed < 0
union all
-- Harm: delete from census.change_day where cause = 'removed'
select
    'fail' as severity,
    'what came and went explains widgets_certain of live_kinds from each day to the next' as claim,
    count(*) as found
from census.unexplained_change
where widgets <> 0
