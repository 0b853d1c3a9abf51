-- Settings of the server itself with which a crash may lose what was committed.
select name
from pg_settings
where name in ('fsync', 'full_page_writes')
    and setting = 'off'
order by name
