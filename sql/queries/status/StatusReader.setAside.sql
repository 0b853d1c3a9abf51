-- Devices that are set aside, by app, and what is wrong with one of them. Implausible ones need nobody.
select
    app_number,
    count(*) as devices,
    min(reason collate "C") as reason
from census.set_aside
where not is_implausible
group by app_number
