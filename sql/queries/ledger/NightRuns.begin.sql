-- Records that a night begins.
insert into census.night_run default values
returning run_number
