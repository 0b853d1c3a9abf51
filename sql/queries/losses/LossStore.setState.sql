-- Acknowledges or closes incidents of kind $2 of app $1, of updates to version $3, on all surfaces. Returns those it changed.
update census.loss_watch set
    state = $4
where app_number = $1
    and kind = $2
    and to_version = $3
    and (state = 'open' or state = 'acknowledged' and $4 = 'closed')
returning surface
