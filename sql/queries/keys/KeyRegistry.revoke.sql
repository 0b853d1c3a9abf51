update census.api_key set
    revoked_at = now()
where key_hash = $1
    and revoked_at is null
returning app_number
