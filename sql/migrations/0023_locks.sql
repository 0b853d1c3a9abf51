-- Work that must not be done twice at once locks a table of its own. Any role that may connect can take an advisory lock, and
-- keep nights, erasures and settings waiting for as long as its session lives; on these tables only the census's roles have rights.

create table census.settings_lock (
    is_single boolean primary key default true check (is_single)
);
comment on table census.settings_lock is 'Local, empty. Locked while devices are folded (row share), and while it is changed how they are (exclusive).';
comment on column census.settings_lock.is_single is 'Never filled.';

create table census.partitions_lock (
    is_single boolean primary key default true check (is_single)
);
comment on table census.partitions_lock is 'Local, empty. Locked while a statement needs all partitions as they are (row share), and while one is made or dropped (exclusive).';
comment on column census.partitions_lock.is_single is 'Never filled.';

create table census.kinds_lock (
    is_single boolean primary key default true check (is_single)
);
comment on table census.kinds_lock is 'Local, empty. Locked while kinds are decided on (exclusive).';
comment on column census.kinds_lock.is_single is 'Never filled.';

create table census.losses_lock (
    is_single boolean primary key default true check (is_single)
);
comment on table census.losses_lock is 'Local, empty. Locked while updates are watched or their incidents acted on (exclusive).';
comment on column census.losses_lock.is_single is 'Never filled.';
