insert into census.webhook (app_number, url, secret, allows_private, added_by)
values ($1, $2, $3, $4, $5)
returning webhook_number
