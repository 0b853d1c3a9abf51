-- Names the analyst and the password's verifier for the statements that take no parameters.
select
    set_config('widget_census.analyst', $1, true) as analyst,
    set_config('widget_census.verifier', $2, true) as verifier
