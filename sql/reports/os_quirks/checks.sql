-- Claims about os_quirks that hold on any database, besides those made from its grain; found: violations.
-- Harm: none but a wrong view
select
    'fail' as severity,
    'gone + still_there = suspects_settled' as claim,
    count(*) as found
from report.os_quirks
where not (0 <= gone and 0 <= still_there and suspects_settled > 0 and gone + still_there = suspects_settled)
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    'gone_share = gone / suspects_settled' as claim,
    count(*) as found
from report.os_quirks
where gone_share <> round(gone::numeric / suspects_settled, 4)
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    '0 <= low <= gone_share <= high <= 1' as claim,
    count(*) as found
from report.os_quirks
where not (0 <= low and low <= gone_share and gone_share <= high and high <= 1)
union all
-- Harm: update census.change_day set widgets_removed = -90
select
    'fail' as severity,
    'ordinary_removal_share is between 0 and 1' as claim,
    count(*) as found
from report.os_quirks
where not (ordinary_removal_share between 0 and 1)
