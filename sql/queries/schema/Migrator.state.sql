select to_regclass('census_schema.version') is not null as is_there
