-- Adds net changes of {table}.
copy census.{entries} (
    {list app_number day cells amounts}
) from stdin (format binary)
