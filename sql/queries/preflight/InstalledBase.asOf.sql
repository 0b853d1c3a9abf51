-- As of when app $1 is counted, and how many devices were heard of that are not counted.
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
    ) as devices_unknown
