-- As of when app $1 is counted, how many devices were heard of that are not counted, and how many that are have sent more since.
select
    (
        select as_of
        from census.reconciled
        where reconciled.app_number = $1
    ) as as_of,
    (
        select count(*)
        from census.unknown_device
        where unknown_device.app_number = $1
    ) as devices_unknown,
    (
        select count(distinct pending_device.device_id)
        from census.pending_device
        join census.counted_device
            on counted_device.device_id = pending_device.device_id
        where pending_device.app_number = $1
            -- Others wait to be counted anew, though nothing new is known of them.
            and pending_device.occurred_from < now() + interval '1 day'
            and coalesce(counted_device.silent_at, 'infinity') > now()
    ) as devices_waiting
