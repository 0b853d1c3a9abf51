-- On which OS versions the lists of app $1's phones named widgets that were gone.
select
    platform,
    os_version,
    suspects_settled,
    gone,
    gone_share::double precision as gone_share,
    low::double precision as low,
    high::double precision as high,
    ordinary_removal_share::double precision as ordinary_removal_share
from report.os_quirks
where app_id = $1
order by
    suspects_settled desc,
    platform,
    os_version
