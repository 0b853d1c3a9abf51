-- Revokes the valid key of app $1 whose hash begins with the digits $2.
update census.api_key set revoked_at = now()
from census.app
where app.app_number = api_key.app_number
    and app.app_id = $1
    and substr(encode(api_key.key_hash, 'hex'), 1, 12) = $2
    and api_key.revoked_at is null
returning api_key.role
