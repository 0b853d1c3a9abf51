-- Names the analyst, and what the server shall keep of the password, for the statements that take no parameters.
select
    set_config('widget_census.analyst', $1, true) as analyst,
    set_config('widget_census.verifier', $2, true) as verifier
