-- Every key, even revoked ones: the door answers differently to a key that was once valid.
select
    api_key.key_hash,
    api_key.role,
    api_key.channel,
    api_key.revoked_at is not null as is_revoked,
    app.app_number,
    app.app_id,
    app.maximum_kinds,
    app.maximum_families
from census.api_key
join census.app
    on app.app_number = api_key.app_number
