-- Whether analysts may read the reports of this database.
select coalesce(has_schema_privilege(to_regrole('widget_census_analyst')::oid, 'report', 'usage'), false) as is_open
