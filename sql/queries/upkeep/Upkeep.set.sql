-- Changes how long observations are kept.
update census.retention set
    days = $1
