-- Once the hash of a forgotten device is gone, an old file still has its events. They must not count a second time.

alter table census.retention add column apps_with_expired_hashes integer[] not null default '{}';
comment on column census.retention.apps_with_expired_hashes is 'Apps that once forgot a device whose hash is gone. Of devices without a base they take nothing from before kept_from: the device may be that one.';

-- Those that forgot a device so far: its past has no version of the app.
update census.retention set
    apps_with_expired_hashes = array(
        select distinct app_number
        from census.device
        where app_version = ''
        order by app_number);
