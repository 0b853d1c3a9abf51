-- The fingerprint of the secret that this database was begun with.
select secret_fingerprint
from census.deployment
