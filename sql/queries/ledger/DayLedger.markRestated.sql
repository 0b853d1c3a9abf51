-- Notes that the closed days $2 of app $1 changed.
update census.closed_day set
    restated_at = now()
where app_number = $1
    and day = any($2::date[])
