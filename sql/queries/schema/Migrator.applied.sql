select
    version,
    digest
from census_schema.version
order by version
