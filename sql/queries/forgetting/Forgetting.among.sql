-- Which of the devices $1 were forgotten.
select asked.device_id
from unnest($1::uuid[]) as asked (device_id)
where exists (
    select 1
    from census.forgotten
    where forgotten.device_hash = sha256(uuid_send(asked.device_id)))
