-- Whether a device of app $1 has named the kind $2, or, where that counts ($3), a manifest has.
select
    exists (
        select 1
        from census.known_name
        where app_number = $1
            and dimension = 'kind'
            and name = $2)
    or ($3 and exists (
        select 1
        from census.manifest_kind
        where app_number = $1
            and kind = $2))
