-- Forgets that days of app $1 after $2 were closed: they have not ended. A recount then empties the ledger of them, and a night closes
-- each when it has ended.
delete from census.closed_day
where app_number = $1
    and day > $2
