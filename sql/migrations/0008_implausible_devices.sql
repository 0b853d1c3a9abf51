-- Devices that tell of more than a phone can.

alter table census.set_aside
    add column is_implausible boolean not null default false;
comment on column census.set_aside.is_implausible is 'It tells of more than a phone can: it is not tried again, and its observations are not kept for longer than others.';
comment on table census.set_aside is 'Device. Devices whose history could not be reconciled: their numbers stand as they were, and what they need is kept. The next observation has them tried again, but for implausible ones.';
