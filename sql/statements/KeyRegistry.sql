-- name: add
insert into census.api_key (key_hash, app_number, role, channel, holder)
select
    $1,
    app_number,
    $3,
    $4,
    $5
from census.app
where app_id = $2
returning app_number

-- name: all
-- Every key, even revoked ones, because the server answers differently to a key that was once valid.
select
    api_key.key_hash,
    api_key.role,
    api_key.channel,
    api_key.holder,
    api_key.revoked_at is not null as is_revoked,
    app.app_number,
    app.app_id,
    app.maximum_kinds,
    app.maximum_families
from census.api_key
join census.app
    on app.app_number = api_key.app_number

-- name: listed
-- The keys of app $1, or of all apps if it is null, each with the first digits of its hash; valid ones and newer ones first.
select
    app.app_id,
    api_key.role,
    api_key.channel,
    api_key.holder,
    substr(encode(api_key.key_hash, 'hex'), 1, 12) as name,
    api_key.created_at as made_at,
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

-- name: revoke
update census.api_key set
    revoked_at = now()
where key_hash = $1
    and revoked_at is null
returning app_number

-- name: revokeNamed
-- Revokes the valid key of app $1 whose hash begins with the digits $2.
update census.api_key set revoked_at = now()
from census.app
where app.app_number = api_key.app_number
    and app.app_id = $1
    and substr(encode(api_key.key_hash, 'hex'), 1, 12) = $2
    and api_key.revoked_at is null
returning api_key.role
