-- Whether this server keeps the version of each database's collation, as PostgreSQL 15 and newer do.
select
    current_database()::text as database_name,
    current_setting('server_version_num')::integer >= 150000 as knows_collations
