-- The keys of app $1, or of all where it is null, each under the first digits of its hash: valid ones and newer ones first.
select
    app.app_id,
    api_key.role,
    api_key.channel,
    substr(encode(api_key.key_hash, 'hex'), 1, 12) as name,
    api_key.created_at,
    api_key.revoked_at
from census.api_key
join census.app
    on app.app_number = api_key.app_number
where $1::text is null
    or app.app_id = $1
order by
    app.app_id,
    api_key.revoked_at is not null,
    api_key.created_at desc,
    name
