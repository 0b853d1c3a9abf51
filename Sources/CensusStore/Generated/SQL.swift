// Made by scripts/generate-sql from sql/. Do not edit.
// swift-format-ignore-file
internal import Postgres

/// The files of `sql/queries`, each under its name.
enum SQL {
    static let `AcknowledgementRegistry.add` = Statement(
        "AcknowledgementRegistry.add",
        #"""
        insert into census.acknowledgement (
            app_number, fingerprint, maximum_loss, until_day, acknowledged_by, reason, rule, surface, kind, app_version)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        returning acknowledged_at
        """#)
    static let `AcknowledgementRegistry.all` = Statement(
        "AcknowledgementRegistry.all",
        #"""
        -- Every acknowledgement of app $1, as they were given.
        select
            fingerprint,
            maximum_loss,
            until_day,
            acknowledged_by,
            reason,
            acknowledged_at,
            rule,
            surface,
            kind,
            app_version
        from census.acknowledgement
        where app_number = $1
        order by acknowledgement_number
        """#)
    static let `AnalystRegistry.add` = Statement(
        "AnalystRegistry.add",
        #"""
        -- Creates the named analyst. Rights come from the group; the settings only guard against accidents.
        do $$
        declare
            analyst constant text := current_setting('widget_census.analyst');
        begin
            execute format(
                'create role %I login password %L in role widget_census_analyst',
                analyst, current_setting('widget_census.verifier'));
            execute format('alter role %I set default_transaction_read_only = on', analyst);
            execute format('alter role %I set statement_timeout = %L', analyst, '60s');
            -- A transaction left open would hold up vacuum, and `migrate`.
            execute format('alter role %I set idle_in_transaction_session_timeout = %L', analyst, '60s');
            execute format('alter role %I set search_path = report', analyst);
        end $$;
        """#)
    static let `AnalystRegistry.all` = Statement(
        "AnalystRegistry.all",
        #"""
        -- The analysts, with their sessions on this server.
        select
            member.rolname::text as analyst,
            (
                select count(*)
                from pg_stat_activity
                where usesysid = member.oid
            ) as sessions
        from pg_auth_members
        join pg_roles as member
            on member.oid = pg_auth_members.member
        where pg_auth_members.roleid = to_regrole('widget_census_analyst')
            and member.rolcanlogin
        group by
            member.oid,
            member.rolname
        order by member.rolname
        """#)
    static let `AnalystRegistry.close` = Statement(
        "AnalystRegistry.close",
        #"""
        -- Takes the named analyst's login. It must be committed before sessions are ended: until then new ones begin.
        do $$
        begin
            execute format('alter role %I nologin', current_setting('widget_census.analyst'));
        end $$;
        """#)
    static let `AnalystRegistry.gaps` = Statement(
        "AnalystRegistry.gaps",
        #"""
        -- What analysts may do here beyond reading reports because everybody may, and what they may use without limit, as SQL that an
        -- administrator runs to end it.
        select format(
            'grant temporary on database %1$I to %2$I; revoke temporary on database %1$I from public;',
            current_database(), pg_get_userbyid(nspowner)) as statement
        from pg_namespace
        where nspname = 'census'
            and has_database_privilege('widget_census_analyst', current_database(), 'temporary')
        union all
        select 'revoke create on schema public from public;'
        from pg_namespace
        where nspname = 'public'
            and has_schema_privilege('widget_census_analyst', oid, 'create')
        union all
        select 'revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;'
        where has_function_privilege('widget_census_analyst', 'lo_create(oid)', 'execute')
        union all
        (
            select format('alter role %I set temp_file_limit = ''4GB'';', member.rolname)
            from pg_auth_members
            join pg_roles as member
                on member.oid = pg_auth_members.member
            where pg_auth_members.roleid = to_regrole('widget_census_analyst')
                and member.rolcanlogin
                and not member.rolsuper
                and not exists (select 1 from unnest(member.rolconfig) as setting where setting like 'temp_file_limit=%')
            order by member.rolname
        )
        """#)
    static let `AnalystRegistry.grant` = Statement(
        "AnalystRegistry.grant",
        #"""
        -- Lets analysts read the views that they can't read yet: new and recreated ones. Only where the reports were opened to them:
        -- roles belong to the whole server, and another database's analysts have no business here.
        do $$
        declare
            view regclass;
        begin
            if to_regrole('widget_census_analyst') is null then
                return;
            end if;
            if not has_schema_privilege('widget_census_analyst', 'report', 'usage') then
                return;
            end if;
            for view in
                select oid
                from pg_class
                where relnamespace = 'report'::regnamespace
                    and relkind in ('v', 'm')
                    and not has_table_privilege('widget_census_analyst', oid, 'select')
            loop
                execute format('grant select on %s to widget_census_analyst', view);
            end loop;
        end $$;
        """#)
    static let `AnalystRegistry.isAnalyst` = Statement(
        "AnalystRegistry.isAnalyst",
        #"""
        -- Whether $1 is an analyst, or was one until its login was taken: its settings are those that AnalystRegistry.add makes.
        select exists (
            select 1
            from pg_auth_members
            join pg_roles as member
                on member.oid = pg_auth_members.member
            where pg_auth_members.roleid = to_regrole('widget_census_analyst')
                and member.rolname = $1
                and (member.rolcanlogin or 'search_path=report' = any(member.rolconfig))) as is_analyst
        """#)
    static let `AnalystRegistry.isOpen` = Statement(
        "AnalystRegistry.isOpen",
        #"""
        -- Whether analysts may read the reports of this database.
        select coalesce(has_schema_privilege(to_regrole('widget_census_analyst')::oid, 'report', 'usage'), false) as is_open
        """#)
    static let `AnalystRegistry.limit` = Statement(
        "AnalystRegistry.limit",
        #"""
        -- Limits what each analyst can use up: connections of the server, and disk for sorting. Only a superuser can set the second, which
        -- AnalystRegistry.gaps then leaves to one. A limit that somebody chose stands. Another command may do the same, or drop the role.
        do $$
        declare
            analyst record;
        begin
            for analyst in
                select
                    member.rolname as name,
                    member.rolconnlimit as connections,
                    member.rolconfig as settings
                from pg_auth_members
                join pg_roles as member
                    on member.oid = pg_auth_members.member
                where pg_auth_members.roleid = to_regrole('widget_census_analyst')
                    and member.rolcanlogin
                    and not member.rolsuper
                order by member.rolname
            loop
                if analyst.connections = -1 then
                    begin
                        execute format('alter role %I connection limit 20', analyst.name);
                    exception when insufficient_privilege or undefined_object or internal_error then
                        null;
                    end;
                end if;
                if not exists (select 1 from unnest(analyst.settings) as setting where setting like 'temp_file_limit=%') then
                    begin
                        execute format('alter role %I set temp_file_limit = %L', analyst.name, '4GB');
                    exception when insufficient_privilege or undefined_object or internal_error then
                        null;
                    end;
                end if;
            end loop;
        end $$;
        """#)
    static let `AnalystRegistry.name` = Statement(
        "AnalystRegistry.name",
        #"""
        -- Names the analyst and the password's verifier for the statements that take no parameters.
        select
            set_config('widget_census.analyst', $1, true) as analyst,
            set_config('widget_census.verifier', $2, true) as verifier
        """#)
    static let `AnalystRegistry.open` = Statement(
        "AnalystRegistry.open",
        #"""
        -- Opens the reports of this database to the group of analysts, and nothing else. Changes only what is missing.
        --
        -- Analysts may do what everybody may. So where the database is ours, only roles with business in the schema census may still
        -- make tables in it. Where it is not ours, AnalystRegistry.gaps says what is left to an administrator.
        do $$
        declare
            grantee text;
            is_ours boolean;
        begin
            if to_regrole('widget_census_analyst') is null then
                begin
                    create role widget_census_analyst nologin;
                    comment on role widget_census_analyst is 'Reads the reports of Widget Census.';
                exception when duplicate_object or unique_violation then
                    null; -- Somebody else did, at the same time.
                end;
            end if;
            if not has_schema_privilege('widget_census_analyst', 'report', 'usage') then
                grant usage on schema report to widget_census_analyst;
            end if;
            if has_schema_privilege('public', 'census', 'usage') or has_schema_privilege('public', 'census', 'create') then
                revoke all on schema census from public;
            end if;

            select pg_has_role(current_user, datdba, 'usage') into is_ours
            from pg_database
            where datname = current_database();
            if not is_ours then
                return;
            end if;
            if has_database_privilege('public', current_database(), 'temporary') then
                -- Phones' events pass through temporary tables, so roles that store them must still be able to make some.
                for grantee in
                    select pg_get_userbyid(entry.grantee)
                    from pg_namespace,
                        aclexplode(coalesce(nspacl, acldefault('n', nspowner))) as entry
                    where nspname = 'census'
                        and entry.grantee <> 0
                    group by entry.grantee
                loop
                    execute format('grant temporary on database %I to %I', current_database(), grantee);
                end loop;
                execute format('revoke temporary on database %I from public', current_database());
            end if;
            if to_regnamespace('public') is not null then
                if has_schema_privilege('public', 'public', 'create') then
                    revoke create on schema public from public;
                end if;
            end if;
            -- A large object is a table that needs no schema; only a superuser can close the functions that make one.
            if has_function_privilege('public', 'lo_create(oid)', 'execute') and (
                select rolsuper
                from pg_roles
                where rolname = current_user
            ) then
                revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
            end if;
        end $$;
        """#)
    static let `AnalystRegistry.remove` = Statement(
        "AnalystRegistry.remove",
        #"""
        -- Drops the named analyst, who has no login any more, and ends sessions that began before that was seen.
        do $$
        declare
            analyst constant text := current_setting('widget_census.analyst');
        begin
            begin
                perform pg_terminate_backend(pid, 5000)
                from pg_stat_activity
                where usename = analyst;
            exception when insufficient_privilege then
                null;
            end;
            execute format('drop role %I', analyst);
        end $$;
        """#)
    static let `AppRegistry.acts` = Statement(
        "AppRegistry.acts",
        #"""
        -- Every change of the settings of app $1, oldest first; times in the app's zone.
        select
            (setting_act.acted_at at time zone app.zone)::date as acted_on,
            setting_act.actor,
            setting_act.reason,
            setting_act.changes::text as changes,
            setting_act.verdicts::text as verdicts
        from census.setting_act
        join census.app
            on app.app_number = setting_act.app_number
        where setting_act.app_number = $1
        order by setting_act.act_number
        """#)
    static let `AppRegistry.add` = Statement(
        "AppRegistry.add",
        #"""
        insert into census.app (app_id)
        values ($1)
        on conflict (app_id) do nothing
        returning app_number
        """#)
    static let `AppRegistry.all` = Statement(
        "AppRegistry.all",
        #"""
        select
            app_number,
            app_id,
            zone,
            window_days,
            maximum_kinds,
            maximum_families,
            limit_devices,
            limit_share,
            ready_days,
            minimum_coverage,
            doubted_builds,
            false_alarms
        from census.app
        order by app_id
        """#)
    static let `AppRegistry.heard` = Statement(
        "AppRegistry.heard",
        #"""
        -- What prevents removing app $1: whether anything of it was ever accepted, refused or counted; and its valid keys.
        select
            exists (select 1 from census.known_name where app_number = $1)
                or exists (select 1 from census.pending_device where app_number = $1)
                or exists (select 1 from census.device where app_number = $1)
                or exists (select 1 from census.set_aside where app_number = $1)
                or exists (select 1 from census.refused where app_number = $1)
                or exists (select 1 from census.closed_day where app_number = $1)
                or exists (select 1 from census.read_quarter where app_number = $1)
                or exists (select 1 from census.manifest where app_number = $1) as was_heard,
            (
                select count(*)
                from census.api_key
                where app_number = $1
                    and (revoked_at is null or revoked_at > now() - interval '1 minute')
            ) as keys
        """#)
    static let `AppRegistry.keepAct` = Statement(
        "AppRegistry.keepAct",
        #"""
        -- Records that $2 changed settings of app $1 because of $3: changes $4 and verdicts $5 as census.setting_act says.
        insert into census.setting_act (app_number, actor, reason, changes, verdicts)
        values ($1, $2, $3, $4::text::json, $5::text::json)
        """#)
    static let `AppRegistry.lock` = Statement(
        "AppRegistry.lock",
        #"""
        -- No device is folded meanwhile: a change to how devices are counted then sees, and queues, every device.
        lock table census.settings_lock in exclusive mode
        """#)
    static let `AppRegistry.lockShared` = Statement(
        "AppRegistry.lockShared",
        #"""
        -- No setting of an app changes until the transaction ends: see AppRegistry.lock.
        lock table census.settings_lock in row share mode
        """#)
    static let `AppRegistry.remove` = Statement(
        "AppRegistry.remove",
        #"""
        -- Removes app $1, which was never heard from, with its settings, its keys and its webhooks.
        with removed_key as (
            delete from census.api_key
            where app_number = $1
        ),
        removed_delivery as (
            delete from census.webhook_delivery
            using census.webhook
            where webhook.webhook_number = webhook_delivery.webhook_number
                and webhook.app_number = $1
        ),
        removed_webhook as (
            delete from census.webhook
            where app_number = $1
        ),
        removed_setting_act as (
            delete from census.setting_act
            where app_number = $1
        ),
        removed_kind_act as (
            delete from census.kind_act
            where app_number = $1
        ),
        removed_acknowledgement as (
            delete from census.acknowledgement
            where app_number = $1
        ),
        removed_app_night as (
            delete from census.app_night
            where app_number = $1
        )
        delete from census.app
        where app_number = $1
        returning app_id
        """#)
    static let `AppRegistry.set` = Statement(
        "AppRegistry.set",
        #"""
        -- Changes the settings that are given; null leaves one unchanged.
        --
        -- Zone, window and doubted builds decide what all devices hold, and when: when one changes, all are folded and counted again.
        with before as (
            select
                app_number,
                zone,
                window_days,
                doubted_builds
            from census.app
            where app_id = $1
        ),
        changed as (
            update census.app set
                zone = coalesce($2, zone),
                window_days = coalesce($3, window_days),
                maximum_kinds = coalesce($4, maximum_kinds),
                maximum_families = coalesce($5, maximum_families),
                limit_devices = coalesce($6, limit_devices),
                limit_share = coalesce($7, limit_share),
                ready_days = coalesce($8, ready_days),
                minimum_coverage = coalesce($9, minimum_coverage),
                doubted_builds = coalesce($10, doubted_builds),
                false_alarms = coalesce($11, false_alarms)
            where app_id = $1
            returning
                app_number,
                zone,
                window_days,
                doubted_builds
        ),
        recounted as (
            select changed.app_number
            from changed
            join before
                on before.app_number = changed.app_number
            where (before.zone, before.window_days, before.doubted_builds)
                is distinct from (changed.zone, changed.window_days, changed.doubted_builds)
        ),
        queued as (
            insert into census.pending_device (app_number, device_id)
            select
                device.app_number,
                device.device_id
            from recounted
            join census.device
                on device.app_number = recounted.app_number
        )
        select app_number
        from changed
        """#)
    static let `AppRegistry.zoneOffsets` = Statement(
        "AppRegistry.zoneOffsets",
        #"""
        -- How PostgreSQL reads the zone $1, at noon of each day from 2015 through 2040.
        --
        -- One row for the first day, and for each day whose offset from UTC, in seconds, differs from the day before. A name that
        -- PostgreSQL does not know fails with 22023. Not by pg_timezone_names, which reads hundreds of files.
        with noon as (
            select
                at,
                extract(epoch from (at at time zone $1::text) - (at at time zone 'UTC'))::integer as zone_offset
            from generate_series(
                '2015-01-01 12:00:00+00'::timestamptz, '2040-12-31 12:00:00+00'::timestamptz, interval '24 hours'
            ) as listed (at)
        ),
        compared as (
            select
                at,
                zone_offset,
                lag(zone_offset) over (order by at) as offset_before
            from noon
        )
        select
            at,
            zone_offset
        from compared
        where zone_offset is distinct from offset_before
        order by at
        """#)
    static let `ArrivalReader.newest` = Statement(
        "ArrivalReader.newest",
        #"""
        -- The newest $4 arrivals of app $1 after $2, of device $3 or, if that is null, of all: accepted events, refused ones, and
        -- warnings, which stand for the batch of the same device and time.
        --
        -- For all devices only events of the last two days: received_at has no index, and each day is a partition.
        with accepted as (
            select
                received_at,
                device_id,
                event_id,
                occurred_at
            from census.observation
            where app_number = $1
                and received_at > $2
                and ($3::uuid is null or device_id = $3)
                and ($3::uuid is not null or occurred_at > now() - interval '2 days')
            order by received_at desc
            limit $4
        ),
        refused as (
            select
                received_at,
                device_id,
                event_id,
                code,
                message
            from census.refused
            where app_number = $1
                and received_at > $2
                and refused_on >= ($2::timestamptz at time zone 'UTC')::date
                and ($3::uuid is null or device_id = $3)
            order by received_at desc
            limit $4
        ),
        warned as (
            select
                received_at,
                device_id,
                code,
                message,
                pointer
            from census.warned
            where app_number = $1
                and received_at > $2
                and warned_on >= ($2::timestamptz at time zone 'UTC')::date
                and ($3::uuid is null or device_id = $3)
            order by received_at desc
            limit $4
        ),
        arrived as (
            select
                received_at,
                device_id,
                event_id,
                occurred_at,
                null::text as code,
                null::text as message,
                null::text as pointer
            from accepted
            union all
            select
                received_at,
                device_id,
                event_id,
                null,
                code,
                message,
                null
            from refused
            union all
            select
                received_at,
                device_id,
                null,
                null,
                code,
                message,
                pointer
            from warned
        )
        select *
        from arrived
        order by received_at desc
        limit $4
        """#)
    static let `ConsoleReader.acts` = Statement(
        "ConsoleReader.acts",
        #"""
        -- The decisions on kinds of app $1 since $2, in the app's zone, oldest first.
        select
            (kind_act.acted_at at time zone app.zone)::date as day,
            kind_act.surface,
            kind_act.kind,
            kind_act.lifecycle,
            kind_act.actor
        from census.kind_act
        join census.app
            on app.app_number = kind_act.app_number
        where kind_act.app_number = $1
            and (kind_act.acted_at at time zone app.zone)::date >= $2
        order by kind_act.act_number
        """#)
    static let `ConsoleReader.changes` = Statement(
        "ConsoleReader.changes",
        #"""
        -- The widgets of kind $3 on surface $2 of app $1 that were added and removed since $4, by day and cause.
        select
            day,
            cause,
            sum(widgets_added)::bigint as widgets_added,
            sum(widgets_removed)::bigint as widgets_removed
        from report.changes
        where app_id = $1
            and surface = $2
            and kind = $3
            and day >= $4
        group by
            day,
            cause
        order by
            day,
            cause
        """#)
    static let `ConsoleReader.closedDays` = Statement(
        "ConsoleReader.closedDays",
        #"""
        -- The days of app $1 that are closed, since $2: nothing is known about any other day.
        select day
        from census.closed_day
        where app_number = $1
            and day >= $2
        order by day
        """#)
    static let `ConsoleReader.coverage` = Statement(
        "ConsoleReader.coverage",
        #"""
        -- For how many devices of app $1 the state is known, by day since $2.
        select
            day,
            devices_active,
            devices_reporting,
            reads,
            reads_failed,
            devices_cloned,
            policy_applied
        from report.coverage
        where app_id = $1
            and day >= $2
        order by day
        """#)
    static let `ConsoleReader.families` = Statement(
        "ConsoleReader.families",
        #"""
        -- The devices of app $1 that held kind $3 on surface $2 when the day $4 ended, by family; a device may hold several.
        select
            coalesce(family, '') as family,
            sum(devices_certain)::bigint as devices_certain,
            sum(devices_possible)::bigint as devices_possible
        from report.live_installs
        where app_id = $1
            and surface = $2
            and kind = $3
            and day = $4
        group by family
        order by
            devices_possible desc,
            family
        """#)
    static let `ConsoleReader.ghosts` = Statement(
        "ConsoleReader.ghosts",
        #"""
        -- The widgets of kind $3 on surface $2 of app $1 that the OS reported and that might have been stale, by day since $4.
        select
            day,
            widgets_suspect,
            widgets_gone,
            widgets_still_there
        from report.ghosts
        where app_id = $1
            and surface = $2
            and kind = $3
            and day >= $4
        order by day
        """#)
    static let `ConsoleReader.lastClosed` = Statement(
        "ConsoleReader.lastClosed",
        #"""
        -- The last closed day of app $1; null while none is closed.
        select max(day) as day
        from census.closed_day
        where app_number = $1
        """#)
    static let `ConsoleReader.quirks` = Statement(
        "ConsoleReader.quirks",
        #"""
        -- On which OS versions the lists of app $1's phones named widgets that were gone.
        select
            platform,
            os_version,
            suspects_settled,
            gone,
            gone_share::double precision as gone_share,
            low::double precision as low,
            high::double precision as high,
            ordinary_removal_share::double precision as ordinary_removal_share
        from report.os_quirks
        where app_id = $1
        order by
            suspects_settled desc,
            platform,
            os_version
        """#)
    static let `ConsoleReader.refusals` = Statement(
        "ConsoleReader.refusals",
        #"""
        -- What app $1's phones sent since $2 that was refused, most frequent first.
        select
            code,
            sum(events)::bigint as events,
            max(day) as last_day,
            min(example collate "C") as example
        from report.refused
        where app_id = $1
            and day >= $2
        group by code
        order by
            events desc,
            code
        """#)
    static let `ConsoleReader.releases` = Statement(
        "ConsoleReader.releases",
        #"""
        -- The versions of app $1 that appeared since $2: on the day of the first update to them, of their manifest, or on which devices were
        -- first counted with them, whichever is the earliest.
        with seen as (
            select
                to_version as app_version,
                first_day as day
            from census.loss_version
            where app_number = $1
            union all
            select
                manifest.app_version,
                (manifest.added_at at time zone app.zone)::date
            from census.manifest
            join census.app
                on app.app_number = manifest.app_number
            where manifest.app_number = $1
        ),
        run as (
            select
                app_version,
                min(day) as day
            from census.device_day
            where app_number = $1
                and devices_active > 0
            group by app_version
        )
        select
            least(min(seen.day), min(run.day)) as day,
            seen.app_version
        from seen
        left join run
            on run.app_version = seen.app_version
        group by seen.app_version
        having least(min(seen.day), min(run.day)) >= $2
        order by
            day,
            seen.app_version
        """#)
    static let `DayLedger.analyze` = Statement(
        "DayLedger.analyze",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/analyze.sql and tables.toml: edit those.
        -- Tells the planner how much the last night and the reconcilers left: it assumes that a table that was empty
        -- still is, and a night of seconds then took a minute. Does not wait for a vacuum of one of them.
        analyze (skip_locked)
            census.kind_entry,
            census.kind_unsettled_entry,
            census.version_entry,
            census.install_entry,
            census.device_entry,
            census.change_entry,
            census.move_entry,
            census.outcome_entry,
            census.active_entry,
            census.overlap_entry,
            census.use_entry,
            census.cohort_entry
        """#)
    static let `DayLedger.analyzeCounted` = Statement(
        "DayLedger.analyzeCounted",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/analyzeCounted.sql and tables.toml: edit those.
        -- Analyzes all tables that a check reads: without statistics they pass for empty, and are joined row by row.
        -- Autovacuum may not have reached them yet, as after a dump was restored, and never reaches those with a few rows.
        -- Does not wait for a vacuum of one of them.
        analyze (skip_locked)
            census.app,
            census.closed_day,
            census.device,
            census.device_use,
            census.kind_act,
            census.loss_detail,
            census.loss_origin,
            census.loss_watch,
            census.manifest,
            census.manifest_kind,
            census.phase,
            census.read_entry,
            census.read_quarter,
            census.readiness,
            census.reconciled,
            census.refused,
            census.span,
            census.warned,
            census.kind_day,
            census.kind_entry,
            census.kind_day_unsettled,
            census.kind_unsettled_entry,
            census.version_day,
            census.version_entry,
            census.install_day,
            census.install_entry,
            census.device_day,
            census.device_entry,
            census.change_day,
            census.change_entry,
            census.move_day,
            census.move_entry,
            census.outcome_day,
            census.outcome_entry,
            census.active_day,
            census.active_entry,
            census.overlap_day,
            census.overlap_entry,
            census.use_day,
            census.use_entry,
            census.cohort_day,
            census.cohort_entry
        """#)
    static let `DayLedger.applyActive` = Statement(
        "DayLedger.applyActive",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
        -- Makes levels of the net changes of active_day: those of app $1 up to day $2 are taken, and every closed
        -- day from the first of them on is more or less by their running sum.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.active_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                scope,
                surface,
                kind,
                family,
                platform,
                devices_daily,
                devices_weekly,
                devices_in_window
        ),
        net as (
            select
                day,
                scope,
                surface,
                kind,
                family,
                platform,
                sum(devices_daily)::bigint as devices_daily,
                sum(devices_weekly)::bigint as devices_weekly,
                sum(devices_in_window)::bigint as devices_in_window
            from taken
            group by
                day,
                scope,
                surface,
                kind,
                family,
                platform
        ),
        touched as (
            select
                scope,
                surface,
                kind,
                family,
                platform,
                min(day) as first_day
            from net
            group by
                scope,
                surface,
                kind,
                family,
                platform
        ),
        running as (
            select
                closed_day.day,
                touched.scope,
                touched.surface,
                touched.kind,
                touched.family,
                touched.platform,
                (sum(net.devices_daily) over so_far)::bigint as devices_daily,
                (sum(net.devices_weekly) over so_far)::bigint as devices_weekly,
                (sum(net.devices_in_window) over so_far)::bigint as devices_in_window
            from touched
            join census.closed_day
                on closed_day.app_number = $1
                and closed_day.day >= touched.first_day
            left join net
                on net.day = closed_day.day
                and net.scope = touched.scope
                and net.surface = touched.surface
                and net.kind = touched.kind
                and net.family = touched.family
                and net.platform = touched.platform
            window so_far as (
                partition by
                    touched.scope,
                    touched.surface,
                    touched.kind,
                    touched.family,
                    touched.platform
                order by closed_day.day)
        ),
        restated as (
            select
                running.day,
                running.scope,
                running.surface,
                running.kind,
                running.family,
                running.platform,
                coalesce(active_day.devices_daily, 0) + running.devices_daily as devices_daily,
                coalesce(active_day.devices_weekly, 0) + running.devices_weekly as devices_weekly,
                coalesce(active_day.devices_in_window, 0) + running.devices_in_window as devices_in_window
            from running
            left join census.active_day
                on active_day.app_number = $1
                and active_day.day = running.day
                and active_day.scope = running.scope
                and active_day.surface = running.surface
                and active_day.kind = running.kind
                and active_day.family = running.family
                and active_day.platform = running.platform
            where running.devices_daily <> 0
                or running.devices_weekly <> 0
                or running.devices_in_window <> 0
        )
        insert into census.active_day (
            app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window)
        select
            $1,
            day,
            scope,
            surface,
            kind,
            family,
            platform,
            devices_daily,
            devices_weekly,
            devices_in_window
        from restated
        on conflict (app_number, day, scope, surface, kind, family, platform) do update set
            devices_daily = excluded.devices_daily,
            devices_weekly = excluded.devices_weekly,
            devices_in_window = excluded.devices_in_window
        returning active_day.day
        """#)
    static let `DayLedger.applyChanges` = Statement(
        "DayLedger.applyChanges",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
        -- Takes the net changes of app $1 up to day $2 from the queue and adds them to change_day.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.change_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                surface,
                kind,
                family,
                cause,
                widgets_added,
                widgets_removed
        ),
        net as (
            select
                day,
                surface,
                kind,
                family,
                cause,
                sum(widgets_added)::bigint as widgets_added,
                sum(widgets_removed)::bigint as widgets_removed
            from taken
            group by
                day,
                surface,
                kind,
                family,
                cause
        )
        insert into census.change_day (
            app_number, day, surface, kind, family, cause, widgets_added, widgets_removed)
        select
            $1,
            net.day,
            net.surface,
            net.kind,
            net.family,
            net.cause,
            coalesce(change_day.widgets_added, 0) + net.widgets_added,
            coalesce(change_day.widgets_removed, 0) + net.widgets_removed
        from net
        left join census.change_day
            on change_day.app_number = $1
            and change_day.day = net.day
            and change_day.surface = net.surface
            and change_day.kind = net.kind
            and change_day.family = net.family
            and change_day.cause = net.cause
        where net.widgets_added <> 0
            or net.widgets_removed <> 0
        on conflict (app_number, day, surface, kind, family, cause) do update set
            widgets_added = excluded.widgets_added,
            widgets_removed = excluded.widgets_removed
        returning change_day.day
        """#)
    static let `DayLedger.applyCohorts` = Statement(
        "DayLedger.applyCohorts",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
        -- Takes the net changes of app $1 up to day $2 from the queue and adds them to cohort_day.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.cohort_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                surface,
                kind,
                week,
                devices_placed,
                devices_certain,
                devices_possible
        ),
        net as (
            select
                day,
                surface,
                kind,
                week,
                sum(devices_placed)::bigint as devices_placed,
                sum(devices_certain)::bigint as devices_certain,
                sum(devices_possible)::bigint as devices_possible
            from taken
            group by
                day,
                surface,
                kind,
                week
        )
        insert into census.cohort_day (
            app_number, day, surface, kind, week, devices_placed, devices_certain, devices_possible)
        select
            $1,
            net.day,
            net.surface,
            net.kind,
            net.week,
            coalesce(cohort_day.devices_placed, 0) + net.devices_placed,
            coalesce(cohort_day.devices_certain, 0) + net.devices_certain,
            coalesce(cohort_day.devices_possible, 0) + net.devices_possible
        from net
        left join census.cohort_day
            on cohort_day.app_number = $1
            and cohort_day.day = net.day
            and cohort_day.surface = net.surface
            and cohort_day.kind = net.kind
            and cohort_day.week = net.week
        where net.devices_placed <> 0
            or net.devices_certain <> 0
            or net.devices_possible <> 0
        on conflict (app_number, day, surface, kind, week) do update set
            devices_placed = excluded.devices_placed,
            devices_certain = excluded.devices_certain,
            devices_possible = excluded.devices_possible
        returning cohort_day.day
        """#)
    static let `DayLedger.applyDevices` = Statement(
        "DayLedger.applyDevices",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
        -- Makes levels of the net changes of device_day: those of app $1 up to day $2 are taken, and every closed
        -- day from the first of them on is more or less by their running sum.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.device_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                app_version,
                os_version,
                platform,
                gallery_policy,
                devices_active,
                devices_with_widget,
                devices_reporting,
                devices_cloned
        ),
        net as (
            select
                day,
                app_version,
                os_version,
                platform,
                gallery_policy,
                sum(devices_active)::bigint as devices_active,
                sum(devices_with_widget)::bigint as devices_with_widget,
                sum(devices_reporting)::bigint as devices_reporting,
                sum(devices_cloned)::bigint as devices_cloned
            from taken
            group by
                day,
                app_version,
                os_version,
                platform,
                gallery_policy
        ),
        touched as (
            select
                app_version,
                os_version,
                platform,
                gallery_policy,
                min(day) as first_day
            from net
            group by
                app_version,
                os_version,
                platform,
                gallery_policy
        ),
        running as (
            select
                closed_day.day,
                touched.app_version,
                touched.os_version,
                touched.platform,
                touched.gallery_policy,
                (sum(net.devices_active) over so_far)::bigint as devices_active,
                (sum(net.devices_with_widget) over so_far)::bigint as devices_with_widget,
                (sum(net.devices_reporting) over so_far)::bigint as devices_reporting,
                (sum(net.devices_cloned) over so_far)::bigint as devices_cloned
            from touched
            join census.closed_day
                on closed_day.app_number = $1
                and closed_day.day >= touched.first_day
            left join net
                on net.day = closed_day.day
                and net.app_version = touched.app_version
                and net.os_version = touched.os_version
                and net.platform = touched.platform
                and net.gallery_policy = touched.gallery_policy
            window so_far as (
                partition by
                    touched.app_version,
                    touched.os_version,
                    touched.platform,
                    touched.gallery_policy
                order by closed_day.day)
        ),
        restated as (
            select
                running.day,
                running.app_version,
                running.os_version,
                running.platform,
                running.gallery_policy,
                coalesce(device_day.devices_active, 0) + running.devices_active as devices_active,
                coalesce(device_day.devices_with_widget, 0) + running.devices_with_widget as devices_with_widget,
                coalesce(device_day.devices_reporting, 0) + running.devices_reporting as devices_reporting,
                coalesce(device_day.devices_cloned, 0) + running.devices_cloned as devices_cloned
            from running
            left join census.device_day
                on device_day.app_number = $1
                and device_day.day = running.day
                and device_day.app_version = running.app_version
                and device_day.os_version = running.os_version
                and device_day.platform = running.platform
                and device_day.gallery_policy = running.gallery_policy
            where running.devices_active <> 0
                or running.devices_with_widget <> 0
                or running.devices_reporting <> 0
                or running.devices_cloned <> 0
        )
        insert into census.device_day (
            app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
            devices_reporting, devices_cloned)
        select
            $1,
            day,
            app_version,
            os_version,
            platform,
            gallery_policy,
            devices_active,
            devices_with_widget,
            devices_reporting,
            devices_cloned
        from restated
        on conflict (app_number, day, app_version, os_version, platform, gallery_policy) do update set
            devices_active = excluded.devices_active,
            devices_with_widget = excluded.devices_with_widget,
            devices_reporting = excluded.devices_reporting,
            devices_cloned = excluded.devices_cloned
        returning device_day.day
        """#)
    static let `DayLedger.applyInstalls` = Statement(
        "DayLedger.applyInstalls",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
        -- Makes levels of the net changes of install_day: those of app $1 up to day $2 are taken, and every closed
        -- day from the first of them on is more or less by their running sum.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.install_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                cell,
                surface,
                kind,
                family,
                app_version,
                os_version,
                platform,
                devices_certain,
                devices_possible,
                widgets_certain,
                widgets_possible,
                widgets_reported
        ),
        net as (
            select
                day,
                cell,
                sum(devices_certain)::bigint as devices_certain,
                sum(devices_possible)::bigint as devices_possible,
                sum(widgets_certain)::bigint as widgets_certain,
                sum(widgets_possible)::bigint as widgets_possible,
                sum(widgets_reported)::bigint as widgets_reported
            from taken
            group by
                day,
                cell
        ),
        touched as (
            select distinct on (cell)
                cell,
                surface,
                kind,
                family,
                app_version,
                os_version,
                platform,
                day as first_day
            from taken
            order by
                cell,
                day
        ),
        running as (
            select
                closed_day.day,
                touched.cell,
                (sum(net.devices_certain) over so_far)::bigint as devices_certain,
                (sum(net.devices_possible) over so_far)::bigint as devices_possible,
                (sum(net.widgets_certain) over so_far)::bigint as widgets_certain,
                (sum(net.widgets_possible) over so_far)::bigint as widgets_possible,
                (sum(net.widgets_reported) over so_far)::bigint as widgets_reported
            from touched
            join census.closed_day
                on closed_day.app_number = $1
                and closed_day.day >= touched.first_day
            left join net
                on net.day = closed_day.day
                and net.cell = touched.cell
            window so_far as (
                partition by
                    touched.cell
                order by closed_day.day)
        ),
        restated as (
            select
                running.day,
                touched.surface,
                touched.kind,
                touched.family,
                touched.app_version,
                touched.os_version,
                touched.platform,
                coalesce(install_day.devices_certain, 0) + running.devices_certain as devices_certain,
                coalesce(install_day.devices_possible, 0) + running.devices_possible as devices_possible,
                coalesce(install_day.widgets_certain, 0) + running.widgets_certain as widgets_certain,
                coalesce(install_day.widgets_possible, 0) + running.widgets_possible as widgets_possible,
                coalesce(install_day.widgets_reported, 0) + running.widgets_reported as widgets_reported
            from running
            join touched
                on touched.cell = running.cell
            left join census.install_day
                on install_day.app_number = $1
                and install_day.day = running.day
                and install_day.cell = running.cell
            where running.devices_certain <> 0
                or running.devices_possible <> 0
                or running.widgets_certain <> 0
                or running.widgets_possible <> 0
                or running.widgets_reported <> 0
        )
        insert into census.install_day (
            app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain, devices_possible,
            widgets_certain, widgets_possible, widgets_reported)
        select
            $1,
            day,
            surface,
            kind,
            family,
            app_version,
            os_version,
            platform,
            devices_certain,
            devices_possible,
            widgets_certain,
            widgets_possible,
            widgets_reported
        from restated
        on conflict (app_number, day, cell) do update set
            devices_certain = excluded.devices_certain,
            devices_possible = excluded.devices_possible,
            widgets_certain = excluded.widgets_certain,
            widgets_possible = excluded.widgets_possible,
            widgets_reported = excluded.widgets_reported
        returning install_day.day
        """#)
    static let `DayLedger.applyKinds` = Statement(
        "DayLedger.applyKinds",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
        -- Makes levels of the net changes of kind_day: those of app $1 up to day $2 are taken, and every closed
        -- day from the first of them on is more or less by their running sum.
        -- On the days $3, which are closed for the first time, the result is also the number first known.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.kind_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                surface,
                kind,
                devices_certain,
                devices_possible,
                devices_still_there,
                devices_reported,
                devices_silent,
                widgets_certain,
                widgets_possible,
                widgets_reported,
                widgets_suspect,
                widgets_gone,
                widgets_still_there
        ),
        net as (
            select
                day,
                surface,
                kind,
                sum(devices_certain)::bigint as devices_certain,
                sum(devices_possible)::bigint as devices_possible,
                sum(devices_still_there)::bigint as devices_still_there,
                sum(devices_reported)::bigint as devices_reported,
                sum(devices_silent)::bigint as devices_silent,
                sum(widgets_certain)::bigint as widgets_certain,
                sum(widgets_possible)::bigint as widgets_possible,
                sum(widgets_reported)::bigint as widgets_reported,
                sum(widgets_suspect)::bigint as widgets_suspect,
                sum(widgets_gone)::bigint as widgets_gone,
                sum(widgets_still_there)::bigint as widgets_still_there
            from taken
            group by
                day,
                surface,
                kind
        ),
        touched as (
            select
                surface,
                kind,
                min(day) as first_day
            from net
            group by
                surface,
                kind
        ),
        running as (
            select
                closed_day.day,
                touched.surface,
                touched.kind,
                (sum(net.devices_certain) over so_far)::bigint as devices_certain,
                (sum(net.devices_possible) over so_far)::bigint as devices_possible,
                (sum(net.devices_still_there) over so_far)::bigint as devices_still_there,
                (sum(net.devices_reported) over so_far)::bigint as devices_reported,
                (sum(net.devices_silent) over so_far)::bigint as devices_silent,
                (sum(net.widgets_certain) over so_far)::bigint as widgets_certain,
                (sum(net.widgets_possible) over so_far)::bigint as widgets_possible,
                (sum(net.widgets_reported) over so_far)::bigint as widgets_reported,
                (sum(net.widgets_suspect) over so_far)::bigint as widgets_suspect,
                (sum(net.widgets_gone) over so_far)::bigint as widgets_gone,
                (sum(net.widgets_still_there) over so_far)::bigint as widgets_still_there
            from touched
            join census.closed_day
                on closed_day.app_number = $1
                and closed_day.day >= touched.first_day
            left join net
                on net.day = closed_day.day
                and net.surface = touched.surface
                and net.kind = touched.kind
            window so_far as (
                partition by
                    touched.surface,
                    touched.kind
                order by closed_day.day)
        ),
        restated as (
            select
                running.day,
                running.surface,
                running.kind,
                coalesce(kind_day.devices_certain, 0) + running.devices_certain as devices_certain,
                coalesce(kind_day.devices_possible, 0) + running.devices_possible as devices_possible,
                coalesce(kind_day.devices_still_there, 0) + running.devices_still_there as devices_still_there,
                coalesce(kind_day.devices_reported, 0) + running.devices_reported as devices_reported,
                coalesce(kind_day.devices_silent, 0) + running.devices_silent as devices_silent,
                coalesce(kind_day.widgets_certain, 0) + running.widgets_certain as widgets_certain,
                coalesce(kind_day.widgets_possible, 0) + running.widgets_possible as widgets_possible,
                coalesce(kind_day.widgets_reported, 0) + running.widgets_reported as widgets_reported,
                coalesce(kind_day.widgets_suspect, 0) + running.widgets_suspect as widgets_suspect,
                coalesce(kind_day.widgets_gone, 0) + running.widgets_gone as widgets_gone,
                coalesce(kind_day.widgets_still_there, 0) + running.widgets_still_there as widgets_still_there,
                kind_day.devices_certain_first_known,
                kind_day.devices_possible_first_known
            from running
            left join census.kind_day
                on kind_day.app_number = $1
                and kind_day.day = running.day
                and kind_day.surface = running.surface
                and kind_day.kind = running.kind
            where running.devices_certain <> 0
                or running.devices_possible <> 0
                or running.devices_still_there <> 0
                or running.devices_reported <> 0
                or running.devices_silent <> 0
                or running.widgets_certain <> 0
                or running.widgets_possible <> 0
                or running.widgets_reported <> 0
                or running.widgets_suspect <> 0
                or running.widgets_gone <> 0
                or running.widgets_still_there <> 0
        )
        insert into census.kind_day (
            app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, devices_reported,
            devices_silent, widgets_certain, widgets_possible, widgets_reported, widgets_suspect, widgets_gone,
            widgets_still_there, devices_certain_first_known, devices_possible_first_known)
        select
            $1,
            day,
            surface,
            kind,
            devices_certain,
            devices_possible,
            devices_still_there,
            devices_reported,
            devices_silent,
            widgets_certain,
            widgets_possible,
            widgets_reported,
            widgets_suspect,
            widgets_gone,
            widgets_still_there,
            case when day = any($3::date[]) then devices_certain else coalesce(devices_certain_first_known, 0) end,
            case when day = any($3::date[]) then devices_possible else coalesce(devices_possible_first_known, 0) end
        from restated
        on conflict (app_number, day, surface, kind) do update set
            devices_certain = excluded.devices_certain,
            devices_possible = excluded.devices_possible,
            devices_still_there = excluded.devices_still_there,
            devices_reported = excluded.devices_reported,
            devices_silent = excluded.devices_silent,
            widgets_certain = excluded.widgets_certain,
            widgets_possible = excluded.widgets_possible,
            widgets_reported = excluded.widgets_reported,
            widgets_suspect = excluded.widgets_suspect,
            widgets_gone = excluded.widgets_gone,
            widgets_still_there = excluded.widgets_still_there,
            devices_certain_first_known = excluded.devices_certain_first_known,
            devices_possible_first_known = excluded.devices_possible_first_known
        returning kind_day.day
        """#)
    static let `DayLedger.applyMoves` = Statement(
        "DayLedger.applyMoves",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
        -- Takes the net changes of app $1 up to day $2 from the queue and adds them to move_day.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.move_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                surface,
                kind,
                cause,
                app_version,
                os_version,
                platform,
                widgets_added,
                widgets_removed,
                devices_added,
                devices_removed
        ),
        net as (
            select
                day,
                surface,
                kind,
                cause,
                app_version,
                os_version,
                platform,
                sum(widgets_added)::bigint as widgets_added,
                sum(widgets_removed)::bigint as widgets_removed,
                sum(devices_added)::bigint as devices_added,
                sum(devices_removed)::bigint as devices_removed
            from taken
            group by
                day,
                surface,
                kind,
                cause,
                app_version,
                os_version,
                platform
        )
        insert into census.move_day (
            app_number, day, surface, kind, cause, app_version, os_version, platform, widgets_added, widgets_removed,
            devices_added, devices_removed)
        select
            $1,
            net.day,
            net.surface,
            net.kind,
            net.cause,
            net.app_version,
            net.os_version,
            net.platform,
            coalesce(move_day.widgets_added, 0) + net.widgets_added,
            coalesce(move_day.widgets_removed, 0) + net.widgets_removed,
            coalesce(move_day.devices_added, 0) + net.devices_added,
            coalesce(move_day.devices_removed, 0) + net.devices_removed
        from net
        left join census.move_day
            on move_day.app_number = $1
            and move_day.day = net.day
            and move_day.surface = net.surface
            and move_day.kind = net.kind
            and move_day.cause = net.cause
            and move_day.app_version = net.app_version
            and move_day.os_version = net.os_version
            and move_day.platform = net.platform
        where net.widgets_added <> 0
            or net.widgets_removed <> 0
            or net.devices_added <> 0
            or net.devices_removed <> 0
        on conflict (app_number, day, surface, kind, cause, app_version, os_version, platform) do update set
            widgets_added = excluded.widgets_added,
            widgets_removed = excluded.widgets_removed,
            devices_added = excluded.devices_added,
            devices_removed = excluded.devices_removed
        returning move_day.day
        """#)
    static let `DayLedger.applyOutcomes` = Statement(
        "DayLedger.applyOutcomes",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
        -- Takes the net changes of app $1 up to day $2 from the queue and adds them to outcome_day.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.outcome_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                platform,
                os_version,
                claim_rule,
                suspects_settled,
                suspects_still_there,
                suspect_seconds
        ),
        net as (
            select
                day,
                platform,
                os_version,
                claim_rule,
                sum(suspects_settled)::bigint as suspects_settled,
                sum(suspects_still_there)::bigint as suspects_still_there,
                sum(suspect_seconds)::bigint as suspect_seconds
            from taken
            group by
                day,
                platform,
                os_version,
                claim_rule
        )
        insert into census.outcome_day (
            app_number, day, platform, os_version, claim_rule, suspects_settled, suspects_still_there, suspect_seconds)
        select
            $1,
            net.day,
            net.platform,
            net.os_version,
            net.claim_rule,
            coalesce(outcome_day.suspects_settled, 0) + net.suspects_settled,
            coalesce(outcome_day.suspects_still_there, 0) + net.suspects_still_there,
            coalesce(outcome_day.suspect_seconds, 0) + net.suspect_seconds
        from net
        left join census.outcome_day
            on outcome_day.app_number = $1
            and outcome_day.day = net.day
            and outcome_day.platform = net.platform
            and outcome_day.os_version = net.os_version
            and outcome_day.claim_rule = net.claim_rule
        where net.suspects_settled <> 0
            or net.suspects_still_there <> 0
            or net.suspect_seconds <> 0
        on conflict (app_number, day, platform, os_version, claim_rule) do update set
            suspects_settled = excluded.suspects_settled,
            suspects_still_there = excluded.suspects_still_there,
            suspect_seconds = excluded.suspect_seconds
        returning outcome_day.day
        """#)
    static let `DayLedger.applyOverlaps` = Statement(
        "DayLedger.applyOverlaps",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
        -- Makes levels of the net changes of overlap_day: those of app $1 up to day $2 are taken, and every closed
        -- day from the first of them on is more or less by their running sum.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.overlap_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                surface,
                kind,
                other_kind,
                devices
        ),
        net as (
            select
                day,
                surface,
                kind,
                other_kind,
                sum(devices)::bigint as devices
            from taken
            group by
                day,
                surface,
                kind,
                other_kind
        ),
        touched as (
            select
                surface,
                kind,
                other_kind,
                min(day) as first_day
            from net
            group by
                surface,
                kind,
                other_kind
        ),
        running as (
            select
                closed_day.day,
                touched.surface,
                touched.kind,
                touched.other_kind,
                (sum(net.devices) over so_far)::bigint as devices
            from touched
            join census.closed_day
                on closed_day.app_number = $1
                and closed_day.day >= touched.first_day
            left join net
                on net.day = closed_day.day
                and net.surface = touched.surface
                and net.kind = touched.kind
                and net.other_kind = touched.other_kind
            window so_far as (
                partition by
                    touched.surface,
                    touched.kind,
                    touched.other_kind
                order by closed_day.day)
        ),
        restated as (
            select
                running.day,
                running.surface,
                running.kind,
                running.other_kind,
                coalesce(overlap_day.devices, 0) + running.devices as devices
            from running
            left join census.overlap_day
                on overlap_day.app_number = $1
                and overlap_day.day = running.day
                and overlap_day.surface = running.surface
                and overlap_day.kind = running.kind
                and overlap_day.other_kind = running.other_kind
            where running.devices <> 0
        )
        insert into census.overlap_day (
            app_number, day, surface, kind, other_kind, devices)
        select
            $1,
            day,
            surface,
            kind,
            other_kind,
            devices
        from restated
        on conflict (app_number, day, surface, kind, other_kind) do update set
            devices = excluded.devices
        returning overlap_day.day
        """#)
    static let `DayLedger.applyReads` = Statement(
        "DayLedger.applyReads",
        #"""
        -- Adds the reads of app $1 up to day $2, with days as in zone $3, to their quarters of an hour. Returns the days that
        -- changed. Reads that were only erased from the log change no number of their day.
        with taken as (
            delete from census.read_entry
            where app_number = $1
                and (quarter_at at time zone $3)::date <= $2
            returning
                quarter_at,
                reads,
                reads_failed,
                reads_erased,
                reads_failed_erased
        ),
        net as (
            select
                quarter_at,
                sum(reads) as reads,
                sum(reads_failed) as reads_failed,
                sum(reads_erased) as reads_erased,
                sum(reads_failed_erased) as reads_failed_erased
            from taken
            group by quarter_at
        ),
        added as (
            insert into census.read_quarter (
                app_number, quarter_at, reads, reads_failed, reads_erased, reads_failed_erased, is_of_day)
            select
                $1,
                quarter_at,
                reads,
                reads_failed,
                reads_erased,
                reads_failed_erased,
                false
            from net
            on conflict (app_number, quarter_at, is_of_day) do update set
                reads = read_quarter.reads + excluded.reads,
                reads_failed = read_quarter.reads_failed + excluded.reads_failed,
                reads_erased = read_quarter.reads_erased + excluded.reads_erased,
                reads_failed_erased = read_quarter.reads_failed_erased + excluded.reads_failed_erased
            returning quarter_at
        )
        select distinct
            (added.quarter_at at time zone $3)::date as day
        from added
        join net
            on net.quarter_at = added.quarter_at
        where net.reads <> 0
        """#)
    static let `DayLedger.applyUnsettled` = Statement(
        "DayLedger.applyUnsettled",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
        -- Makes levels of the net changes of kind_day_unsettled: those of app $1 up to day $2 are taken, and every closed
        -- day from the first of them on is more or less by their running sum.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.kind_unsettled_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                surface,
                kind,
                platform,
                os_version,
                claim_rule,
                devices
        ),
        net as (
            select
                day,
                surface,
                kind,
                platform,
                os_version,
                claim_rule,
                sum(devices)::bigint as devices
            from taken
            group by
                day,
                surface,
                kind,
                platform,
                os_version,
                claim_rule
        ),
        touched as (
            select
                surface,
                kind,
                platform,
                os_version,
                claim_rule,
                min(day) as first_day
            from net
            group by
                surface,
                kind,
                platform,
                os_version,
                claim_rule
        ),
        running as (
            select
                closed_day.day,
                touched.surface,
                touched.kind,
                touched.platform,
                touched.os_version,
                touched.claim_rule,
                (sum(net.devices) over so_far)::bigint as devices
            from touched
            join census.closed_day
                on closed_day.app_number = $1
                and closed_day.day >= touched.first_day
            left join net
                on net.day = closed_day.day
                and net.surface = touched.surface
                and net.kind = touched.kind
                and net.platform = touched.platform
                and net.os_version = touched.os_version
                and net.claim_rule = touched.claim_rule
            window so_far as (
                partition by
                    touched.surface,
                    touched.kind,
                    touched.platform,
                    touched.os_version,
                    touched.claim_rule
                order by closed_day.day)
        ),
        restated as (
            select
                running.day,
                running.surface,
                running.kind,
                running.platform,
                running.os_version,
                running.claim_rule,
                coalesce(kind_day_unsettled.devices, 0) + running.devices as devices
            from running
            left join census.kind_day_unsettled
                on kind_day_unsettled.app_number = $1
                and kind_day_unsettled.day = running.day
                and kind_day_unsettled.surface = running.surface
                and kind_day_unsettled.kind = running.kind
                and kind_day_unsettled.platform = running.platform
                and kind_day_unsettled.os_version = running.os_version
                and kind_day_unsettled.claim_rule = running.claim_rule
            where running.devices <> 0
        )
        insert into census.kind_day_unsettled (
            app_number, day, surface, kind, platform, os_version, claim_rule, devices)
        select
            $1,
            day,
            surface,
            kind,
            platform,
            os_version,
            claim_rule,
            devices
        from restated
        on conflict (app_number, day, surface, kind, platform, os_version, claim_rule) do update set
            devices = excluded.devices
        returning kind_day_unsettled.day
        """#)
    static let `DayLedger.applyUses` = Statement(
        "DayLedger.applyUses",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
        -- Takes the net changes of app $1 up to day $2 from the queue and adds them to use_day.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.use_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                surface,
                kind,
                use,
                devices,
                events
        ),
        net as (
            select
                day,
                surface,
                kind,
                use,
                sum(devices)::bigint as devices,
                sum(events)::bigint as events
            from taken
            group by
                day,
                surface,
                kind,
                use
        )
        insert into census.use_day (
            app_number, day, surface, kind, use, devices, events)
        select
            $1,
            net.day,
            net.surface,
            net.kind,
            net.use,
            coalesce(use_day.devices, 0) + net.devices,
            coalesce(use_day.events, 0) + net.events
        from net
        left join census.use_day
            on use_day.app_number = $1
            and use_day.day = net.day
            and use_day.surface = net.surface
            and use_day.kind = net.kind
            and use_day.use = net.use
        where net.devices <> 0
            or net.events <> 0
        on conflict (app_number, day, surface, kind, use) do update set
            devices = excluded.devices,
            events = excluded.events
        returning use_day.day
        """#)
    static let `DayLedger.applyVersions` = Statement(
        "DayLedger.applyVersions",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
        -- Makes levels of the net changes of version_day: those of app $1 up to day $2 are taken, and every closed
        -- day from the first of them on is more or less by their running sum.
        -- Returns the days that changed, one row per cell.
        with
        -- The net changes of app $1 up to day $2, taken from the queue.
        taken as (
            delete from census.version_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                surface,
                kind,
                app_version,
                os_version,
                platform,
                devices_certain,
                devices_possible,
                widgets_certain,
                widgets_possible
        ),
        net as (
            select
                day,
                surface,
                kind,
                app_version,
                os_version,
                platform,
                sum(devices_certain)::bigint as devices_certain,
                sum(devices_possible)::bigint as devices_possible,
                sum(widgets_certain)::bigint as widgets_certain,
                sum(widgets_possible)::bigint as widgets_possible
            from taken
            group by
                day,
                surface,
                kind,
                app_version,
                os_version,
                platform
        ),
        touched as (
            select
                surface,
                kind,
                app_version,
                os_version,
                platform,
                min(day) as first_day
            from net
            group by
                surface,
                kind,
                app_version,
                os_version,
                platform
        ),
        running as (
            select
                closed_day.day,
                touched.surface,
                touched.kind,
                touched.app_version,
                touched.os_version,
                touched.platform,
                (sum(net.devices_certain) over so_far)::bigint as devices_certain,
                (sum(net.devices_possible) over so_far)::bigint as devices_possible,
                (sum(net.widgets_certain) over so_far)::bigint as widgets_certain,
                (sum(net.widgets_possible) over so_far)::bigint as widgets_possible
            from touched
            join census.closed_day
                on closed_day.app_number = $1
                and closed_day.day >= touched.first_day
            left join net
                on net.day = closed_day.day
                and net.surface = touched.surface
                and net.kind = touched.kind
                and net.app_version = touched.app_version
                and net.os_version = touched.os_version
                and net.platform = touched.platform
            window so_far as (
                partition by
                    touched.surface,
                    touched.kind,
                    touched.app_version,
                    touched.os_version,
                    touched.platform
                order by closed_day.day)
        ),
        restated as (
            select
                running.day,
                running.surface,
                running.kind,
                running.app_version,
                running.os_version,
                running.platform,
                coalesce(version_day.devices_certain, 0) + running.devices_certain as devices_certain,
                coalesce(version_day.devices_possible, 0) + running.devices_possible as devices_possible,
                coalesce(version_day.widgets_certain, 0) + running.widgets_certain as widgets_certain,
                coalesce(version_day.widgets_possible, 0) + running.widgets_possible as widgets_possible
            from running
            left join census.version_day
                on version_day.app_number = $1
                and version_day.day = running.day
                and version_day.surface = running.surface
                and version_day.kind = running.kind
                and version_day.app_version = running.app_version
                and version_day.os_version = running.os_version
                and version_day.platform = running.platform
            where running.devices_certain <> 0
                or running.devices_possible <> 0
                or running.widgets_certain <> 0
                or running.widgets_possible <> 0
        )
        insert into census.version_day (
            app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
            widgets_certain, widgets_possible)
        select
            $1,
            day,
            surface,
            kind,
            app_version,
            os_version,
            platform,
            devices_certain,
            devices_possible,
            widgets_certain,
            widgets_possible
        from restated
        on conflict (app_number, day, surface, kind, app_version, os_version, platform) do update set
            devices_certain = excluded.devices_certain,
            devices_possible = excluded.devices_possible,
            widgets_certain = excluded.widgets_certain,
            widgets_possible = excluded.widgets_possible
        returning version_day.day
        """#)
    static let `DayLedger.apps` = Statement(
        "DayLedger.apps",
        #"""
        -- The apps with their zone, the last day that has ended there, and whether their ledger must be recounted: it was found to be
        -- wrong, or a day between closed ones is not closed. And whether days are closed that lie ahead: one may, where the zone was changed.
        select
            app.app_number,
            app.app_id,
            app.zone,
            (now() at time zone app.zone)::date - 1 as last_ended_day,
            coalesce(app_night.is_doubted, false)
                or coalesce(
                    (
                        select max(day) - min(day) + 1 > count(*)
                        from census.closed_day
                        where closed_day.app_number = app.app_number
                    ),
                    false) as is_doubted,
            coalesce(
                (
                    select max(day) > (now() at time zone app.zone)::date
                    from census.closed_day
                    where closed_day.app_number = app.app_number
                ),
                false) as is_ahead
        from census.app
        left join census.app_night
            on app_night.app_number = app.app_number
        where $1::text is null
            or app.app_id = $1
        order by app.app_id
        """#)
    static let `DayLedger.cells` = Statement(
        "DayLedger.cells",
        #"""
        -- How many cells (day, kind) the days $2 of app $1 have.
        select count(*) as cells
        from census.kind_day
        where app_number = $1
            and day = any($2::date[])
        """#)
    static let `DayLedger.clear` = Statement(
        "DayLedger.clear",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/clear.sql and tables.toml: edit those.
        -- Empties the ledger of app $1: levels, flows and net changes. What was first known about a closed day stays, and so do
        -- reads, which only the log knows.
        with
        not_closed as (
            delete from census.kind_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
        ),
        kind_entry_rows as (
            delete from census.kind_entry
            where app_number = $1
        ),
        kind_unsettled_entry_rows as (
            delete from census.kind_unsettled_entry
            where app_number = $1
        ),
        version_entry_rows as (
            delete from census.version_entry
            where app_number = $1
        ),
        install_entry_rows as (
            delete from census.install_entry
            where app_number = $1
        ),
        device_entry_rows as (
            delete from census.device_entry
            where app_number = $1
        ),
        change_entry_rows as (
            delete from census.change_entry
            where app_number = $1
        ),
        move_entry_rows as (
            delete from census.move_entry
            where app_number = $1
        ),
        outcome_entry_rows as (
            delete from census.outcome_entry
            where app_number = $1
        ),
        active_entry_rows as (
            delete from census.active_entry
            where app_number = $1
        ),
        overlap_entry_rows as (
            delete from census.overlap_entry
            where app_number = $1
        ),
        use_entry_rows as (
            delete from census.use_entry
            where app_number = $1
        ),
        cohort_entry_rows as (
            delete from census.cohort_entry
            where app_number = $1
        ),
        kind_day_unsettled_rows as (
            delete from census.kind_day_unsettled
            where app_number = $1
        ),
        version_day_rows as (
            delete from census.version_day
            where app_number = $1
        ),
        install_day_rows as (
            delete from census.install_day
            where app_number = $1
        ),
        device_day_rows as (
            delete from census.device_day
            where app_number = $1
        ),
        change_day_rows as (
            delete from census.change_day
            where app_number = $1
        ),
        move_day_rows as (
            delete from census.move_day
            where app_number = $1
        ),
        outcome_day_rows as (
            delete from census.outcome_day
            where app_number = $1
        ),
        active_day_rows as (
            delete from census.active_day
            where app_number = $1
        ),
        overlap_day_rows as (
            delete from census.overlap_day
            where app_number = $1
        ),
        use_day_rows as (
            delete from census.use_day
            where app_number = $1
        ),
        cohort_day_rows as (
            delete from census.cohort_day
            where app_number = $1
        )
        update census.kind_day set
            devices_certain = 0,
            devices_possible = 0,
            devices_still_there = 0,
            devices_reported = 0,
            devices_silent = 0,
            widgets_certain = 0,
            widgets_possible = 0,
            widgets_reported = 0,
            widgets_suspect = 0,
            widgets_gone = 0,
            widgets_still_there = 0
        where app_number = $1
            and day in (select closed_day.day from census.closed_day where app_number = $1)
        """#)
    static let `DayLedger.closed` = Statement(
        "DayLedger.closed",
        #"""
        -- Notes that the days of app $1 were closed; $2: whether its ledger was recounted from the spans for that.
        insert into census.app_night (app_number, closed_at, recounted_at)
        values ($1, now(), case when $2 then now() end)
        on conflict (app_number) do update set
            closed_at = excluded.closed_at,
            recounted_at = coalesce(excluded.recounted_at, app_night.recounted_at),
            is_doubted = app_night.is_doubted and excluded.recounted_at is null,
            fault = null,
            failure = null,
            failed_at = null
        """#)
    static let `DayLedger.closedDays` = Statement(
        "DayLedger.closedDays",
        #"""
        -- The closed days of app $1.
        select day
        from census.closed_day
        where app_number = $1
        order by day
        """#)
    static let `DayLedger.contents` = Statement(
        "DayLedger.contents",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/contents.sql and tables.toml: edit those.
        -- The days of app $1 as hashes: one row for each cell of kind_day, and one for each day of each other table.
        -- Leaves out what was first known, and reads.
        select
            day,
            true as is_kind,
            hashtextextended(length(surface) || ' ' || surface || kind, 0) as cell,
            hashtextextended(
                row(
                    devices_certain, devices_possible, devices_still_there, devices_reported, devices_silent, widgets_certain,
                    widgets_possible, widgets_reported, widgets_suspect, widgets_gone, widgets_still_there)::text, 0) as numbers
        from census.kind_day
        where app_number = $1
            -- Zeros stay where something was first known, and say nothing.
            and (
                devices_certain <> 0
                or devices_possible <> 0
                or devices_still_there <> 0
                or devices_reported <> 0
                or devices_silent <> 0
                or widgets_certain <> 0
                or widgets_possible <> 0
                or widgets_reported <> 0
                or widgets_suspect <> 0
                or widgets_gone <> 0
                or widgets_still_there <> 0
            )
        union all
        select
            day,
            false,
            1,
            bit_xor(hashtextextended(kind_day_unsettled::text, 0))
        from census.kind_day_unsettled
        where app_number = $1
        group by day
        union all
        select
            day,
            false,
            2,
            bit_xor(hashtextextended(version_day::text, 0))
        from census.version_day
        where app_number = $1
        group by day
        union all
        select
            day,
            false,
            3,
            bit_xor(hashtextextended(install_day::text, 0))
        from census.install_day
        where app_number = $1
        group by day
        union all
        select
            day,
            false,
            4,
            bit_xor(hashtextextended(device_day::text, 0))
        from census.device_day
        where app_number = $1
        group by day
        union all
        select
            day,
            false,
            5,
            bit_xor(hashtextextended(change_day::text, 0))
        from census.change_day
        where app_number = $1
        group by day
        union all
        select
            day,
            false,
            6,
            bit_xor(hashtextextended(move_day::text, 0))
        from census.move_day
        where app_number = $1
        group by day
        union all
        select
            day,
            false,
            7,
            bit_xor(hashtextextended(outcome_day::text, 0))
        from census.outcome_day
        where app_number = $1
        group by day
        union all
        select
            day,
            false,
            8,
            bit_xor(hashtextextended(active_day::text, 0))
        from census.active_day
        where app_number = $1
        group by day
        union all
        select
            day,
            false,
            9,
            bit_xor(hashtextextended(overlap_day::text, 0))
        from census.overlap_day
        where app_number = $1
        group by day
        union all
        select
            day,
            false,
            10,
            bit_xor(hashtextextended(use_day::text, 0))
        from census.use_day
        where app_number = $1
        group by day
        union all
        select
            day,
            false,
            11,
            bit_xor(hashtextextended(cohort_day::text, 0))
        from census.cohort_day
        where app_number = $1
        group by day
        """#)
    static let `DayLedger.correctReads` = Statement(
        "DayLedger.correctReads",
        #"""
        -- Gives app $1 the reads $3 and failed reads $4 more in the quarters of an hour $2. Returns the days that changed, as in
        -- zone $5.
        with wrong as (
            select *
            from unnest($2::timestamptz[], $3::bigint[], $4::bigint[]) as listed (quarter_at, reads, reads_failed)
        ),
        -- Not on conflict: what is taken away is no row that could be inserted.
        updated as (
            update census.read_quarter set
                reads = read_quarter.reads + wrong.reads,
                reads_failed = read_quarter.reads_failed + wrong.reads_failed
            from wrong
            where read_quarter.app_number = $1
                and read_quarter.quarter_at = wrong.quarter_at
                and not read_quarter.is_of_day
            returning read_quarter.quarter_at
        ),
        inserted as (
            insert into census.read_quarter (app_number, quarter_at, reads, reads_failed)
            select
                $1,
                quarter_at,
                reads,
                reads_failed
            from wrong
            where quarter_at not in (select quarter_at from updated)
            returning quarter_at
        )
        select distinct
            (quarter_at at time zone $5)::date as day
        from wrong
        """#)
    static let `DayLedger.countedDevices` = Statement(
        "DayLedger.countedDevices",
        #"""
        -- The next devices of app $1 after $2, with how each was counted: at most $3, and no more once they have $4 spans.
        select
            device_id,
            silent_at,
            reporting_until,
            due_at,
            zone,
            legacy_kinds
        from (
            select
                *,
                sum(last_ordinal) over (
                    order by device_id
                    rows between unbounded preceding and current row
                ) as spans_through
            from (
                select
                    device_id,
                    silent_at,
                    reporting_until,
                    due_at,
                    zone,
                    legacy_kinds,
                    last_ordinal
                from census.device
                where app_number = $1
                    and device_id > $2
                    and zone is not null
                order by device_id
                limit $3
            ) as next
        ) as counted
        where spans_through - last_ordinal < $4
        order by device_id
        """#)
    static let `DayLedger.doubt` = Statement(
        "DayLedger.doubt",
        #"""
        -- Makes the next night recount the ledgers of apps $1 from the spans.
        insert into census.app_night (app_number, is_doubted)
        select
            app_number,
            true
        from unnest($1::integer[]) as listed (app_number)
        group by app_number
        order by app_number
        on conflict (app_number) do update set
            is_doubted = excluded.is_doubted
        """#)
    static let `DayLedger.enterActive` = CopyStatement(
        "DayLedger.enterActive",
        columns: [
            "app_number",
            "day",
            "scope",
            "surface",
            "kind",
            "family",
            "platform",
            "devices_daily",
            "devices_weekly",
            "devices_in_window",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of active_day.
        copy census.active_entry (
            app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterChanges` = CopyStatement(
        "DayLedger.enterChanges",
        columns: [
            "app_number",
            "day",
            "surface",
            "kind",
            "family",
            "cause",
            "widgets_added",
            "widgets_removed",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of change_day.
        copy census.change_entry (
            app_number, day, surface, kind, family, cause, widgets_added, widgets_removed
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterCohorts` = CopyStatement(
        "DayLedger.enterCohorts",
        columns: [
            "app_number",
            "day",
            "surface",
            "kind",
            "week",
            "devices_placed",
            "devices_certain",
            "devices_possible",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of cohort_day.
        copy census.cohort_entry (
            app_number, day, surface, kind, week, devices_placed, devices_certain, devices_possible
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterDevices` = CopyStatement(
        "DayLedger.enterDevices",
        columns: [
            "app_number",
            "day",
            "app_version",
            "os_version",
            "platform",
            "gallery_policy",
            "devices_active",
            "devices_with_widget",
            "devices_reporting",
            "devices_cloned",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of device_day.
        copy census.device_entry (
            app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
            devices_reporting, devices_cloned
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterInstalls` = CopyStatement(
        "DayLedger.enterInstalls",
        columns: [
            "app_number",
            "day",
            "surface",
            "kind",
            "family",
            "app_version",
            "os_version",
            "platform",
            "devices_certain",
            "devices_possible",
            "widgets_certain",
            "widgets_possible",
            "widgets_reported",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of install_day.
        copy census.install_entry (
            app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain, devices_possible,
            widgets_certain, widgets_possible, widgets_reported
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterKinds` = CopyStatement(
        "DayLedger.enterKinds",
        columns: [
            "app_number",
            "day",
            "surface",
            "kind",
            "devices_certain",
            "devices_possible",
            "devices_still_there",
            "devices_reported",
            "devices_silent",
            "widgets_certain",
            "widgets_possible",
            "widgets_reported",
            "widgets_suspect",
            "widgets_gone",
            "widgets_still_there",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of kind_day.
        copy census.kind_entry (
            app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, devices_reported,
            devices_silent, widgets_certain, widgets_possible, widgets_reported, widgets_suspect, widgets_gone,
            widgets_still_there
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterMoves` = CopyStatement(
        "DayLedger.enterMoves",
        columns: [
            "app_number",
            "day",
            "surface",
            "kind",
            "cause",
            "app_version",
            "os_version",
            "platform",
            "widgets_added",
            "widgets_removed",
            "devices_added",
            "devices_removed",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of move_day.
        copy census.move_entry (
            app_number, day, surface, kind, cause, app_version, os_version, platform, widgets_added, widgets_removed,
            devices_added, devices_removed
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterOutcomes` = CopyStatement(
        "DayLedger.enterOutcomes",
        columns: [
            "app_number",
            "day",
            "platform",
            "os_version",
            "claim_rule",
            "suspects_settled",
            "suspects_still_there",
            "suspect_seconds",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of outcome_day.
        copy census.outcome_entry (
            app_number, day, platform, os_version, claim_rule, suspects_settled, suspects_still_there, suspect_seconds
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterOverlaps` = CopyStatement(
        "DayLedger.enterOverlaps",
        columns: [
            "app_number",
            "day",
            "surface",
            "kind",
            "other_kind",
            "devices",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of overlap_day.
        copy census.overlap_entry (
            app_number, day, surface, kind, other_kind, devices
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterUnsettled` = CopyStatement(
        "DayLedger.enterUnsettled",
        columns: [
            "app_number",
            "day",
            "surface",
            "kind",
            "platform",
            "os_version",
            "claim_rule",
            "devices",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of kind_day_unsettled.
        copy census.kind_unsettled_entry (
            app_number, day, surface, kind, platform, os_version, claim_rule, devices
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterUses` = CopyStatement(
        "DayLedger.enterUses",
        columns: [
            "app_number",
            "day",
            "surface",
            "kind",
            "use",
            "devices",
            "events",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of use_day.
        copy census.use_entry (
            app_number, day, surface, kind, use, devices, events
        ) from stdin (format binary)
        """#)
    static let `DayLedger.enterVersions` = CopyStatement(
        "DayLedger.enterVersions",
        columns: [
            "app_number",
            "day",
            "surface",
            "kind",
            "app_version",
            "os_version",
            "platform",
            "devices_certain",
            "devices_possible",
            "widgets_certain",
            "widgets_possible",
        ],
        #"""
        -- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
        -- Adds net changes of version_day.
        copy census.version_entry (
            app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
            widgets_certain, widgets_possible
        ) from stdin (format binary)
        """#)
    static let `DayLedger.extendActive` = Statement(
        "DayLedger.extendActive",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
        -- Begins the new days $3 of app $1 with what active_day held at the end of the day $2 before them.
        insert into census.active_day (
            app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window)
        select
            $1,
            listed.day,
            active_day.scope,
            active_day.surface,
            active_day.kind,
            active_day.family,
            active_day.platform,
            active_day.devices_daily,
            active_day.devices_weekly,
            active_day.devices_in_window
        from census.active_day
        cross join unnest($3::date[]) as listed (day)
        where active_day.app_number = $1
            and active_day.day = $2
        """#)
    static let `DayLedger.extendDevices` = Statement(
        "DayLedger.extendDevices",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
        -- Begins the new days $3 of app $1 with what device_day held at the end of the day $2 before them.
        insert into census.device_day (
            app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
            devices_reporting, devices_cloned)
        select
            $1,
            listed.day,
            device_day.app_version,
            device_day.os_version,
            device_day.platform,
            device_day.gallery_policy,
            device_day.devices_active,
            device_day.devices_with_widget,
            device_day.devices_reporting,
            device_day.devices_cloned
        from census.device_day
        cross join unnest($3::date[]) as listed (day)
        where device_day.app_number = $1
            and device_day.day = $2
        """#)
    static let `DayLedger.extendInstalls` = Statement(
        "DayLedger.extendInstalls",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
        -- Begins the new days $3 of app $1 with what install_day held at the end of the day $2 before them.
        insert into census.install_day (
            app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain, devices_possible,
            widgets_certain, widgets_possible, widgets_reported)
        select
            $1,
            listed.day,
            install_day.surface,
            install_day.kind,
            install_day.family,
            install_day.app_version,
            install_day.os_version,
            install_day.platform,
            install_day.devices_certain,
            install_day.devices_possible,
            install_day.widgets_certain,
            install_day.widgets_possible,
            install_day.widgets_reported
        from census.install_day
        cross join unnest($3::date[]) as listed (day)
        where install_day.app_number = $1
            and install_day.day = $2
        """#)
    static let `DayLedger.extendKinds` = Statement(
        "DayLedger.extendKinds",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
        -- Begins the new days $3 of app $1 with what kind_day held at the end of the day $2 before them.
        insert into census.kind_day (
            app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, devices_reported,
            devices_silent, widgets_certain, widgets_possible, widgets_reported, widgets_suspect, widgets_gone,
            widgets_still_there, devices_certain_first_known, devices_possible_first_known)
        select
            $1,
            listed.day,
            kind_day.surface,
            kind_day.kind,
            kind_day.devices_certain,
            kind_day.devices_possible,
            kind_day.devices_still_there,
            kind_day.devices_reported,
            kind_day.devices_silent,
            kind_day.widgets_certain,
            kind_day.widgets_possible,
            kind_day.widgets_reported,
            kind_day.widgets_suspect,
            kind_day.widgets_gone,
            kind_day.widgets_still_there,
            kind_day.devices_certain,
            kind_day.devices_possible
        from census.kind_day
        cross join unnest($3::date[]) as listed (day)
        where kind_day.app_number = $1
            and kind_day.day = $2
            -- Rows of zeros stay where something was first known; the days after need none.
            and (
                kind_day.devices_possible <> 0
                or kind_day.devices_silent <> 0
                or kind_day.widgets_reported <> 0
            )
        """#)
    static let `DayLedger.extendOverlaps` = Statement(
        "DayLedger.extendOverlaps",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
        -- Begins the new days $3 of app $1 with what overlap_day held at the end of the day $2 before them.
        insert into census.overlap_day (
            app_number, day, surface, kind, other_kind, devices)
        select
            $1,
            listed.day,
            overlap_day.surface,
            overlap_day.kind,
            overlap_day.other_kind,
            overlap_day.devices
        from census.overlap_day
        cross join unnest($3::date[]) as listed (day)
        where overlap_day.app_number = $1
            and overlap_day.day = $2
        """#)
    static let `DayLedger.extendUnsettled` = Statement(
        "DayLedger.extendUnsettled",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
        -- Begins the new days $3 of app $1 with what kind_day_unsettled held at the end of the day $2 before them.
        insert into census.kind_day_unsettled (
            app_number, day, surface, kind, platform, os_version, claim_rule, devices)
        select
            $1,
            listed.day,
            kind_day_unsettled.surface,
            kind_day_unsettled.kind,
            kind_day_unsettled.platform,
            kind_day_unsettled.os_version,
            kind_day_unsettled.claim_rule,
            kind_day_unsettled.devices
        from census.kind_day_unsettled
        cross join unnest($3::date[]) as listed (day)
        where kind_day_unsettled.app_number = $1
            and kind_day_unsettled.day = $2
        """#)
    static let `DayLedger.extendVersions` = Statement(
        "DayLedger.extendVersions",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
        -- Begins the new days $3 of app $1 with what version_day held at the end of the day $2 before them.
        insert into census.version_day (
            app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
            widgets_certain, widgets_possible)
        select
            $1,
            listed.day,
            version_day.surface,
            version_day.kind,
            version_day.app_version,
            version_day.os_version,
            version_day.platform,
            version_day.devices_certain,
            version_day.devices_possible,
            version_day.widgets_certain,
            version_day.widgets_possible
        from census.version_day
        cross join unnest($3::date[]) as listed (day)
        where version_day.app_number = $1
            and version_day.day = $2
        """#)
    static let `DayLedger.failures` = Statement(
        "DayLedger.failures",
        #"""
        -- For how many apps the last attempt to close their days failed, by fault.
        select
            fault,
            count(*) as apps
        from census.app_night
        where fault is not null
        group by fault
        """#)
    static let `DayLedger.lock` = Statement(
        "DayLedger.lock",
        #"""
        -- One night at a time: a second one waits here, then finds nothing to do. This comes before the transaction's first query, so
        -- that its snapshot is taken once the lock is held: the whole night sees what was reconciled meanwhile, or none of it does.
        set transaction isolation level repeatable read;
        lock table census.closed_day in share row exclusive mode;
        -- Waits only briefly for other locks: the next night continues from here.
        set local lock_timeout = '1min'
        """#)
    static let `DayLedger.markRestated` = Statement(
        "DayLedger.markRestated",
        #"""
        -- Notes that the closed days $2 of app $1 changed.
        update census.closed_day set
            restated_at = now()
        where app_number = $1
            and day = any($2::date[])
        """#)
    static let `DayLedger.missingDays` = Statement(
        "DayLedger.missingDays",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/missingDays.sql and tables.toml: edit those.
        -- The days of app $1 that a recount has to close.
        with
        -- The days between the first closed day of app $1 and its last that are not closed.
        missing as (
            select day::date as day
            from (
                select generate_series(min(day), max(day), interval '1 day') as day
                from census.closed_day
                where app_number = $1
            ) as spanned
            where day::date not in (select closed_day.day from census.closed_day where app_number = $1)
        )
        select day
        from missing
        order by day
        """#)
    static let `DayLedger.notClosed` = Statement(
        "DayLedger.notClosed",
        #"""
        -- Notes why the days of app $1 could not be closed: fault $2 and sentence $3. With $4 the next night recounts its ledger from
        -- the spans.
        insert into census.app_night (app_number, fault, failure, failed_at, is_doubted)
        values ($1, $2, $3, now(), $4)
        on conflict (app_number) do update set
            fault = excluded.fault,
            failure = excluded.failure,
            failed_at = excluded.failed_at,
            is_doubted = app_night.is_doubted or excluded.is_doubted
        """#)
    static let `DayLedger.open` = Statement(
        "DayLedger.open",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/open.sql and tables.toml: edit those.
        -- What is left to count for app $1 through day $2: the closed days so far, and the first day of the net changes that no
        -- night has taken; $3 is the app's zone.
        select
            min(day) as first_closed_day,
            max(day) as last_closed_day,
            (
                select min(first_day)
                from (
                    select (min(quarter_at) at time zone $3)::date as first_day from census.read_entry where app_number = $1
                    union all
                    select min(day) from census.kind_entry where app_number = $1
                    union all
                    select min(day) from census.kind_unsettled_entry where app_number = $1
                    union all
                    select min(day) from census.version_entry where app_number = $1
                    union all
                    select min(day) from census.install_entry where app_number = $1
                    union all
                    select min(day) from census.device_entry where app_number = $1
                    union all
                    select min(day) from census.change_entry where app_number = $1
                    union all
                    select min(day) from census.move_entry where app_number = $1
                    union all
                    select min(day) from census.outcome_entry where app_number = $1
                    union all
                    select min(day) from census.active_entry where app_number = $1
                    union all
                    select min(day) from census.overlap_entry where app_number = $1
                    union all
                    select min(day) from census.use_entry where app_number = $1
                    union all
                    select min(day) from census.cohort_entry where app_number = $1
                ) as entered
                where first_day <= greatest($2::date, (select max(day) from census.closed_day where app_number = $1))
            ) as first_entered_day
        from census.closed_day
        where app_number = $1
        """#)
    static let `DayLedger.openDays` = Statement(
        "DayLedger.openDays",
        #"""
        -- Marks the days $2 of app $1 as closed.
        insert into census.closed_day (app_number, day)
        select
            $1,
            listed.day
        from unnest($2::date[]) as listed (day)
        """#)
    static let `DayLedger.refold` = Statement(
        "DayLedger.refold",
        #"""
        -- Queues all devices of app $1 to be folded from their first observation, also those that have lost their own row.
        insert into census.pending_device (app_number, device_id)
        select
            app_number,
            device_id
        from (
            select
                app_number,
                device_id
            from census.device
            where app_number = $1
            union
            select
                app_number,
                device_id
            from census.phase
            where app_number = $1
        ) as heard
        """#)
    static let `DayLedger.reopen` = Statement(
        "DayLedger.reopen",
        #"""
        -- Forgets that days of app $1 after $2 were closed: they have not ended. A recount then empties the ledger of them, and a night closes
        -- each when it has ended.
        delete from census.closed_day
        where app_number = $1
            and day > $2
        """#)
    static let `DayLedger.sweepActive` = Statement(
        "DayLedger.sweepActive",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of active_day of app $1 since day $2 in which nothing is left.
        delete from census.active_day
        where app_number = $1
            and day >= $2
            and devices_in_window = 0
        """#)
    static let `DayLedger.sweepChanges` = Statement(
        "DayLedger.sweepChanges",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of change_day of app $1 since day $2 in which nothing is left.
        delete from census.change_day
        where app_number = $1
            and day >= $2
            and widgets_added = 0
            and widgets_removed = 0
        """#)
    static let `DayLedger.sweepCohorts` = Statement(
        "DayLedger.sweepCohorts",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of cohort_day of app $1 since day $2 in which nothing is left.
        delete from census.cohort_day
        where app_number = $1
            and day >= $2
            and devices_placed = 0
            and devices_certain = 0
            and devices_possible = 0
        """#)
    static let `DayLedger.sweepDevices` = Statement(
        "DayLedger.sweepDevices",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of device_day of app $1 since day $2 in which nothing is left.
        delete from census.device_day
        where app_number = $1
            and day >= $2
            and devices_active = 0
        """#)
    static let `DayLedger.sweepInstalls` = Statement(
        "DayLedger.sweepInstalls",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of install_day of app $1 since day $2 in which nothing is left.
        delete from census.install_day
        where app_number = $1
            and day >= $2
            and devices_possible = 0
            and widgets_reported = 0
        """#)
    static let `DayLedger.sweepKinds` = Statement(
        "DayLedger.sweepKinds",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of kind_day of app $1 since day $2 in which nothing is left.
        -- Zeros stay where something was first known.
        delete from census.kind_day
        where app_number = $1
            and day >= $2
            and devices_possible = 0
            and devices_silent = 0
            and widgets_reported = 0
            and devices_certain_first_known = 0
            and devices_possible_first_known = 0
        """#)
    static let `DayLedger.sweepMoves` = Statement(
        "DayLedger.sweepMoves",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of move_day of app $1 since day $2 in which nothing is left.
        delete from census.move_day
        where app_number = $1
            and day >= $2
            and widgets_added = 0
            and widgets_removed = 0
            and devices_added = 0
            and devices_removed = 0
        """#)
    static let `DayLedger.sweepOutcomes` = Statement(
        "DayLedger.sweepOutcomes",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of outcome_day of app $1 since day $2 in which nothing is left.
        delete from census.outcome_day
        where app_number = $1
            and day >= $2
            and suspects_settled = 0
        """#)
    static let `DayLedger.sweepOverlaps` = Statement(
        "DayLedger.sweepOverlaps",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of overlap_day of app $1 since day $2 in which nothing is left.
        delete from census.overlap_day
        where app_number = $1
            and day >= $2
            and devices = 0
        """#)
    static let `DayLedger.sweepUnsettled` = Statement(
        "DayLedger.sweepUnsettled",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of kind_day_unsettled of app $1 since day $2 in which nothing is left.
        delete from census.kind_day_unsettled
        where app_number = $1
            and day >= $2
            and devices = 0
        """#)
    static let `DayLedger.sweepUses` = Statement(
        "DayLedger.sweepUses",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of use_day of app $1 since day $2 in which nothing is left.
        delete from census.use_day
        where app_number = $1
            and day >= $2
            and events = 0
        """#)
    static let `DayLedger.sweepVersions` = Statement(
        "DayLedger.sweepVersions",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
        -- Deletes the rows of version_day of app $1 since day $2 in which nothing is left.
        delete from census.version_day
        where app_number = $1
            and day >= $2
            and devices_possible = 0
        """#)
    static let `DayLedger.verifyActive` = Statement(
        "DayLedger.verifyActive",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
        -- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
        -- active_day.
        -- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        -- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
        -- the old one.
        zone_day as (
            select
                zone,
                case when zone = $4 then $3::timestamptz[]
                    else array(
                        select (day + 1)::timestamp at time zone zone
                        from unnest($2::date[]) as day
                        order by day) end as ends
            from (
                select distinct zone
                from census.counted_device
                where app_number = $1
            ) as counted_by
        ),
        -- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
        -- positions in $2.
        dated_span as not materialized (
            select
                span.device_id,
                its_days.first,
                its_days.last,
                span.surface,
                span.kind,
                coalesce(span.family, '') as family,
                span.certain,
                span.presumed,
                span.suspect,
                span.either,
                span.reported,
                span.still_there,
                span.claim_platform,
                coalesce(span.claim_os_version, '') as claim_os_version,
                span.claim_rule
            from census.counted_span as span
            join zone_day
                on zone_day.zone = span.zone
            cross join lateral (
                select
                    width_bucket(span.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
            ) as its_days
            where span.app_number = $1
                and its_days.first <= its_days.last
        ),
        -- From one change of a device's spans to the next.
        stretch as (
            select
                device_id,
                position as first,
                lead(position) over (partition by device_id order by position) - 1 as last
            from (
                select distinct
                    dated_span.device_id,
                    change.position
                from dated_span
                cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
            ) as changed
        ),
        -- The spans that are live in each stretch.
        live_span as (
            select
                stretch.device_id,
                stretch.first,
                stretch.last,
                dated_span.surface,
                dated_span.kind,
                dated_span.family,
                dated_span.certain,
                dated_span.presumed,
                dated_span.suspect,
                dated_span.either,
                dated_span.reported,
                dated_span.still_there,
                dated_span.claim_platform,
                dated_span.claim_os_version,
                dated_span.claim_rule
            from stretch
            join dated_span
                on dated_span.device_id = stretch.device_id
                and stretch.first between dated_span.first and dated_span.last
        ),
        -- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
        -- last at whose end its last report still counts: days by their positions in $2.
        live_phase as (
            select
                phase.device_id,
                its_days.first,
                its_days.last,
                phase.app_version,
                coalesce(phase.os_version, '') as os_version,
                phase.platform,
                coalesce(phase.gallery_policy, 0) as gallery_policy,
                case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
                phase.is_cloned
            from census.counted_phase as phase
            join zone_day
                on zone_day.zone = phase.zone
            cross join lateral (
                select
                    width_bucket(phase.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
                    width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
            ) as its_days
            where phase.app_number = $1
                and its_days.first <= its_days.last
        ),
        -- What each device is, whatever it runs.
        platform as (
            select
                device_id,
                platform,
                lower(days) as first,
                upper(days) - 1 as last
            from (
                select
                    device_id,
                    platform,
                    unnest(range_agg(int4range(first, last + 1))) as days
                from live_phase
                group by
                    device_id,
                    platform
            ) as ran
        ),
        scoped as (
            select
                device_id,
                first,
                last,
                case when grouping(kind) = 0 and grouping(family) = 0 then 'kind_family'
                    when grouping(kind) = 0 then 'kind'
                    when grouping(family) = 0 then 'family'
                    else 'surface' end as scope,
                surface,
                coalesce(kind, '') as kind,
                coalesce(family, '') as family
            from live_span
            where certain > 0
            group by grouping sets (
                (device_id, first, last, surface, kind, family),
                (device_id, first, last, surface, kind),
                (device_id, first, last, surface, family),
                (device_id, first, last, surface)
            )
            -- A family that is not sent is counted with any.
            having grouping(family) = 1
                or family <> ''
        ),
        -- All that a device is counted for: devices differ less in it than they are many.
        profile as (
            select
                device_id,
                first,
                last,
                array_agg(array[scope, surface, kind, family] order by scope, surface, kind, family) as cells
            from scoped
            group by
                device_id,
                first,
                last
            union all
            select
                device_id,
                1,
                cardinality($2::date[]),
                array[array['all', '', '', '']]
            from census.counted_device
            where app_number = $1
        ),
        -- When each device is counted, and as what: daily on the days on which it was heard from, weekly on those and six more.
        heard as (
            select
                device_use.device_id,
                range_agg(daterange(its.day, its.day + 1)) as daily,
                range_agg(daterange(its.day, its.day + 7)) as weekly
            from census.device_use
            cross join lateral unnest(device_use.days) as done (day_of_month)
            cross join lateral (
                select device_use.month + done.day_of_month - 1 as day
            ) as its
            where device_use.app_number = $1
                and device_use.use = 'heard'
            group by device_use.device_id
        ),
        seen as (
            select
                device_id,
                1 as first,
                cardinality($2::date[]) as last,
                0 as daily,
                0 as weekly,
                1 as in_window
            from census.counted_device
            where app_number = $1
            union all
            select
                heard.device_id,
                width_bucket(lower(its.days) - 1, $2::date[]) + 1,
                width_bucket(upper(its.days) - 1, $2::date[]),
                its.daily,
                its.weekly,
                0
            from heard
            cross join lateral (
                select
                    unnest(heard.daily) as days,
                    1 as daily,
                    0 as weekly
                union all
                select
                    unnest(heard.weekly),
                    0,
                    1
            ) as its
        ),
        counted_profile as (
            select
                its_days.first,
                its_days.last,
                profile.cells,
                platform.platform,
                sum(seen.daily) as daily,
                sum(seen.weekly) as weekly,
                sum(seen.in_window) as in_window
            from profile
            join platform
                on platform.device_id = profile.device_id
                and platform.first <= profile.last
                and platform.last >= profile.first
            join seen
                on seen.device_id = profile.device_id
                and seen.first <= profile.last
                and seen.last >= profile.first
                and seen.first <= platform.last
                and seen.last >= platform.first
            cross join lateral (
                select
                    greatest(profile.first, platform.first, seen.first) as first,
                    least(profile.last, platform.last, seen.last) as last
            ) as its_days
            group by
                its_days.first,
                its_days.last,
                profile.cells,
                platform.platform
        ),
        counted as (
            select
                first,
                last,
                cells[number][1] as scope,
                cells[number][2] as surface,
                cells[number][3] as kind,
                cells[number][4] as family,
                platform,
                sum(daily) as devices_daily,
                sum(weekly) as devices_weekly,
                sum(in_window) as devices_in_window
            from counted_profile
            cross join lateral generate_subscripts(cells, 1) as number
            group by
                first,
                last,
                scope,
                surface,
                kind,
                family,
                platform
        ),
        -- Where either changes, by the positions of days in $2.
        changed as (
            select
                change.position,
                scope,
                surface,
                kind,
                family,
                platform,
                change.sign * devices_daily as counted_devices_daily,
                change.sign * devices_weekly as counted_devices_weekly,
                change.sign * devices_in_window as counted_devices_in_window,
                0 as ledger_devices_daily,
                0 as ledger_devices_weekly,
                0 as ledger_devices_in_window
            from counted
            cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
            union all
            select
                width_bucket(day, $2::date[]) + change.later,
                scope,
                surface,
                kind,
                family,
                platform,
                0,
                0,
                0,
                change.sign * devices_daily,
                change.sign * devices_weekly,
                change.sign * devices_in_window
            from census.active_day
            cross join (values (0, 1), (1, -1)) as change (later, sign)
            where app_number = $1
                and day = any($2::date[])
            union all
            select
                width_bucket(day - 1, $2::date[]) + 1,
                scope,
                surface,
                kind,
                family,
                platform,
                0,
                0,
                0,
                devices_daily,
                devices_weekly,
                devices_in_window
            from census.active_entry
            where app_number = $1
        ),
        level as (
            select
                position,
                scope,
                surface,
                kind,
                family,
                platform,
                sum(sum(counted_devices_daily)) over so_far as counted_devices_daily,
                sum(sum(counted_devices_weekly)) over so_far as counted_devices_weekly,
                sum(sum(counted_devices_in_window)) over so_far as counted_devices_in_window,
                sum(sum(ledger_devices_daily)) over so_far as ledger_devices_daily,
                sum(sum(ledger_devices_weekly)) over so_far as ledger_devices_weekly,
                sum(sum(ledger_devices_in_window)) over so_far as ledger_devices_in_window
            from changed
            group by
                position,
                scope,
                surface,
                kind,
                family,
                platform
            window so_far as (
                partition by
                    scope,
                    surface,
                    kind,
                    family,
                    platform
                order by position)
        ),
        compared as (
            select
                position,
                concat_ws(' ', scope, surface, kind, family, platform) as cell,
                concat_ws(
                    ' ',
                    ledger_devices_daily,
                    ledger_devices_weekly,
                    ledger_devices_in_window
                ) as ledger,
                concat_ws(
                    ' ',
                    counted_devices_daily,
                    counted_devices_weekly,
                    counted_devices_in_window
                ) as counted
            from level
            where position <= cardinality($2::date[])
        ),
        wrong as (
            select
                *,
                row_number() over (partition by position order by cell) as number
            from compared
            where ledger <> counted
        )
        select
            ($2::date[])[position] as day,
            cell,
            ledger,
            counted
        from wrong
        where number <= 5
        order by
            day,
            number
        """#)
    static let `DayLedger.verifyChanges` = Statement(
        "DayLedger.verifyChanges",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
        -- Counts all closed days of app $1 straight from the spans, and compares change_day with them.
        -- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        -- Which certain placements of app $1 were added and removed, when and why.
        beside as (
            -- Every span with those of its placement before and after it.
            select
                device_id,
                zone,
                surface,
                kind,
                coalesce(family, '') as family,
                from_at,
                to_at,
                certain,
                returned,
                began_cause,
                ended_cause,
                lag(to_at) over in_order as to_at_before,
                lag(certain) over in_order as certain_before,
                lag(ended_cause) over in_order as ended_cause_before,
                lead(from_at) over in_order as from_at_after
            from census.counted_span
            where app_number = $1
            window in_order as (
                partition by
                    device_id,
                    concat_ws(
                        chr(31), surface, kind, coalesce(family, chr(30)), coalesce(intent, chr(30)),
                        coalesce(configuration, chr(30)), coalesce(instance, chr(30)))
                order by from_at)
        ),
        moved as (
            select
                device_id,
                from_at as at,
                (from_at at time zone zone)::date as day,
                surface,
                kind,
                family,
                certain - case when to_at_before = from_at then certain_before else 0 end as more,
                case when to_at_before = from_at and certain < certain_before then ended_cause_before else began_cause end
                    as cause,
                returned
            from beside
            union all
            select
                device_id,
                to_at,
                (to_at at time zone zone)::date,
                surface,
                kind,
                family,
                -certain,
                ended_cause,
                0
            from beside
            where to_at is not null
                and from_at_after is distinct from to_at
        ),
        told_apart as (
            -- Some of what was added may have come back from silence.
            select
                moved.device_id,
                moved.at,
                moved.day,
                moved.surface,
                moved.kind,
                moved.family,
                parts.cause,
                parts.more
            from moved
            cross join lateral (
                select greatest(0, least(moved.more, moved.returned)) as returned
            ) as back
            cross join lateral (
                values
                    ('returned', back.returned),
                    (moved.cause, moved.more - back.returned)
            ) as parts (cause, more)
        ),
        counted as (
            select
                day,
                surface,
                kind,
                family,
                cause,
                coalesce(sum(more) filter (where more > 0), 0) as widgets_added,
                coalesce(-sum(more) filter (where more < 0), 0) as widgets_removed
            from told_apart
            where more <> 0
                and day in (select day from census.closed_day where app_number = $1)
            group by
                day,
                surface,
                kind,
                family,
                cause
        ),
        ledger as (
            select
                day,
                surface,
                kind,
                family,
                cause,
                sum(widgets_added) as widgets_added,
                sum(widgets_removed) as widgets_removed
            from (
                select
                    day,
                    surface,
                    kind,
                    family,
                    cause,
                    widgets_added,
                    widgets_removed
                from census.change_day
                where app_number = $1
                union all
                select
                    day,
                    surface,
                    kind,
                    family,
                    cause,
                    widgets_added,
                    widgets_removed
                from census.change_entry
                where app_number = $1
            ) as entered
            where day in (select day from census.closed_day where app_number = $1)
            group by
                day,
                surface,
                kind,
                family,
                cause
        ),
        -- The cells of both, with their numbers written out.
        compared as (
            select
                concat_ws(' ', day, surface, kind, family, cause) as cell,
                concat_ws(
                    ' ',
                    ledger.widgets_added,
                    ledger.widgets_removed
                ) as ledger,
                concat_ws(
                    ' ',
                    counted.widgets_added,
                    counted.widgets_removed
                ) as counted
            from ledger
            full join counted
                using (day, surface, kind, family, cause)
        )
        select
            cell,
            ledger,
            counted
        from compared
        where ledger <> counted
            -- A cell of zeros on one side may be missing on the other.
            and ledger || counted ~ '[1-9]'
        limit 5
        """#)
    static let `DayLedger.verifyCohorts` = Statement(
        "DayLedger.verifyCohorts",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
        -- Counts all closed days of app $1 straight from the spans, and compares cohort_day with them.
        -- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        week_end as (
            select day
            from census.closed_day
            where app_number = $1
                and extract(isodow from day) = 7
        ),
        -- What each device of a cohort holds when each week ends.
        held as (
            select
                cohort.device_id,
                cohort.surface,
                cohort.kind,
                cohort.week,
                week_end.day,
                coalesce(bool_or(span.certain > 0), false)::integer as certain,
                coalesce(bool_or(span.certain + span.presumed + span.suspect > 0), false)::integer as possible
            from census.device_cohort as cohort
            join week_end
                on week_end.day >= cohort.week + 6
            left join census.counted_span as span
                on span.device_id = cohort.device_id
                and span.surface = cohort.surface
                and span.kind = cohort.kind
                and span.from_at < (week_end.day + 1)::timestamp at time zone span.zone
                and coalesce(span.to_at, 'infinity') >= (week_end.day + 1)::timestamp at time zone span.zone
            where cohort.app_number = $1
            group by
                cohort.device_id,
                cohort.surface,
                cohort.kind,
                cohort.week,
                week_end.day
        ),
        changed as (
            select
                surface,
                kind,
                week,
                day,
                case when day = week + 6 then 1 else 0 end as placed,
                certain - coalesce(lag(certain) over in_order, 0) as certain,
                possible - coalesce(lag(possible) over in_order, 0) as possible
            from held
            window in_order as (
                partition by
                    device_id,
                    surface,
                    kind
                order by day)
        ),
        counted as (
            select
                day,
                surface,
                kind,
                week,
                sum(placed) as devices_placed,
                sum(certain) as devices_certain,
                sum(possible) as devices_possible
            from changed
            group by
                day,
                surface,
                kind,
                week
        ),
        ledger as (
            select
                day,
                surface,
                kind,
                week,
                sum(devices_placed) as devices_placed,
                sum(devices_certain) as devices_certain,
                sum(devices_possible) as devices_possible
            from (
                select
                    day,
                    surface,
                    kind,
                    week,
                    devices_placed,
                    devices_certain,
                    devices_possible
                from census.cohort_day
                where app_number = $1
                union all
                select
                    day,
                    surface,
                    kind,
                    week,
                    devices_placed,
                    devices_certain,
                    devices_possible
                from census.cohort_entry
                where app_number = $1
            ) as entered
            where day in (select day from census.closed_day where app_number = $1)
            group by
                day,
                surface,
                kind,
                week
        ),
        -- The cells of both, with their numbers written out.
        compared as (
            select
                concat_ws(' ', day, surface, kind, week) as cell,
                concat_ws(
                    ' ',
                    ledger.devices_placed,
                    ledger.devices_certain,
                    ledger.devices_possible
                ) as ledger,
                concat_ws(
                    ' ',
                    counted.devices_placed,
                    counted.devices_certain,
                    counted.devices_possible
                ) as counted
            from ledger
            full join counted
                using (day, surface, kind, week)
        )
        select
            cell,
            ledger,
            counted
        from compared
        where ledger <> counted
            -- A cell of zeros on one side may be missing on the other.
            and ledger || counted ~ '[1-9]'
        limit 5
        """#)
    static let `DayLedger.verifyDays` = Statement(
        "DayLedger.verifyDays",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/verifyDays.sql and tables.toml: edit those.
        -- The days of app $1 that are neither closed nor open: a day between closed ones must be closed, and only closed days
        -- have numbers.
        -- Returns at most five days of each table, with how many rows it has, and how many it should have.
        with
        -- The days between the first closed day of app $1 and its last that are not closed.
        missing as (
            select day::date as day
            from (
                select generate_series(min(day), max(day), interval '1 day') as day
                from census.closed_day
                where app_number = $1
            ) as spanned
            where day::date not in (select closed_day.day from census.closed_day where app_number = $1)
        )
        (
            select
                'closed_day' as table_name,
                day,
                'a day between closed ones' as cell,
                '0' as ledger,
                '1' as counted
            from missing
            order by day
            limit 5
        )
        union all
        (
            select
                'kind_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.kind_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'kind_day_unsettled',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.kind_day_unsettled
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'version_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.version_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'install_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.install_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'device_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.device_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'change_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.change_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'move_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.move_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'outcome_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.outcome_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'active_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.active_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'overlap_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.overlap_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'use_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.use_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        union all
        (
            select
                'cohort_day',
                day,
                'rows of a day that is not closed',
                count(*)::text,
                '0'
            from census.cohort_day
            where app_number = $1
                and day not in (select closed_day.day from census.closed_day where app_number = $1)
            group by day
            order by day
            limit 5
        )
        """#)
    static let `DayLedger.verifyDevices` = Statement(
        "DayLedger.verifyDevices",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
        -- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
        -- device_day.
        -- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        -- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
        -- the old one.
        zone_day as (
            select
                zone,
                case when zone = $4 then $3::timestamptz[]
                    else array(
                        select (day + 1)::timestamp at time zone zone
                        from unnest($2::date[]) as day
                        order by day) end as ends
            from (
                select distinct zone
                from census.counted_device
                where app_number = $1
            ) as counted_by
        ),
        -- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
        -- positions in $2.
        dated_span as not materialized (
            select
                span.device_id,
                its_days.first,
                its_days.last,
                span.surface,
                span.kind,
                coalesce(span.family, '') as family,
                span.certain,
                span.presumed,
                span.suspect,
                span.either,
                span.reported,
                span.still_there,
                span.claim_platform,
                coalesce(span.claim_os_version, '') as claim_os_version,
                span.claim_rule
            from census.counted_span as span
            join zone_day
                on zone_day.zone = span.zone
            cross join lateral (
                select
                    width_bucket(span.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
            ) as its_days
            where span.app_number = $1
                and its_days.first <= its_days.last
        ),
        -- From one change of a device's spans to the next.
        stretch as (
            select
                device_id,
                position as first,
                lead(position) over (partition by device_id order by position) - 1 as last
            from (
                select distinct
                    dated_span.device_id,
                    change.position
                from dated_span
                cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
            ) as changed
        ),
        -- The spans that are live in each stretch.
        live_span as (
            select
                stretch.device_id,
                stretch.first,
                stretch.last,
                dated_span.surface,
                dated_span.kind,
                dated_span.family,
                dated_span.certain,
                dated_span.presumed,
                dated_span.suspect,
                dated_span.either,
                dated_span.reported,
                dated_span.still_there,
                dated_span.claim_platform,
                dated_span.claim_os_version,
                dated_span.claim_rule
            from stretch
            join dated_span
                on dated_span.device_id = stretch.device_id
                and stretch.first between dated_span.first and dated_span.last
        ),
        -- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
        -- last at whose end its last report still counts: days by their positions in $2.
        live_phase as (
            select
                phase.device_id,
                its_days.first,
                its_days.last,
                phase.app_version,
                coalesce(phase.os_version, '') as os_version,
                phase.platform,
                coalesce(phase.gallery_policy, 0) as gallery_policy,
                case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
                phase.is_cloned
            from census.counted_phase as phase
            join zone_day
                on zone_day.zone = phase.zone
            cross join lateral (
                select
                    width_bucket(phase.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
                    width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
            ) as its_days
            where phase.app_number = $1
                and its_days.first <= its_days.last
        ),
        -- What each device is counted as, and on which days while its phases last.
        counted_as as (
            select distinct
                device_id,
                'with_widget' as what,
                first,
                last
            from live_span
            where certain > 0
                and surface in ('widget', 'today')
            union all
            select
                counted_device.device_id,
                always.what,
                1,
                cardinality($2::date[])
            from census.counted_device
            cross join (values ('active'), ('reporting')) as always (what)
            where counted_device.app_number = $1
        ),
        counted as (
            select
                its_days.first,
                its_days.last,
                live_phase.app_version,
                live_phase.os_version,
                live_phase.platform,
                live_phase.gallery_policy,
                count(*) filter (where counted_as.what = 'active') as devices_active,
                count(*) filter (where counted_as.what = 'with_widget') as devices_with_widget,
                count(*) filter (where counted_as.what = 'reporting') as devices_reporting,
                count(*) filter (where counted_as.what = 'active' and live_phase.is_cloned) as devices_cloned
            from live_phase
            join counted_as
                on counted_as.device_id = live_phase.device_id
                and counted_as.first <= live_phase.last
                and counted_as.last >= live_phase.first
            cross join lateral (
                select
                    greatest(counted_as.first, live_phase.first) as first,
                    least(
                        counted_as.last, live_phase.last,
                        case when counted_as.what = 'reporting' then live_phase.last_reporting end
                    ) as last
            ) as its_days
            where its_days.first <= its_days.last
            group by
                its_days.first,
                its_days.last,
                live_phase.app_version,
                live_phase.os_version,
                live_phase.platform,
                live_phase.gallery_policy
        ),
        -- Where either changes, by the positions of days in $2.
        changed as (
            select
                change.position,
                app_version,
                os_version,
                platform,
                gallery_policy,
                change.sign * devices_active as counted_devices_active,
                change.sign * devices_with_widget as counted_devices_with_widget,
                change.sign * devices_reporting as counted_devices_reporting,
                change.sign * devices_cloned as counted_devices_cloned,
                0 as ledger_devices_active,
                0 as ledger_devices_with_widget,
                0 as ledger_devices_reporting,
                0 as ledger_devices_cloned
            from counted
            cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
            union all
            select
                width_bucket(day, $2::date[]) + change.later,
                app_version,
                os_version,
                platform,
                gallery_policy,
                0,
                0,
                0,
                0,
                change.sign * devices_active,
                change.sign * devices_with_widget,
                change.sign * devices_reporting,
                change.sign * devices_cloned
            from census.device_day
            cross join (values (0, 1), (1, -1)) as change (later, sign)
            where app_number = $1
                and day = any($2::date[])
            union all
            select
                width_bucket(day - 1, $2::date[]) + 1,
                app_version,
                os_version,
                platform,
                gallery_policy,
                0,
                0,
                0,
                0,
                devices_active,
                devices_with_widget,
                devices_reporting,
                devices_cloned
            from census.device_entry
            where app_number = $1
        ),
        level as (
            select
                position,
                app_version,
                os_version,
                platform,
                gallery_policy,
                sum(sum(counted_devices_active)) over so_far as counted_devices_active,
                sum(sum(counted_devices_with_widget)) over so_far as counted_devices_with_widget,
                sum(sum(counted_devices_reporting)) over so_far as counted_devices_reporting,
                sum(sum(counted_devices_cloned)) over so_far as counted_devices_cloned,
                sum(sum(ledger_devices_active)) over so_far as ledger_devices_active,
                sum(sum(ledger_devices_with_widget)) over so_far as ledger_devices_with_widget,
                sum(sum(ledger_devices_reporting)) over so_far as ledger_devices_reporting,
                sum(sum(ledger_devices_cloned)) over so_far as ledger_devices_cloned
            from changed
            group by
                position,
                app_version,
                os_version,
                platform,
                gallery_policy
            window so_far as (
                partition by
                    app_version,
                    os_version,
                    platform,
                    gallery_policy
                order by position)
        ),
        compared as (
            select
                position,
                concat_ws(' ', app_version, os_version, platform, gallery_policy) as cell,
                concat_ws(
                    ' ',
                    ledger_devices_active,
                    ledger_devices_with_widget,
                    ledger_devices_reporting,
                    ledger_devices_cloned
                ) as ledger,
                concat_ws(
                    ' ',
                    counted_devices_active,
                    counted_devices_with_widget,
                    counted_devices_reporting,
                    counted_devices_cloned
                ) as counted
            from level
            where position <= cardinality($2::date[])
        ),
        wrong as (
            select
                *,
                row_number() over (partition by position order by cell) as number
            from compared
            where ledger <> counted
        )
        select
            ($2::date[])[position] as day,
            cell,
            ledger,
            counted
        from wrong
        where number <= 5
        order by
            day,
            number
        """#)
    static let `DayLedger.verifyInstalls` = Statement(
        "DayLedger.verifyInstalls",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
        -- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
        -- install_day.
        -- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        -- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
        -- the old one.
        zone_day as (
            select
                zone,
                case when zone = $4 then $3::timestamptz[]
                    else array(
                        select (day + 1)::timestamp at time zone zone
                        from unnest($2::date[]) as day
                        order by day) end as ends
            from (
                select distinct zone
                from census.counted_device
                where app_number = $1
            ) as counted_by
        ),
        -- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
        -- positions in $2.
        dated_span as not materialized (
            select
                span.device_id,
                its_days.first,
                its_days.last,
                span.surface,
                span.kind,
                coalesce(span.family, '') as family,
                span.certain,
                span.presumed,
                span.suspect,
                span.either,
                span.reported,
                span.still_there,
                span.claim_platform,
                coalesce(span.claim_os_version, '') as claim_os_version,
                span.claim_rule
            from census.counted_span as span
            join zone_day
                on zone_day.zone = span.zone
            cross join lateral (
                select
                    width_bucket(span.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
            ) as its_days
            where span.app_number = $1
                and its_days.first <= its_days.last
        ),
        -- From one change of a device's spans to the next.
        stretch as (
            select
                device_id,
                position as first,
                lead(position) over (partition by device_id order by position) - 1 as last
            from (
                select distinct
                    dated_span.device_id,
                    change.position
                from dated_span
                cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
            ) as changed
        ),
        -- The spans that are live in each stretch.
        live_span as (
            select
                stretch.device_id,
                stretch.first,
                stretch.last,
                dated_span.surface,
                dated_span.kind,
                dated_span.family,
                dated_span.certain,
                dated_span.presumed,
                dated_span.suspect,
                dated_span.either,
                dated_span.reported,
                dated_span.still_there,
                dated_span.claim_platform,
                dated_span.claim_os_version,
                dated_span.claim_rule
            from stretch
            join dated_span
                on dated_span.device_id = stretch.device_id
                and stretch.first between dated_span.first and dated_span.last
        ),
        -- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
        -- last at whose end its last report still counts: days by their positions in $2.
        live_phase as (
            select
                phase.device_id,
                its_days.first,
                its_days.last,
                phase.app_version,
                coalesce(phase.os_version, '') as os_version,
                phase.platform,
                coalesce(phase.gallery_policy, 0) as gallery_policy,
                case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
                phase.is_cloned
            from census.counted_phase as phase
            join zone_day
                on zone_day.zone = phase.zone
            cross join lateral (
                select
                    width_bucket(phase.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
                    width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
            ) as its_days
            where phase.app_number = $1
                and its_days.first <= its_days.last
        ),
        held as (
            select
                device_id,
                first,
                last,
                surface,
                kind,
                family,
                sum(certain) as certain,
                sum(certain + presumed + suspect + either) as possible,
                sum(reported) as reported
            from live_span
            group by
                device_id,
                first,
                last,
                surface,
                kind,
                family
        ),
        counted as (
            select
                its_days.first,
                its_days.last,
                held.surface,
                held.kind,
                held.family,
                live_phase.app_version,
                live_phase.os_version,
                live_phase.platform,
                count(*) filter (where held.certain > 0) as devices_certain,
                count(*) filter (where held.possible > 0) as devices_possible,
                sum(held.certain) as widgets_certain,
                sum(held.possible) as widgets_possible,
                sum(held.reported) as widgets_reported
            from held
            join live_phase
                on live_phase.device_id = held.device_id
                and live_phase.first <= held.last
                and live_phase.last >= held.first
            cross join lateral (
                select
                    greatest(live_phase.first, held.first) as first,
                    least(live_phase.last, held.last) as last
            ) as its_days
            group by
                its_days.first,
                its_days.last,
                held.surface,
                held.kind,
                held.family,
                live_phase.app_version,
                live_phase.os_version,
                live_phase.platform
        ),
        -- Where either changes, by the positions of days in $2.
        changed as (
            select
                change.position,
                surface,
                kind,
                family,
                app_version,
                os_version,
                platform,
                change.sign * devices_certain as counted_devices_certain,
                change.sign * devices_possible as counted_devices_possible,
                change.sign * widgets_certain as counted_widgets_certain,
                change.sign * widgets_possible as counted_widgets_possible,
                change.sign * widgets_reported as counted_widgets_reported,
                0 as ledger_devices_certain,
                0 as ledger_devices_possible,
                0 as ledger_widgets_certain,
                0 as ledger_widgets_possible,
                0 as ledger_widgets_reported
            from counted
            cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
            union all
            select
                width_bucket(day, $2::date[]) + change.later,
                surface,
                kind,
                family,
                app_version,
                os_version,
                platform,
                0,
                0,
                0,
                0,
                0,
                change.sign * devices_certain,
                change.sign * devices_possible,
                change.sign * widgets_certain,
                change.sign * widgets_possible,
                change.sign * widgets_reported
            from census.install_day
            cross join (values (0, 1), (1, -1)) as change (later, sign)
            where app_number = $1
                and day = any($2::date[])
            union all
            select
                width_bucket(day - 1, $2::date[]) + 1,
                surface,
                kind,
                family,
                app_version,
                os_version,
                platform,
                0,
                0,
                0,
                0,
                0,
                devices_certain,
                devices_possible,
                widgets_certain,
                widgets_possible,
                widgets_reported
            from census.install_entry
            where app_number = $1
        ),
        level as (
            select
                position,
                surface,
                kind,
                family,
                app_version,
                os_version,
                platform,
                sum(sum(counted_devices_certain)) over so_far as counted_devices_certain,
                sum(sum(counted_devices_possible)) over so_far as counted_devices_possible,
                sum(sum(counted_widgets_certain)) over so_far as counted_widgets_certain,
                sum(sum(counted_widgets_possible)) over so_far as counted_widgets_possible,
                sum(sum(counted_widgets_reported)) over so_far as counted_widgets_reported,
                sum(sum(ledger_devices_certain)) over so_far as ledger_devices_certain,
                sum(sum(ledger_devices_possible)) over so_far as ledger_devices_possible,
                sum(sum(ledger_widgets_certain)) over so_far as ledger_widgets_certain,
                sum(sum(ledger_widgets_possible)) over so_far as ledger_widgets_possible,
                sum(sum(ledger_widgets_reported)) over so_far as ledger_widgets_reported
            from changed
            group by
                position,
                surface,
                kind,
                family,
                app_version,
                os_version,
                platform
            window so_far as (
                partition by
                    surface,
                    kind,
                    family,
                    app_version,
                    os_version,
                    platform
                order by position)
        ),
        compared as (
            select
                position,
                concat_ws(' ', surface, kind, family, app_version, os_version, platform) as cell,
                concat_ws(
                    ' ',
                    ledger_devices_certain,
                    ledger_devices_possible,
                    ledger_widgets_certain,
                    ledger_widgets_possible,
                    ledger_widgets_reported
                ) as ledger,
                concat_ws(
                    ' ',
                    counted_devices_certain,
                    counted_devices_possible,
                    counted_widgets_certain,
                    counted_widgets_possible,
                    counted_widgets_reported
                ) as counted
            from level
            where position <= cardinality($2::date[])
        ),
        wrong as (
            select
                *,
                row_number() over (partition by position order by cell) as number
            from compared
            where ledger <> counted
        )
        select
            ($2::date[])[position] as day,
            cell,
            ledger,
            counted
        from wrong
        where number <= 5
        order by
            day,
            number
        """#)
    static let `DayLedger.verifyKinds` = Statement(
        "DayLedger.verifyKinds",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
        -- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
        -- kind_day.
        -- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        -- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
        -- the old one.
        zone_day as (
            select
                zone,
                case when zone = $4 then $3::timestamptz[]
                    else array(
                        select (day + 1)::timestamp at time zone zone
                        from unnest($2::date[]) as day
                        order by day) end as ends
            from (
                select distinct zone
                from census.counted_device
                where app_number = $1
            ) as counted_by
        ),
        -- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
        -- positions in $2.
        dated_span as not materialized (
            select
                span.device_id,
                its_days.first,
                its_days.last,
                span.surface,
                span.kind,
                coalesce(span.family, '') as family,
                span.certain,
                span.presumed,
                span.suspect,
                span.either,
                span.reported,
                span.still_there,
                span.claim_platform,
                coalesce(span.claim_os_version, '') as claim_os_version,
                span.claim_rule
            from census.counted_span as span
            join zone_day
                on zone_day.zone = span.zone
            cross join lateral (
                select
                    width_bucket(span.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
            ) as its_days
            where span.app_number = $1
                and its_days.first <= its_days.last
        ),
        -- From one change of a device's spans to the next.
        stretch as (
            select
                device_id,
                position as first,
                lead(position) over (partition by device_id order by position) - 1 as last
            from (
                select distinct
                    dated_span.device_id,
                    change.position
                from dated_span
                cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
            ) as changed
        ),
        -- The spans that are live in each stretch.
        live_span as (
            select
                stretch.device_id,
                stretch.first,
                stretch.last,
                dated_span.surface,
                dated_span.kind,
                dated_span.family,
                dated_span.certain,
                dated_span.presumed,
                dated_span.suspect,
                dated_span.either,
                dated_span.reported,
                dated_span.still_there,
                dated_span.claim_platform,
                dated_span.claim_os_version,
                dated_span.claim_rule
            from stretch
            join dated_span
                on dated_span.device_id = stretch.device_id
                and stretch.first between dated_span.first and dated_span.last
        ),
        -- What each device of app $1 may still hold of each kind although it is silent: what it fell silent with, for a year.
        -- From the first to the last of the asked days on which it does.
        silence as (
            select
                device_id,
                zone,
                due_at,
                to_at as from_at,
                lead(from_at) over (partition by device_id order by from_at) as next_at
            from census.counted_phase
            where app_number = $1
        ),
        silent as (
            select distinct
                silence.device_id,
                its_days.first,
                its_days.last,
                span.surface,
                span.kind
            from silence
            cross join lateral (
                select (silence.from_at at time zone silence.zone)::date + 365 as expires_on
            ) as its_end
            cross join lateral (
                select
                    width_bucket(its_end.expires_on - 366, $2::date[]) + 1 as first,
                    least(
                        width_bucket((silence.next_at at time zone silence.zone)::date - 1, $2::date[]),
                        -- It is not due yet, as far as the ledger was told.
                        case when silence.next_at is null
                                and silence.due_at <= its_end.expires_on::timestamp at time zone silence.zone
                            then cardinality($2::date[])
                            else width_bucket(its_end.expires_on - 1, $2::date[]) end
                    ) as last
            ) as its_days
            join census.counted_span as span
                on span.device_id = silence.device_id
                and span.to_at = silence.from_at
                and span.ended_cause = 'silent'
                and span.certain + span.presumed + span.suspect > 0
            where its_days.first <= its_days.last
                and case when silence.next_at is null then true else silence.next_at > silence.from_at end
        ),
        -- What each device holds of each kind in each stretch.
        held as (
            select
                device_id,
                first,
                last,
                surface,
                kind,
                sum(certain) as certain,
                sum(certain + presumed + suspect) as possible,
                sum(reported) as reported,
                sum(suspect) as suspect,
                sum(suspect - still_there) as gone,
                sum(still_there) as still_there,
                bool_or(presumed > 0 or coalesce(still_there, 0) > 0) as is_still_there,
                (array_agg(
                    array[claim_platform, claim_os_version, claim_rule]
                    order by
                        claim_platform collate "C" desc,
                        claim_os_version collate "C" desc,
                        claim_rule collate "C" desc
                ) filter (where suspect > 0 and still_there is null))[1:1] as claim
            from live_span
            group by
                device_id,
                first,
                last,
                surface,
                kind
        ),
        counted as (
            select
                first,
                last,
                surface,
                kind,
                count(*) filter (where certain > 0) as devices_certain,
                count(*) filter (where possible > 0) as devices_possible,
                count(*) filter (where certain = 0 and is_still_there) as devices_still_there,
                count(*) filter (where reported > 0) as devices_reported,
                coalesce(sum(silent), 0) as devices_silent,
                sum(certain) as widgets_certain,
                sum(possible) as widgets_possible,
                sum(reported) as widgets_reported,
                sum(suspect) as widgets_suspect,
                coalesce(sum(gone), 0) as widgets_gone,
                coalesce(sum(still_there), 0) as widgets_still_there
            from (
                select
                    first,
                    last,
                    surface,
                    kind,
                    certain,
                    possible,
                    is_still_there,
                    reported,
                    suspect,
                    gone,
                    still_there,
                    0 as silent
                from held
                union all
                select
                    first,
                    last,
                    surface,
                    kind,
                    0,
                    0,
                    false,
                    0,
                    0,
                    0,
                    0,
                    1
                from silent
            ) as counted_once
            group by
                first,
                last,
                surface,
                kind
        ),
        -- Where either changes, by the positions of days in $2.
        changed as (
            select
                change.position,
                surface,
                kind,
                change.sign * devices_certain as counted_devices_certain,
                change.sign * devices_possible as counted_devices_possible,
                change.sign * devices_still_there as counted_devices_still_there,
                change.sign * devices_reported as counted_devices_reported,
                change.sign * devices_silent as counted_devices_silent,
                change.sign * widgets_certain as counted_widgets_certain,
                change.sign * widgets_possible as counted_widgets_possible,
                change.sign * widgets_reported as counted_widgets_reported,
                change.sign * widgets_suspect as counted_widgets_suspect,
                change.sign * widgets_gone as counted_widgets_gone,
                change.sign * widgets_still_there as counted_widgets_still_there,
                0 as ledger_devices_certain,
                0 as ledger_devices_possible,
                0 as ledger_devices_still_there,
                0 as ledger_devices_reported,
                0 as ledger_devices_silent,
                0 as ledger_widgets_certain,
                0 as ledger_widgets_possible,
                0 as ledger_widgets_reported,
                0 as ledger_widgets_suspect,
                0 as ledger_widgets_gone,
                0 as ledger_widgets_still_there
            from counted
            cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
            union all
            select
                width_bucket(day, $2::date[]) + change.later,
                surface,
                kind,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                change.sign * devices_certain,
                change.sign * devices_possible,
                change.sign * devices_still_there,
                change.sign * devices_reported,
                change.sign * devices_silent,
                change.sign * widgets_certain,
                change.sign * widgets_possible,
                change.sign * widgets_reported,
                change.sign * widgets_suspect,
                change.sign * widgets_gone,
                change.sign * widgets_still_there
            from census.kind_day
            cross join (values (0, 1), (1, -1)) as change (later, sign)
            where app_number = $1
                and day = any($2::date[])
            union all
            select
                width_bucket(day - 1, $2::date[]) + 1,
                surface,
                kind,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                devices_certain,
                devices_possible,
                devices_still_there,
                devices_reported,
                devices_silent,
                widgets_certain,
                widgets_possible,
                widgets_reported,
                widgets_suspect,
                widgets_gone,
                widgets_still_there
            from census.kind_entry
            where app_number = $1
        ),
        level as (
            select
                position,
                surface,
                kind,
                sum(sum(counted_devices_certain)) over so_far as counted_devices_certain,
                sum(sum(counted_devices_possible)) over so_far as counted_devices_possible,
                sum(sum(counted_devices_still_there)) over so_far as counted_devices_still_there,
                sum(sum(counted_devices_reported)) over so_far as counted_devices_reported,
                sum(sum(counted_devices_silent)) over so_far as counted_devices_silent,
                sum(sum(counted_widgets_certain)) over so_far as counted_widgets_certain,
                sum(sum(counted_widgets_possible)) over so_far as counted_widgets_possible,
                sum(sum(counted_widgets_reported)) over so_far as counted_widgets_reported,
                sum(sum(counted_widgets_suspect)) over so_far as counted_widgets_suspect,
                sum(sum(counted_widgets_gone)) over so_far as counted_widgets_gone,
                sum(sum(counted_widgets_still_there)) over so_far as counted_widgets_still_there,
                sum(sum(ledger_devices_certain)) over so_far as ledger_devices_certain,
                sum(sum(ledger_devices_possible)) over so_far as ledger_devices_possible,
                sum(sum(ledger_devices_still_there)) over so_far as ledger_devices_still_there,
                sum(sum(ledger_devices_reported)) over so_far as ledger_devices_reported,
                sum(sum(ledger_devices_silent)) over so_far as ledger_devices_silent,
                sum(sum(ledger_widgets_certain)) over so_far as ledger_widgets_certain,
                sum(sum(ledger_widgets_possible)) over so_far as ledger_widgets_possible,
                sum(sum(ledger_widgets_reported)) over so_far as ledger_widgets_reported,
                sum(sum(ledger_widgets_suspect)) over so_far as ledger_widgets_suspect,
                sum(sum(ledger_widgets_gone)) over so_far as ledger_widgets_gone,
                sum(sum(ledger_widgets_still_there)) over so_far as ledger_widgets_still_there
            from changed
            group by
                position,
                surface,
                kind
            window so_far as (
                partition by
                    surface,
                    kind
                order by position)
        ),
        compared as (
            select
                position,
                concat_ws(' ', surface, kind) as cell,
                concat_ws(
                    ' ',
                    ledger_devices_certain,
                    ledger_devices_possible,
                    ledger_devices_still_there,
                    ledger_devices_reported,
                    ledger_devices_silent,
                    ledger_widgets_certain,
                    ledger_widgets_possible,
                    ledger_widgets_reported,
                    ledger_widgets_suspect,
                    ledger_widgets_gone,
                    ledger_widgets_still_there
                ) as ledger,
                concat_ws(
                    ' ',
                    counted_devices_certain,
                    counted_devices_possible,
                    counted_devices_still_there,
                    counted_devices_reported,
                    counted_devices_silent,
                    counted_widgets_certain,
                    counted_widgets_possible,
                    counted_widgets_reported,
                    counted_widgets_suspect,
                    counted_widgets_gone,
                    counted_widgets_still_there
                ) as counted
            from level
            where position <= cardinality($2::date[])
        ),
        wrong as (
            select
                *,
                row_number() over (partition by position order by cell) as number
            from compared
            where ledger <> counted
        )
        select
            ($2::date[])[position] as day,
            cell,
            ledger,
            counted
        from wrong
        where number <= 5
        order by
            day,
            number
        """#)
    static let `DayLedger.verifyMoves` = Statement(
        "DayLedger.verifyMoves",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
        -- Counts all closed days of app $1 straight from the spans, and compares move_day with them.
        -- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        -- Which certain placements of app $1 were added and removed, when and why.
        beside as (
            -- Every span with those of its placement before and after it.
            select
                device_id,
                zone,
                surface,
                kind,
                coalesce(family, '') as family,
                from_at,
                to_at,
                certain,
                returned,
                began_cause,
                ended_cause,
                lag(to_at) over in_order as to_at_before,
                lag(certain) over in_order as certain_before,
                lag(ended_cause) over in_order as ended_cause_before,
                lead(from_at) over in_order as from_at_after
            from census.counted_span
            where app_number = $1
            window in_order as (
                partition by
                    device_id,
                    concat_ws(
                        chr(31), surface, kind, coalesce(family, chr(30)), coalesce(intent, chr(30)),
                        coalesce(configuration, chr(30)), coalesce(instance, chr(30)))
                order by from_at)
        ),
        moved as (
            select
                device_id,
                from_at as at,
                (from_at at time zone zone)::date as day,
                surface,
                kind,
                family,
                certain - case when to_at_before = from_at then certain_before else 0 end as more,
                case when to_at_before = from_at and certain < certain_before then ended_cause_before else began_cause end
                    as cause,
                returned
            from beside
            union all
            select
                device_id,
                to_at,
                (to_at at time zone zone)::date,
                surface,
                kind,
                family,
                -certain,
                ended_cause,
                0
            from beside
            where to_at is not null
                and from_at_after is distinct from to_at
        ),
        told_apart as (
            -- Some of what was added may have come back from silence.
            select
                moved.device_id,
                moved.at,
                moved.day,
                moved.surface,
                moved.kind,
                moved.family,
                parts.cause,
                parts.more
            from moved
            cross join lateral (
                select greatest(0, least(moved.more, moved.returned)) as returned
            ) as back
            cross join lateral (
                values
                    ('returned', back.returned),
                    (moved.cause, moved.more - back.returned)
            ) as parts (cause, more)
        ),
        -- When a device of app $1 began to hold a kind for certain, or stopped.
        edge as (
            -- When certain placements of a kind begin and end on a device, and why.
            select
                device_id,
                zone,
                surface,
                kind,
                from_at as at,
                certain as more,
                case when returned > 0 then 'returned' else began_cause end as began_cause,
                null as ended_cause
            from census.counted_span
            where app_number = $1
                and certain > 0
            union all
            select
                device_id,
                zone,
                surface,
                kind,
                to_at,
                -certain,
                null,
                ended_cause
            from census.counted_span
            where app_number = $1
                and certain > 0
                and to_at is not null
        ),
        moment as (
            select
                device_id,
                zone,
                surface,
                kind,
                at,
                sum(more) as more,
                min(began_cause collate "C") as began_cause,
                min(ended_cause collate "C") as ended_cause
            from edge
            group by
                device_id,
                zone,
                surface,
                kind,
                at
        ),
        held as (
            select
                *,
                sum(more) over (partition by device_id, surface, kind order by at) as certain
            from moment
        ),
        happened as (
            select
                device_id,
                at,
                day,
                surface,
                kind,
                cause,
                greatest(more, 0) as widgets_added,
                greatest(-more, 0) as widgets_removed,
                0 as devices_added,
                0 as devices_removed
            from told_apart
            where more <> 0
            union all
            select
                device_id,
                at,
                (at at time zone zone)::date,
                surface,
                kind,
                case when certain > 0 then began_cause else ended_cause end,
                0,
                0,
                case when certain > 0 then 1 else 0 end,
                case when certain > 0 then 0 else 1 end
            from held
            where more <> 0
                and (certain = 0) <> (certain - more = 0)
        ),
        ran as (
            -- The phase that had begun last at each moment, else the first one.
            select distinct on (moment.device_id, moment.at)
                moment.device_id,
                moment.at,
                phase.app_version,
                phase.os_version,
                phase.platform
            from (
                select distinct
                    device_id,
                    at
                from happened
            ) as moment
            join census.phase
                on phase.device_id = moment.device_id
            order by
                moment.device_id,
                moment.at,
                phase.from_at <= moment.at desc,
                abs(extract(epoch from phase.from_at - moment.at))
        ),
        counted as (
            select
                happened.day,
                happened.surface,
                happened.kind,
                happened.cause,
                coalesce(ran.app_version, '') as app_version,
                coalesce(ran.os_version, '') as os_version,
                coalesce(ran.platform, '') as platform,
                sum(happened.widgets_added) as widgets_added,
                sum(happened.widgets_removed) as widgets_removed,
                sum(happened.devices_added) as devices_added,
                sum(happened.devices_removed) as devices_removed
            from happened
            left join ran
                on ran.device_id = happened.device_id
                and ran.at = happened.at
            where happened.day in (select day from census.closed_day where app_number = $1)
            group by
                happened.day,
                happened.surface,
                happened.kind,
                happened.cause,
                coalesce(ran.app_version, ''),
                coalesce(ran.os_version, ''),
                coalesce(ran.platform, '')
        ),
        ledger as (
            select
                day,
                surface,
                kind,
                cause,
                app_version,
                os_version,
                platform,
                sum(widgets_added) as widgets_added,
                sum(widgets_removed) as widgets_removed,
                sum(devices_added) as devices_added,
                sum(devices_removed) as devices_removed
            from (
                select
                    day,
                    surface,
                    kind,
                    cause,
                    app_version,
                    os_version,
                    platform,
                    widgets_added,
                    widgets_removed,
                    devices_added,
                    devices_removed
                from census.move_day
                where app_number = $1
                union all
                select
                    day,
                    surface,
                    kind,
                    cause,
                    app_version,
                    os_version,
                    platform,
                    widgets_added,
                    widgets_removed,
                    devices_added,
                    devices_removed
                from census.move_entry
                where app_number = $1
            ) as entered
            where day in (select day from census.closed_day where app_number = $1)
            group by
                day,
                surface,
                kind,
                cause,
                app_version,
                os_version,
                platform
        ),
        -- The cells of both, with their numbers written out.
        compared as (
            select
                concat_ws(' ', day, surface, kind, cause, app_version, os_version, platform) as cell,
                concat_ws(
                    ' ',
                    ledger.widgets_added,
                    ledger.widgets_removed,
                    ledger.devices_added,
                    ledger.devices_removed
                ) as ledger,
                concat_ws(
                    ' ',
                    counted.widgets_added,
                    counted.widgets_removed,
                    counted.devices_added,
                    counted.devices_removed
                ) as counted
            from ledger
            full join counted
                using (day, surface, kind, cause, app_version, os_version, platform)
        )
        select
            cell,
            ledger,
            counted
        from compared
        where ledger <> counted
            -- A cell of zeros on one side may be missing on the other.
            and ledger || counted ~ '[1-9]'
        limit 5
        """#)
    static let `DayLedger.verifyOutcomes` = Statement(
        "DayLedger.verifyOutcomes",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
        -- Counts all closed days of app $1 straight from the spans, and compares outcome_day with them.
        -- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        settled as (
            -- The last span of each suspicion: a boot ended it (R6), or the use of one of its suspects did (R7), or it says so
            -- itself.
            select
                -- A device that waits to be counted again has no zone of its own.
                (span.to_at at time zone coalesce(device.zone, app.zone))::date as day,
                claim_platform as platform,
                coalesce(claim_os_version, '') as os_version,
                claim_rule,
                case when ended_rule = 'reboot' then suspect
                    when ended_rule = 'sign_of_life' and certain > 0 then 1
                    else settled end as settled,
                case when ended_rule = 'reboot' then still_there
                    when ended_rule = 'sign_of_life' and certain > 0 then 1
                    else greatest(0, still_there - (suspect - settled)) end as still_there,
                floor(extract(epoch from to_at - from_at)) as seconds
            from census.span
            join census.app
                on app.app_number = span.app_number
            left join census.device
                on device.device_id = span.device_id
            where span.app_number = $1
                and still_there is not null
                and to_at is not null
                and (ended_rule = 'reboot' or settled > 0 or (ended_rule = 'sign_of_life' and certain > 0))
        ),
        counted as (
            select
                day,
                platform,
                os_version,
                claim_rule,
                sum(settled) as suspects_settled,
                sum(still_there) as suspects_still_there,
                sum(settled * seconds) as suspect_seconds
            from settled
            where day in (select day from census.closed_day where app_number = $1)
            group by
                day,
                platform,
                os_version,
                claim_rule
        ),
        ledger as (
            select
                day,
                platform,
                os_version,
                claim_rule,
                sum(suspects_settled) as suspects_settled,
                sum(suspects_still_there) as suspects_still_there,
                sum(suspect_seconds) as suspect_seconds
            from (
                select
                    day,
                    platform,
                    os_version,
                    claim_rule,
                    suspects_settled,
                    suspects_still_there,
                    suspect_seconds
                from census.outcome_day
                where app_number = $1
                union all
                select
                    day,
                    platform,
                    os_version,
                    claim_rule,
                    suspects_settled,
                    suspects_still_there,
                    suspect_seconds
                from census.outcome_entry
                where app_number = $1
            ) as entered
            where day in (select day from census.closed_day where app_number = $1)
            group by
                day,
                platform,
                os_version,
                claim_rule
        ),
        -- The cells of both, with their numbers written out.
        compared as (
            select
                concat_ws(' ', day, platform, os_version, claim_rule) as cell,
                concat_ws(
                    ' ',
                    ledger.suspects_settled,
                    ledger.suspects_still_there,
                    ledger.suspect_seconds
                ) as ledger,
                concat_ws(
                    ' ',
                    counted.suspects_settled,
                    counted.suspects_still_there,
                    counted.suspect_seconds
                ) as counted
            from ledger
            full join counted
                using (day, platform, os_version, claim_rule)
        )
        select
            cell,
            ledger,
            counted
        from compared
        where ledger <> counted
            -- A cell of zeros on one side may be missing on the other.
            and ledger || counted ~ '[1-9]'
        limit 5
        """#)
    static let `DayLedger.verifyOverlaps` = Statement(
        "DayLedger.verifyOverlaps",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
        -- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
        -- overlap_day.
        -- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        -- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
        -- the old one.
        zone_day as (
            select
                zone,
                case when zone = $4 then $3::timestamptz[]
                    else array(
                        select (day + 1)::timestamp at time zone zone
                        from unnest($2::date[]) as day
                        order by day) end as ends
            from (
                select distinct zone
                from census.counted_device
                where app_number = $1
            ) as counted_by
        ),
        -- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
        -- positions in $2.
        dated_span as not materialized (
            select
                span.device_id,
                its_days.first,
                its_days.last,
                span.surface,
                span.kind,
                coalesce(span.family, '') as family,
                span.certain,
                span.presumed,
                span.suspect,
                span.either,
                span.reported,
                span.still_there,
                span.claim_platform,
                coalesce(span.claim_os_version, '') as claim_os_version,
                span.claim_rule
            from census.counted_span as span
            join zone_day
                on zone_day.zone = span.zone
            cross join lateral (
                select
                    width_bucket(span.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
            ) as its_days
            where span.app_number = $1
                and its_days.first <= its_days.last
        ),
        -- From one change of a device's spans to the next.
        stretch as (
            select
                device_id,
                position as first,
                lead(position) over (partition by device_id order by position) - 1 as last
            from (
                select distinct
                    dated_span.device_id,
                    change.position
                from dated_span
                cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
            ) as changed
        ),
        -- The spans that are live in each stretch.
        live_span as (
            select
                stretch.device_id,
                stretch.first,
                stretch.last,
                dated_span.surface,
                dated_span.kind,
                dated_span.family,
                dated_span.certain,
                dated_span.presumed,
                dated_span.suspect,
                dated_span.either,
                dated_span.reported,
                dated_span.still_there,
                dated_span.claim_platform,
                dated_span.claim_os_version,
                dated_span.claim_rule
            from stretch
            join dated_span
                on dated_span.device_id = stretch.device_id
                and stretch.first between dated_span.first and dated_span.last
        ),
        held as (
            select distinct
                device_id,
                first,
                last,
                surface,
                kind
            from live_span
            where certain > 0
        ),
        -- In the order in which they were marked; a device is counted for the first of them.
        legacy as (
            select
                surface,
                kind,
                row_number() over (order by min(act_number)) as position
            from census.kind_act
            where app_number = $1
                and lifecycle <> 'active'
            group by
                surface,
                kind
        ),
        counted as (
            select
                held.first,
                held.last,
                held.surface,
                held.kind,
                other.kind as other_kind,
                count(*) as devices
            from held
            join held as other
                on other.device_id = held.device_id
                and other.first = held.first
                and other.surface = held.surface
                and other.kind collate "C" > held.kind collate "C"
            join census.device
                on device.device_id = held.device_id
            where exists (
                select 1
                from legacy
                where legacy.surface = held.surface
                    and legacy.kind in (held.kind, other.kind)
                    and legacy.position <= device.legacy_kinds)
            group by
                held.first,
                held.last,
                held.surface,
                held.kind,
                other.kind
        ),
        -- Where either changes, by the positions of days in $2.
        changed as (
            select
                change.position,
                surface,
                kind,
                other_kind,
                change.sign * devices as counted_devices,
                0 as ledger_devices
            from counted
            cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
            union all
            select
                width_bucket(day, $2::date[]) + change.later,
                surface,
                kind,
                other_kind,
                0,
                change.sign * devices
            from census.overlap_day
            cross join (values (0, 1), (1, -1)) as change (later, sign)
            where app_number = $1
                and day = any($2::date[])
            union all
            select
                width_bucket(day - 1, $2::date[]) + 1,
                surface,
                kind,
                other_kind,
                0,
                devices
            from census.overlap_entry
            where app_number = $1
        ),
        level as (
            select
                position,
                surface,
                kind,
                other_kind,
                sum(sum(counted_devices)) over so_far as counted_devices,
                sum(sum(ledger_devices)) over so_far as ledger_devices
            from changed
            group by
                position,
                surface,
                kind,
                other_kind
            window so_far as (
                partition by
                    surface,
                    kind,
                    other_kind
                order by position)
        ),
        compared as (
            select
                position,
                concat_ws(' ', surface, kind, other_kind) as cell,
                concat_ws(
                    ' ',
                    ledger_devices
                ) as ledger,
                concat_ws(
                    ' ',
                    counted_devices
                ) as counted
            from level
            where position <= cardinality($2::date[])
        ),
        wrong as (
            select
                *,
                row_number() over (partition by position order by cell) as number
            from compared
            where ledger <> counted
        )
        select
            ($2::date[])[position] as day,
            cell,
            ledger,
            counted
        from wrong
        where number <= 5
        order by
            day,
            number
        """#)
    static let `DayLedger.verifyReads` = Statement(
        "DayLedger.verifyReads",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/verifyReads.sql and tables.toml: edit those.
        -- Compares the reads of app $1 with the log.
        -- Returns at most five quarters of an hour in which the two differ, with the numbers of both in the order of the
        -- columns.
        with
        -- The reads of app $1 by quarters of an hour where the ledger has others than the log, as far back as all of it is kept
        -- and reads were counted by quarters.
        whole as (
            select
                coalesce(
                    greatest(
                        (select kept_from::timestamp at time zone 'UTC' from census.retention),
                        (
                            select max(quarter_at) + interval '1 day'
                            from census.read_quarter
                            where app_number = $1
                                and is_of_day
                        )),
                    '-infinity') as since
        ),
        counted as (
            select
                date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00') as quarter_at,
                count(*) as reads,
                count(*) filter (where content::text like '{"error"%') as reads_failed
            from census.observation
            where app_number = $1
                and type = 'widgets_reported'
                and channel = 'production'
                and corrected_at >= (select since from whole)
            group by date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00')
        ),
        ledger as (
            select
                quarter_at,
                sum(reads)::bigint as reads,
                sum(reads_failed)::bigint as reads_failed
            from (
                -- The log no longer has the reads of forgotten devices.
                select
                    quarter_at,
                    reads - reads_erased as reads,
                    reads_failed - reads_failed_erased as reads_failed
                from census.read_quarter
                where app_number = $1
                    and not is_of_day
                union all
                select
                    quarter_at,
                    reads - reads_erased,
                    reads_failed - reads_failed_erased
                from census.read_entry
                where app_number = $1
            ) as entered
            where quarter_at >= (select since from whole)
            group by quarter_at
        ),
        wrong as (
            select
                quarter_at,
                ledger.reads as ledger_reads,
                ledger.reads_failed as ledger_reads_failed,
                counted.reads as counted_reads,
                counted.reads_failed as counted_reads_failed
            from ledger
            full join counted
                using (quarter_at)
            where (coalesce(ledger.reads, 0), coalesce(ledger.reads_failed, 0))
                is distinct from (coalesce(counted.reads, 0), coalesce(counted.reads_failed, 0))
        )
        select
            to_char(quarter_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') as cell,
            concat_ws(' ', ledger_reads, ledger_reads_failed) as ledger,
            concat_ws(' ', counted_reads, counted_reads_failed) as counted
        from wrong
        order by cell
        limit 5
        """#)
    static let `DayLedger.verifySpans` = Statement(
        "DayLedger.verifySpans",
        #"""
        -- Placements that devices of app $1 hold twice at the same time. Spans of a placement must not overlap, or their days are
        -- counted twice, in the ledger and in its check alike.
        -- Returns at most five kinds, with how many spans begin before the previous one has ended.
        with in_order as (
            select
                surface,
                kind,
                from_at,
                lag(coalesce(to_at, 'infinity')) over (
                    partition by device_id, surface, kind, family, intent, configuration, instance
                    order by from_at) as to_at_before
            from census.span
            where app_number = $1
        )
        select
            concat_ws(' ', surface, kind) as cell,
            count(*)::text as ledger,
            '0' as counted
        from in_order
        where from_at < to_at_before
        group by
            surface,
            kind
        order by
            count(*) desc,
            surface,
            kind
        limit 5
        """#)
    static let `DayLedger.verifyUnsettled` = Statement(
        "DayLedger.verifyUnsettled",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
        -- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
        -- kind_day_unsettled.
        -- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        -- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
        -- the old one.
        zone_day as (
            select
                zone,
                case when zone = $4 then $3::timestamptz[]
                    else array(
                        select (day + 1)::timestamp at time zone zone
                        from unnest($2::date[]) as day
                        order by day) end as ends
            from (
                select distinct zone
                from census.counted_device
                where app_number = $1
            ) as counted_by
        ),
        -- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
        -- positions in $2.
        dated_span as not materialized (
            select
                span.device_id,
                its_days.first,
                its_days.last,
                span.surface,
                span.kind,
                coalesce(span.family, '') as family,
                span.certain,
                span.presumed,
                span.suspect,
                span.either,
                span.reported,
                span.still_there,
                span.claim_platform,
                coalesce(span.claim_os_version, '') as claim_os_version,
                span.claim_rule
            from census.counted_span as span
            join zone_day
                on zone_day.zone = span.zone
            cross join lateral (
                select
                    width_bucket(span.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
            ) as its_days
            where span.app_number = $1
                and its_days.first <= its_days.last
        ),
        -- From one change of a device's spans to the next.
        stretch as (
            select
                device_id,
                position as first,
                lead(position) over (partition by device_id order by position) - 1 as last
            from (
                select distinct
                    dated_span.device_id,
                    change.position
                from dated_span
                cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
            ) as changed
        ),
        -- The spans that are live in each stretch.
        live_span as (
            select
                stretch.device_id,
                stretch.first,
                stretch.last,
                dated_span.surface,
                dated_span.kind,
                dated_span.family,
                dated_span.certain,
                dated_span.presumed,
                dated_span.suspect,
                dated_span.either,
                dated_span.reported,
                dated_span.still_there,
                dated_span.claim_platform,
                dated_span.claim_os_version,
                dated_span.claim_rule
            from stretch
            join dated_span
                on dated_span.device_id = stretch.device_id
                and stretch.first between dated_span.first and dated_span.last
        ),
        -- What each device holds of each kind in each stretch.
        held as (
            select
                device_id,
                first,
                last,
                surface,
                kind,
                sum(certain) as certain,
                sum(certain + presumed + suspect) as possible,
                sum(reported) as reported,
                sum(suspect) as suspect,
                sum(suspect - still_there) as gone,
                sum(still_there) as still_there,
                bool_or(presumed > 0 or coalesce(still_there, 0) > 0) as is_still_there,
                (array_agg(
                    array[claim_platform, claim_os_version, claim_rule]
                    order by
                        claim_platform collate "C" desc,
                        claim_os_version collate "C" desc,
                        claim_rule collate "C" desc
                ) filter (where suspect > 0 and still_there is null))[1:1] as claim
            from live_span
            group by
                device_id,
                first,
                last,
                surface,
                kind
        ),
        counted as (
            select
                first,
                last,
                surface,
                kind,
                claim[1][1] as platform,
                claim[1][2] as os_version,
                claim[1][3] as claim_rule,
                count(*) as devices
            from held
            where certain = 0
                and not is_still_there
                and claim is not null
            group by
                first,
                last,
                surface,
                kind,
                claim[1][1],
                claim[1][2],
                claim[1][3]
        ),
        -- Where either changes, by the positions of days in $2.
        changed as (
            select
                change.position,
                surface,
                kind,
                platform,
                os_version,
                claim_rule,
                change.sign * devices as counted_devices,
                0 as ledger_devices
            from counted
            cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
            union all
            select
                width_bucket(day, $2::date[]) + change.later,
                surface,
                kind,
                platform,
                os_version,
                claim_rule,
                0,
                change.sign * devices
            from census.kind_day_unsettled
            cross join (values (0, 1), (1, -1)) as change (later, sign)
            where app_number = $1
                and day = any($2::date[])
            union all
            select
                width_bucket(day - 1, $2::date[]) + 1,
                surface,
                kind,
                platform,
                os_version,
                claim_rule,
                0,
                devices
            from census.kind_unsettled_entry
            where app_number = $1
        ),
        level as (
            select
                position,
                surface,
                kind,
                platform,
                os_version,
                claim_rule,
                sum(sum(counted_devices)) over so_far as counted_devices,
                sum(sum(ledger_devices)) over so_far as ledger_devices
            from changed
            group by
                position,
                surface,
                kind,
                platform,
                os_version,
                claim_rule
            window so_far as (
                partition by
                    surface,
                    kind,
                    platform,
                    os_version,
                    claim_rule
                order by position)
        ),
        compared as (
            select
                position,
                concat_ws(' ', surface, kind, platform, os_version, claim_rule) as cell,
                concat_ws(
                    ' ',
                    ledger_devices
                ) as ledger,
                concat_ws(
                    ' ',
                    counted_devices
                ) as counted
            from level
            where position <= cardinality($2::date[])
        ),
        wrong as (
            select
                *,
                row_number() over (partition by position order by cell) as number
            from compared
            where ledger <> counted
        )
        select
            ($2::date[])[position] as day,
            cell,
            ledger,
            counted
        from wrong
        where number <= 5
        order by
            day,
            number
        """#)
    static let `DayLedger.verifyUses` = Statement(
        "DayLedger.verifyUses",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
        -- Counts all closed days of app $1 straight from the spans, and compares use_day with them.
        -- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        counted as (
            select
                device_use.month + done.day_of_month - 1 as day,
                device_use.surface,
                device_use.kind,
                device_use.use,
                count(*) as devices,
                sum(done.events) as events
            from census.device_use
            cross join lateral unnest(device_use.days, device_use.events) as done (day_of_month, events)
            where device_use.app_number = $1
                and device_use.use <> 'heard'
                and device_use.month + done.day_of_month - 1 in (select day from census.closed_day where app_number = $1)
            group by
                device_use.month + done.day_of_month - 1,
                device_use.surface,
                device_use.kind,
                device_use.use
        ),
        ledger as (
            select
                day,
                surface,
                kind,
                use,
                sum(devices) as devices,
                sum(events) as events
            from (
                select
                    day,
                    surface,
                    kind,
                    use,
                    devices,
                    events
                from census.use_day
                where app_number = $1
                union all
                select
                    day,
                    surface,
                    kind,
                    use,
                    devices,
                    events
                from census.use_entry
                where app_number = $1
            ) as entered
            where day in (select day from census.closed_day where app_number = $1)
            group by
                day,
                surface,
                kind,
                use
        ),
        -- The cells of both, with their numbers written out.
        compared as (
            select
                concat_ws(' ', day, surface, kind, use) as cell,
                concat_ws(
                    ' ',
                    ledger.devices,
                    ledger.events
                ) as ledger,
                concat_ws(
                    ' ',
                    counted.devices,
                    counted.events
                ) as counted
            from ledger
            full join counted
                using (day, surface, kind, use)
        )
        select
            cell,
            ledger,
            counted
        from compared
        where ledger <> counted
            -- A cell of zeros on one side may be missing on the other.
            and ledger || counted ~ '[1-9]'
        limit 5
        """#)
    static let `DayLedger.verifyVersions` = Statement(
        "DayLedger.verifyVersions",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
        -- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
        -- version_day.
        -- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
        with
        -- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
        -- the old one.
        zone_day as (
            select
                zone,
                case when zone = $4 then $3::timestamptz[]
                    else array(
                        select (day + 1)::timestamp at time zone zone
                        from unnest($2::date[]) as day
                        order by day) end as ends
            from (
                select distinct zone
                from census.counted_device
                where app_number = $1
            ) as counted_by
        ),
        -- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
        -- positions in $2.
        dated_span as not materialized (
            select
                span.device_id,
                its_days.first,
                its_days.last,
                span.surface,
                span.kind,
                coalesce(span.family, '') as family,
                span.certain,
                span.presumed,
                span.suspect,
                span.either,
                span.reported,
                span.still_there,
                span.claim_platform,
                coalesce(span.claim_os_version, '') as claim_os_version,
                span.claim_rule
            from census.counted_span as span
            join zone_day
                on zone_day.zone = span.zone
            cross join lateral (
                select
                    width_bucket(span.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
            ) as its_days
            where span.app_number = $1
                and its_days.first <= its_days.last
        ),
        -- From one change of a device's spans to the next.
        stretch as (
            select
                device_id,
                position as first,
                lead(position) over (partition by device_id order by position) - 1 as last
            from (
                select distinct
                    dated_span.device_id,
                    change.position
                from dated_span
                cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
            ) as changed
        ),
        -- The spans that are live in each stretch.
        live_span as (
            select
                stretch.device_id,
                stretch.first,
                stretch.last,
                dated_span.surface,
                dated_span.kind,
                dated_span.family,
                dated_span.certain,
                dated_span.presumed,
                dated_span.suspect,
                dated_span.either,
                dated_span.reported,
                dated_span.still_there,
                dated_span.claim_platform,
                dated_span.claim_os_version,
                dated_span.claim_rule
            from stretch
            join dated_span
                on dated_span.device_id = stretch.device_id
                and stretch.first between dated_span.first and dated_span.last
        ),
        -- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
        -- last at whose end its last report still counts: days by their positions in $2.
        live_phase as (
            select
                phase.device_id,
                its_days.first,
                its_days.last,
                phase.app_version,
                coalesce(phase.os_version, '') as os_version,
                phase.platform,
                coalesce(phase.gallery_policy, 0) as gallery_policy,
                case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
                phase.is_cloned
            from census.counted_phase as phase
            join zone_day
                on zone_day.zone = phase.zone
            cross join lateral (
                select
                    width_bucket(phase.from_at, zone_day.ends) + 1 as first,
                    width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
                    width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
            ) as its_days
            where phase.app_number = $1
                and its_days.first <= its_days.last
        ),
        -- What each device holds of each kind in each stretch.
        held as (
            select
                device_id,
                first,
                last,
                surface,
                kind,
                sum(certain) as certain,
                sum(certain + presumed + suspect) as possible,
                sum(reported) as reported,
                sum(suspect) as suspect,
                sum(suspect - still_there) as gone,
                sum(still_there) as still_there,
                bool_or(presumed > 0 or coalesce(still_there, 0) > 0) as is_still_there,
                (array_agg(
                    array[claim_platform, claim_os_version, claim_rule]
                    order by
                        claim_platform collate "C" desc,
                        claim_os_version collate "C" desc,
                        claim_rule collate "C" desc
                ) filter (where suspect > 0 and still_there is null))[1:1] as claim
            from live_span
            group by
                device_id,
                first,
                last,
                surface,
                kind
        ),
        counted as (
            select
                its_days.first,
                its_days.last,
                held.surface,
                held.kind,
                live_phase.app_version,
                live_phase.os_version,
                live_phase.platform,
                count(*) filter (where held.certain > 0) as devices_certain,
                count(*) filter (where held.possible > 0) as devices_possible,
                sum(held.certain) as widgets_certain,
                sum(held.possible) as widgets_possible
            from held
            join live_phase
                on live_phase.device_id = held.device_id
                and live_phase.first <= held.last
                and live_phase.last >= held.first
            cross join lateral (
                select
                    greatest(live_phase.first, held.first) as first,
                    least(live_phase.last, held.last) as last
            ) as its_days
            where held.possible > 0
            group by
                its_days.first,
                its_days.last,
                held.surface,
                held.kind,
                live_phase.app_version,
                live_phase.os_version,
                live_phase.platform
        ),
        -- Where either changes, by the positions of days in $2.
        changed as (
            select
                change.position,
                surface,
                kind,
                app_version,
                os_version,
                platform,
                change.sign * devices_certain as counted_devices_certain,
                change.sign * devices_possible as counted_devices_possible,
                change.sign * widgets_certain as counted_widgets_certain,
                change.sign * widgets_possible as counted_widgets_possible,
                0 as ledger_devices_certain,
                0 as ledger_devices_possible,
                0 as ledger_widgets_certain,
                0 as ledger_widgets_possible
            from counted
            cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
            union all
            select
                width_bucket(day, $2::date[]) + change.later,
                surface,
                kind,
                app_version,
                os_version,
                platform,
                0,
                0,
                0,
                0,
                change.sign * devices_certain,
                change.sign * devices_possible,
                change.sign * widgets_certain,
                change.sign * widgets_possible
            from census.version_day
            cross join (values (0, 1), (1, -1)) as change (later, sign)
            where app_number = $1
                and day = any($2::date[])
            union all
            select
                width_bucket(day - 1, $2::date[]) + 1,
                surface,
                kind,
                app_version,
                os_version,
                platform,
                0,
                0,
                0,
                0,
                devices_certain,
                devices_possible,
                widgets_certain,
                widgets_possible
            from census.version_entry
            where app_number = $1
        ),
        level as (
            select
                position,
                surface,
                kind,
                app_version,
                os_version,
                platform,
                sum(sum(counted_devices_certain)) over so_far as counted_devices_certain,
                sum(sum(counted_devices_possible)) over so_far as counted_devices_possible,
                sum(sum(counted_widgets_certain)) over so_far as counted_widgets_certain,
                sum(sum(counted_widgets_possible)) over so_far as counted_widgets_possible,
                sum(sum(ledger_devices_certain)) over so_far as ledger_devices_certain,
                sum(sum(ledger_devices_possible)) over so_far as ledger_devices_possible,
                sum(sum(ledger_widgets_certain)) over so_far as ledger_widgets_certain,
                sum(sum(ledger_widgets_possible)) over so_far as ledger_widgets_possible
            from changed
            group by
                position,
                surface,
                kind,
                app_version,
                os_version,
                platform
            window so_far as (
                partition by
                    surface,
                    kind,
                    app_version,
                    os_version,
                    platform
                order by position)
        ),
        compared as (
            select
                position,
                concat_ws(' ', surface, kind, app_version, os_version, platform) as cell,
                concat_ws(
                    ' ',
                    ledger_devices_certain,
                    ledger_devices_possible,
                    ledger_widgets_certain,
                    ledger_widgets_possible
                ) as ledger,
                concat_ws(
                    ' ',
                    counted_devices_certain,
                    counted_devices_possible,
                    counted_widgets_certain,
                    counted_widgets_possible
                ) as counted
            from level
            where position <= cardinality($2::date[])
        ),
        wrong as (
            select
                *,
                row_number() over (partition by position order by cell) as number
            from compared
            where ledger <> counted
        )
        select
            ($2::date[])[position] as day,
            cell,
            ledger,
            counted
        from wrong
        where number <= 5
        order by
            day,
            number
        """#)
    static let `DayLedger.wrongReads` = Statement(
        "DayLedger.wrongReads",
        #"""
        -- Made by scripts/generate-sql from sql/ledger/wrongReads.sql and tables.toml: edit those.
        -- The quarters of an hour of app $1 in which the ledger has other reads than the log: what the log has, how many more
        -- that is, and their days as in zone $2.
        with
        -- The reads of app $1 by quarters of an hour where the ledger has others than the log, as far back as all of it is kept
        -- and reads were counted by quarters.
        whole as (
            select
                coalesce(
                    greatest(
                        (select kept_from::timestamp at time zone 'UTC' from census.retention),
                        (
                            select max(quarter_at) + interval '1 day'
                            from census.read_quarter
                            where app_number = $1
                                and is_of_day
                        )),
                    '-infinity') as since
        ),
        counted as (
            select
                date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00') as quarter_at,
                count(*) as reads,
                count(*) filter (where content::text like '{"error"%') as reads_failed
            from census.observation
            where app_number = $1
                and type = 'widgets_reported'
                and channel = 'production'
                and corrected_at >= (select since from whole)
            group by date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00')
        ),
        ledger as (
            select
                quarter_at,
                sum(reads)::bigint as reads,
                sum(reads_failed)::bigint as reads_failed
            from (
                -- The log no longer has the reads of forgotten devices.
                select
                    quarter_at,
                    reads - reads_erased as reads,
                    reads_failed - reads_failed_erased as reads_failed
                from census.read_quarter
                where app_number = $1
                    and not is_of_day
                union all
                select
                    quarter_at,
                    reads - reads_erased,
                    reads_failed - reads_failed_erased
                from census.read_entry
                where app_number = $1
            ) as entered
            where quarter_at >= (select since from whole)
            group by quarter_at
        ),
        wrong as (
            select
                quarter_at,
                ledger.reads as ledger_reads,
                ledger.reads_failed as ledger_reads_failed,
                counted.reads as counted_reads,
                counted.reads_failed as counted_reads_failed
            from ledger
            full join counted
                using (quarter_at)
            where (coalesce(ledger.reads, 0), coalesce(ledger.reads_failed, 0))
                is distinct from (coalesce(counted.reads, 0), coalesce(counted.reads_failed, 0))
        )
        select
            quarter_at,
            (quarter_at at time zone $2)::date as day,
            coalesce(counted_reads, 0) as counted_reads,
            coalesce(counted_reads_failed, 0) as counted_reads_failed,
            (coalesce(counted_reads, 0) - coalesce(ledger_reads, 0))::bigint as reads,
            (coalesce(counted_reads_failed, 0) - coalesce(ledger_reads_failed, 0))::bigint as reads_failed
        from wrong
        """#)
    static let `DecisionStore.base` = Statement(
        "DecisionStore.base",
        #"""
        -- Through day $2, the active devices of app $1: on the last closed day, and how far the share that reports moved within 28
        -- days.
        with counted as (
            select
                closed_day.day,
                coalesce(sum(device_day.devices_active), 0)::bigint as active,
                coalesce(sum(device_day.devices_reporting), 0)::bigint as reporting
            from census.closed_day
            left join census.device_day
                on device_day.app_number = closed_day.app_number
                and device_day.day = closed_day.day
            where closed_day.app_number = $1
                and closed_day.day between $2::date - 28 and $2
            group by closed_day.day
        ),
        shares as (
            select
                max(reporting::double precision / active) as most,
                min(reporting::double precision / active) as least
            from counted
            where active > 0
        )
        select
            coalesce(last.active, 0) as devices_active,
            coalesce(last.reporting, 0) as devices_reporting,
            coalesce((shares.most - shares.least) / nullif(shares.most, 0), 0) as coverage_moved,
            (
                select count(*)
                from census.device
                where device.app_number = $1
                    and device.zone is null
                    -- Silent ones may hold a kind, too.
                    and device.silent_at > now() - interval '366 days'
            ) as devices_uncounted,
            (
                select count(*)
                from census.unknown_device
                where unknown_device.app_number = $1
            ) as devices_unknown,
            (
                select count(distinct pending_device.device_id)
                from census.pending_device
                join census.counted_device
                    on counted_device.device_id = pending_device.device_id
                where pending_device.app_number = $1
                    -- Others wait to be counted anew, though nothing new is known of them.
                    and pending_device.occurred_from < now() + interval '1 day'
                    and coalesce(counted_device.silent_at, 'infinity') > now()
            ) as devices_waiting,
            coalesce((select is_doubted from census.app_night where app_number = $1), false) as is_doubted
        from shares
        left join lateral (
            select
                active,
                reporting
            from counted
            order by day desc
            limit 1
        ) as last
            on true
        """#)
    static let `DecisionStore.days` = Statement(
        "DecisionStore.days",
        #"""
        -- The closed days of app $1 from day $3 through $2, for each of kinds $5 on surfaces $4: what was held when it ended, what came
        -- and went, and how many devices were active.
        with listed as (
            select
                surface,
                kind
            from unnest($4::text[], $5::text[]) as listed (surface, kind)
        ),
        moved as (
            select
                move_day.day,
                move_day.surface,
                move_day.kind,
                sum(devices_added) filter (where cause = 'installed') as installed,
                sum(devices_added) filter (where cause = 'returned') as returned,
                sum(devices_removed) filter (where cause = 'silent') as fell_silent,
                -- Less those that proved to hold it after all.
                coalesce(sum(devices_removed) filter (where cause <> 'silent'), 0)
                    - coalesce(sum(devices_added) filter (where cause not in ('installed', 'returned')), 0) as removed
            from census.move_day
            join listed
                on listed.surface = move_day.surface
                and listed.kind = move_day.kind
            where move_day.app_number = $1
                and move_day.day between $3 and $2
            group by
                move_day.day,
                move_day.surface,
                move_day.kind
        ),
        base as (
            select
                device_day.day,
                sum(device_day.devices_active)::bigint as active
            from census.device_day
            where device_day.app_number = $1
                and device_day.day between $3 and $2
            group by device_day.day
        )
        select
            listed.surface,
            listed.kind,
            closed_day.day,
            coalesce(base.active, 0) as active,
            coalesce(kind_day.devices_certain, 0) as certain,
            coalesce(kind_day.devices_possible, 0) as possible,
            coalesce(kind_day.devices_silent, 0) as silent,
            coalesce(moved.installed, 0)::bigint as installed,
            coalesce(moved.removed, 0)::bigint as removed,
            coalesce(moved.fell_silent, 0)::bigint as fell_silent,
            coalesce(moved.returned, 0)::bigint as returned
        from listed
        join census.closed_day
            on closed_day.app_number = $1
            and closed_day.day between $3 and $2
        left join census.kind_day
            on kind_day.app_number = $1
            and kind_day.day = closed_day.day
            and kind_day.surface = listed.surface
            and kind_day.kind = listed.kind
        left join base
            on base.day = closed_day.day
        left join moved
            on moved.day = closed_day.day
            and moved.surface = listed.surface
            and moved.kind = listed.kind
        order by
            listed.surface,
            listed.kind,
            closed_day.day
        """#)
    static let `DecisionStore.dropFuture` = Statement(
        "DecisionStore.dropFuture",
        #"""
        -- Drops the verdicts of app $1 on days that have not ended in its zone: its previous zone was further east.
        delete from census.readiness
        using census.app
        where app.app_number = $1
            and readiness.app_number = app.app_number
            and readiness.day >= (now() at time zone app.zone)::date
        """#)
    static let `DecisionStore.figures` = Statement(
        "DecisionStore.figures",
        #"""
        -- What is known about each kind of app $1 that is legacy or retired, through day $2.
        with act as (
            select
                surface,
                kind,
                lifecycle,
                acted_at
            from census.kind_state
            where app_number = $1
        ),
        -- Since when it is legacy without a break: the act after the last that made it active.
        marked as (
            select
                kind_act.surface,
                kind_act.kind,
                min(kind_act.acted_at) as marked_at,
                (array_agg(kind_act.replaced_by order by kind_act.act_number desc)
                    filter (where kind_act.replaced_by is not null))[1] as replaced_by
            from census.kind_act
            where app_number = $1
                and act_number > coalesce((
                    select max(earlier.act_number)
                    from census.kind_act as earlier
                    where earlier.app_number = kind_act.app_number
                        and earlier.surface = kind_act.surface
                        and earlier.kind = kind_act.kind
                        and earlier.lifecycle = 'active'), 0)
            group by
                kind_act.surface,
                kind_act.kind
        ),
        silent as (
            -- As of the last reconciled event, like live_now.
            select
                part.surface,
                part.kind,
                sum(part.devices_silent)::bigint as devices
            from (
                select
                    surface,
                    kind,
                    devices_silent
                from census.kind_day
                where app_number = $1
                    and day = (select max(day) from census.closed_day where closed_day.app_number = $1)
                union all
                select
                    kind_entry.surface,
                    kind_entry.kind,
                    kind_entry.devices_silent
                from census.kind_entry
                join census.app
                    on app.app_number = kind_entry.app_number
                where kind_entry.app_number = $1
                    and kind_entry.day <= (now() at time zone app.zone)::date
            ) as part
            group by
                part.surface,
                part.kind
        )
        select
            act.surface,
            act.kind,
            act.lifecycle,
            (marked.marked_at at time zone app.zone)::date as marked_on,
            (act.acted_at at time zone app.zone)::date as acted_on,
            marked.replaced_by,
            (
                -- Because devices that ran them held it, or by the manifest of a version that devices have run.
                select count(*)
                from (
                    select version_day.app_version
                    from census.closed_day
                    join census.version_day
                        on version_day.app_number = closed_day.app_number
                        and version_day.day = closed_day.day
                        and version_day.surface = act.surface
                        and version_day.kind = marked.replaced_by
                    where closed_day.app_number = $1
                        and closed_day.day <= $2
                        and version_day.devices_possible > 0
                    union
                    select manifest_kind.app_version
                    from census.manifest_kind
                    where manifest_kind.app_number = $1
                        and manifest_kind.surface = act.surface
                        and manifest_kind.kind = marked.replaced_by
                        and exists (
                            select 1
                            from census.device_day
                            where device_day.app_number = manifest_kind.app_number
                                and device_day.app_version = manifest_kind.app_version
                                and device_day.devices_active > 0)
                ) as shipped
            ) as replacement_versions,
            coalesce(live_now.devices_certain, 0) as devices_certain,
            coalesce(live_now.devices_possible, 0) as devices_possible,
            coalesce(live_now.devices_expected, 0)::double precision as devices_expected,
            coalesce(silent.devices, 0) as devices_silent,
            array(
                select loss_watch.to_version
                from census.loss_watch
                where loss_watch.app_number = $1
                    and loss_watch.surface = act.surface
                    and loss_watch.kind = act.kind
                    and loss_watch.state = 'open'
                order by loss_watch.to_version) as open_losses
        from census.app
        join act
            on act.lifecycle <> 'active'
        join marked
            on marked.surface = act.surface
            and marked.kind = act.kind
        left join report.live_now
            on live_now.app_id = app.app_id
            and live_now.surface = act.surface
            and live_now.kind = act.kind
        left join silent
            on silent.surface = act.surface
            and silent.kind = act.kind
        where app.app_number = $1
        order by
            act.surface,
            act.kind
        """#)
    static let `DecisionStore.holders` = Statement(
        "DecisionStore.holders",
        #"""
        -- Who held kind $3 on surface $2 of app $1 when its last closed day ended: by what they ran, the most common first.
        select
            day,
            app_version,
            os_version,
            platform,
            devices_certain,
            devices_possible
        from census.version_day
        where app_number = $1
            and day = (select max(day) from census.closed_day where closed_day.app_number = $1)
            and surface = $2
            and kind = $3
        order by
            devices_possible desc,
            app_version,
            os_version,
            platform
        """#)
    static let `DecisionStore.lastEnded` = Statement(
        "DecisionStore.lastEnded",
        #"""
        -- The last day that has ended in the zone of app $1, and the newest that is closed.
        select
            (now() at time zone zone)::date - 1 as last_ended,
            (
                select max(day)
                from census.closed_day
                where closed_day.app_number = app.app_number
            ) as last_closed
        from census.app
        where app_number = $1
        """#)
    static let `DecisionStore.pools` = Statement(
        "DecisionStore.pools",
        #"""
        -- For each of kinds $3 on surfaces $2 of app $1: how many silent devices may hold it, by the day on which they stop counting;
        -- and, in a row without a day, how many active ones also hold the kind $4 that replaces it, where there is one.
        with listed as (
            select
                surface,
                kind,
                replaced_by
            from unnest($2::text[], $3::text[], $4::text[]) as listed (surface, kind, replaced_by)
        ),
        -- Spans are drawn ahead: one that time will end has its end already.
        lasting as not materialized (
            select
                device_id,
                surface,
                kind,
                certain
            from census.span
            where app_number = $1
                and from_at <= now()
                and coalesce(to_at, 'infinity') > now()
                and certain + presumed + suspect > 0
        ),
        held as not materialized (
            select
                lasting.device_id,
                lasting.surface,
                lasting.kind,
                listed.replaced_by,
                device.silent_at,
                device.zone
            from listed
            join lasting
                on lasting.surface = listed.surface
                and lasting.kind = listed.kind
            join census.device
                on device.device_id = lasting.device_id
        )
        select
            surface,
            kind,
            (silent_at at time zone zone)::date + 365 as expires_on,
            count(distinct device_id) as devices
        from held
        where silent_at <= now()
            -- Others have been silent for more than a year.
            and silent_at > now() - interval '366 days'
        group by
            surface,
            kind,
            expires_on
        union all
        select
            surface,
            kind,
            null,
            count(distinct device_id)
        from held
        where silent_at > now()
            and replaced_by is not null
            and exists (
                select 1
                from lasting as other
                where other.device_id = held.device_id
                    and other.surface = held.surface
                    and other.kind = held.replaced_by
                    and other.certain > 0)
        group by
            surface,
            kind
        """#)
    static let `DecisionStore.save` = Statement(
        "DecisionStore.save",
        #"""
        -- Saves verdicts, given as $1: an array of objects with the names of the table's columns.
        insert into census.readiness (
            app_number, day, surface, kind, lifecycle, devices_certain, devices_possible, devices_expected, devices_silent,
            devices_active, devices_reporting, devices_with_replacement, limit_devices, half_life_days, half_life_low,
            half_life_high, ready_on, ready_on_earliest, ready_on_latest, forecast, verdict, reason, figures)
        select
            app_number, day, surface, kind, lifecycle, devices_certain, devices_possible, devices_expected, devices_silent,
            devices_active, devices_reporting, devices_with_replacement, limit_devices, half_life_days, half_life_low,
            half_life_high, ready_on, ready_on_earliest, ready_on_latest, forecast, verdict, reason, figures
        from json_populate_recordset(null::census.readiness, $1::json)
        on conflict (app_number, surface, kind, day) do update set
            decided_at = now(),
            lifecycle = excluded.lifecycle,
            devices_certain = excluded.devices_certain,
            devices_possible = excluded.devices_possible,
            devices_expected = excluded.devices_expected,
            devices_silent = excluded.devices_silent,
            devices_active = excluded.devices_active,
            devices_reporting = excluded.devices_reporting,
            devices_with_replacement = excluded.devices_with_replacement,
            limit_devices = excluded.limit_devices,
            half_life_days = excluded.half_life_days,
            half_life_low = excluded.half_life_low,
            half_life_high = excluded.half_life_high,
            ready_on = excluded.ready_on,
            ready_on_earliest = excluded.ready_on_earliest,
            ready_on_latest = excluded.ready_on_latest,
            forecast = excluded.forecast,
            verdict = excluded.verdict,
            reason = excluded.reason,
            figures = excluded.figures
        """#)
    static let `DecisionStore.systems` = Statement(
        "DecisionStore.systems",
        #"""
        -- The active devices of app $1 by what they run, which decides what surfaces they can have: on the last closed day through $2; and now,
        -- with those that sent the list of each surface lately. Of two phones with one id nobody knows which list is whose.
        with last_day as (
            select max(day) as day
            from census.closed_day
            where app_number = $1
                and day between $2::date - 28 and $2
        ),
        counted as (
            select
                platform,
                os_version,
                sum(devices_active)::bigint as devices_active,
                sum(devices_reporting)::bigint as devices_reporting
            from census.device_day
            where app_number = $1
                and day = (select day from last_day)
            group by
                platform,
                os_version
        ),
        listing as (
            select
                platform,
                coalesce(os_version, '') as os_version,
                count(*) as devices_active_now,
                count(*) filter (where not is_cloned and coalesce(widgets_until, before_until) > now())
                    as devices_listing_widgets,
                count(*) filter (where not is_cloned and coalesce(controls_until, before_until) > now())
                    as devices_listing_controls,
                count(*) filter (where not is_cloned and coalesce(activities_until, before_until) > now())
                    as devices_listing_activities
            from census.device
            cross join lateral (
                -- An installation that has listed nothing yet goes by the one before.
                select case when last_report_at is null then reporting_until end as before_until
            ) as installation
            where device.app_number = $1
                and device.silent_at > now()
            group by
                platform,
                coalesce(os_version, '')
        )
        select
            platform,
            os_version,
            devices_active,
            devices_reporting,
            0::bigint as devices_active_now,
            0::bigint as devices_listing_widgets,
            0::bigint as devices_listing_controls,
            0::bigint as devices_listing_activities
        from counted
        union all
        select
            platform,
            os_version,
            0,
            0,
            devices_active_now,
            devices_listing_widgets,
            devices_listing_controls,
            devices_listing_activities
        from listing
        """#)
    static let `Deployment.begin` = Statement(
        "Deployment.begin",
        #"""
        -- The first caller sets the fingerprint; every caller gets the one that holds. A caller at the same moment waits here and
        -- gets what stands then: `do nothing` would return no row.
        insert into census.deployment as held (secret_fingerprint)
        values ($1)
        on conflict (is_single) do update set
            secret_fingerprint = held.secret_fingerprint
        returning secret_fingerprint
        """#)
    static let `Deployment.fingerprint` = Statement(
        "Deployment.fingerprint",
        #"""
        -- The fingerprint of the secret that this database was begun with.
        select secret_fingerprint
        from census.deployment
        """#)
    static let `Deployment.isDistributed` = Statement(
        "Deployment.isDistributed",
        #"""
        -- Whether the tables of devices are distributed over the workers of a Citus cluster, which then watches over their truncation.
        -- Its own catalogs can't be named here: elsewhere there are none.
        select exists (
            select 1
            from pg_trigger
            join pg_proc
                on pg_proc.oid = pg_trigger.tgfoid
            where pg_trigger.tgrelid = to_regclass('census.device')
                and pg_proc.proname = 'citus_truncate_trigger') as is_distributed
        """#)
    static let `Deployment.knowsCollations` = Statement(
        "Deployment.knowsCollations",
        #"""
        -- Whether this server keeps the version of each database's collation, as PostgreSQL 15 and newer do.
        select
            current_database()::text as database_name,
            current_setting('server_version_num')::integer >= 150000 as knows_collations
        """#)
    static let `Deployment.staleCollations` = Statement(
        "Deployment.staleCollations",
        #"""
        -- Collations that sort otherwise than when they were last looked at: another version of the operating system or of ICU came.
        -- First the database's own, which has no name of its own; then those of indexes. Only from PostgreSQL 15 on.
        with indexed as materialized (
            select distinct unnest(indcollation::oid[]) as collation_oid
            from pg_index
        )
        select
            null::text as name,
            datcollate::text as locale,
            datcollversion as then_version,
            pg_database_collation_actual_version(oid) as now_version
        from pg_database
        where datname = current_database()
            and datcollversion <> pg_database_collation_actual_version(oid)
        union all
        select
            oid::regcollation::text,
            collname::text,
            collversion,
            pg_collation_actual_version(oid)
        from pg_collation
        where oid in (select collation_oid from indexed)
            and collprovider <> 'd'
            and collversion <> pg_collation_actual_version(oid)
        order by name nulls first
        """#)
    static let `Deployment.unsafeSettings` = Statement(
        "Deployment.unsafeSettings",
        #"""
        -- Settings of the server itself with which a crash may lose what was committed.
        select name
        from pg_settings
        where name in ('fsync', 'full_page_writes')
            and setting = 'off'
        order by name
        """#)
    static let `Deployment.writable` = Statement(
        "Deployment.writable",
        #"""
        -- What keeps events from being stored: a standby, a read-only server, rights that this role lacks.
        --
        -- Returns one row, from the catalogue alone: health probes ask every few seconds.
        select
            pg_is_in_recovery() as is_standby,
            current_setting('transaction_read_only')::boolean as is_read_only,
            (
                select coalesce(array_agg(needed.right_name || ' on ' || needed.table_name order by needed.table_name, needed.right_name), '{}')
                from (
                    values
                        ('census.observation', 'insert'),
                        ('census.observation', 'select'),
                        ('census.pending_device', 'insert'),
                        ('census.read_entry', 'insert'),
                        ('census.refused', 'insert'),
                        ('census.warned', 'insert'),
                        ('census.warned', 'select'),
                        ('census.warned', 'update'),
                        ('census.known_name', 'insert'),
                        ('census.known_name', 'select'),
                        ('census.forgotten', 'select'),
                        ('census.app', 'select'),
                        ('census.api_key', 'select')) as needed (table_name, right_name)
                where not coalesce(has_table_privilege(to_regclass(needed.table_name), needed.right_name), false)
            ) || case when has_database_privilege(current_database(), 'temporary') then '{}'::text[] else array['temporary on the database'] end as missing_rights
        """#)
    static let `DeviceStore.app` = Statement(
        "DeviceStore.app",
        #"""
        -- The app of device $1, or no row if nothing is stored about it.
        select app_number
        from (
            select app_number
            from census.device
            where device_id = $1
            union all
            select app_number
            from census.pending_device
            where device_id = $1
            union all
            select app_number
            from census.observation
            where device_id = $1
            union all
            select app_number
            from census.refused
            where device_id = $1
        ) as stored
        limit 1
        """#)
    static let `DeviceStore.begin` = Statement(
        "DeviceStore.begin",
        #"""
        -- For a step, which reads a few rows of several hundred devices by their keys.
        --
        -- Otherwise PostgreSQL plans each query again for the ids at hand, over every partition: a fifth of the step. It also reads
        -- the whole queue for the next devices. One plan is kept instead, which must not be a plan for empty tables, nor be compiled.
        -- Sorting what devices send on a busy day takes more than 4 MB.
        -- Citus chooses shards by the values at hand, and refuses to plan without them.
        select set_config(
            'plan_cache_mode',
            case when to_regclass('pg_catalog.pg_dist_partition') is null then 'force_generic_plan' else 'auto' end,
            true);
        set local enable_seqscan = off;
        set local jit = off;
        set local work_mem = '32MB';
        """#)
    static let `DeviceStore.claim` = Statement(
        "DeviceStore.claim",
        #"""
        -- Takes the entries of devices that are locked by now; they are gone once the work is committed. Where another reconciler
        -- held the lock before, nothing is left to take.
        delete from census.pending_device
        where device_id = any($1::uuid[])
        returning
            app_number,
            device_id,
            earliest_at,
            occurred_from
        """#)
    static let `DeviceStore.cohorts` = Statement(
        "DeviceStore.cohorts",
        #"""
        -- When devices $1 placed each kind for the first time, and when the first list of each surface arrived (kind '').
        select
            device_id,
            surface,
            kind,
            held_from,
            week
        from census.device_cohort
        where device_id = any($1::uuid[])
        """#)
    static let `DeviceStore.countSetAside` = Statement(
        "DeviceStore.countSetAside",
        #"""
        -- How many devices are set aside as implausible, and how many for other reasons.
        select
            count(*) filter (where not is_implausible) as devices,
            count(*) filter (where is_implausible) as implausible
        from census.set_aside
        """#)
    static let `DeviceStore.deleteCohorts` = Statement(
        "DeviceStore.deleteCohorts",
        #"""
        -- Deletes when devices $1 placed a kind, each by its surface $2 and kind $3.
        delete from census.device_cohort
        using unnest($1::uuid[], $2::text[], $3::text[]) as gone (device_id, surface, kind)
        where device_cohort.device_id = gone.device_id
            and device_cohort.surface = gone.surface
            and device_cohort.kind = gone.kind
        """#)
    static let `DeviceStore.deletePhases` = Statement(
        "DeviceStore.deletePhases",
        #"""
        -- Deletes the phases that their devices' new readings no longer hold.
        delete from census.phase
        using unnest($1::uuid[], $2::timestamptz[]) as gone (device_id, from_at)
        where phase.device_id = gone.device_id
            and phase.from_at = gone.from_at
        """#)
    static let `DeviceStore.deleteSpans` = Statement(
        "DeviceStore.deleteSpans",
        #"""
        -- Deletes the spans that their devices' new readings no longer hold.
        delete from census.span
        using unnest($1::uuid[], $2::integer[]) as gone (device_id, ordinal)
        where span.device_id = gone.device_id
            and span.ordinal = gone.ordinal
        """#)
    static let `DeviceStore.deleteUses` = Statement(
        "DeviceStore.deleteUses",
        #"""
        -- Deletes what devices $1 did in months $2, each by its use $3, surface $4 and kind $5.
        delete from census.device_use
        using unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::text[]) as gone (device_id, month, use, surface, kind)
        where device_use.device_id = gone.device_id
            and device_use.month = gone.month
            and device_use.use = gone.use
            and device_use.surface = gone.surface
            and device_use.kind = gone.kind
        """#)
    static let `DeviceStore.devices` = Statement(
        "DeviceStore.devices",
        #"""
        -- What is stored about some devices; where the first observations are no longer kept, also the state they led to. A device
        -- without that state may lack its past.
        with stored as (
            select
                device_id,
                silent_at,
                reporting_until,
                due_at,
                zone,
                legacy_kinds,
                folded_through,
                last_ordinal,
                checkpoint,
                first_heard_at
            from census.device
            where device_id = any($1::uuid[])
        ),
        base as (
            select
                device_id,
                folded_through,
                state
            from census.device_base
            where device_id = any($1::uuid[])
        ),
        implausible as (
            select device_id
            from census.set_aside
            where device_id = any($1::uuid[])
                and is_implausible
        )
        select
            listed.device_id,
            stored.silent_at,
            stored.reporting_until,
            stored.due_at,
            stored.zone,
            stored.legacy_kinds,
            stored.folded_through,
            stored.last_ordinal,
            stored.checkpoint,
            base.folded_through as base_through,
            base.state as base_state,
            base.device_id is null
                and stored.folded_through is not null
                and stored.first_heard_at < (
                    select kept_from::timestamp at time zone 'UTC'
                    from census.retention) as may_lack_past,
            implausible.device_id is not null as is_implausible
        from unnest($1::uuid[]) as listed (device_id)
        left join stored
            on stored.device_id = listed.device_id
        left join base
            on base.device_id = listed.device_id
        left join implausible
            on implausible.device_id = listed.device_id
        """#)
    static let `DeviceStore.due` = Statement(
        "DeviceStore.due",
        #"""
        -- At most $2 devices whose counts time alone changed by $1, and none after states of $3 bytes; by id.
        select
            device_id
        from (
            select
                device_id,
                octet_length(checkpoint) as bytes,
                sum(octet_length(checkpoint)) over (
                    order by due_at, device_id
                    rows between unbounded preceding and current row
                ) as bytes_through
            from (
                select
                    device_id,
                    due_at,
                    checkpoint
                from census.device
                where due_at <= $1
                order by due_at, device_id
                limit $2
            ) as next
        ) as due
        where coalesce(bytes_through, 0) - coalesce(bytes, 0) < $3
        order by device_id
        """#)
    static let `DeviceStore.dueDevices` = Statement(
        "DeviceStore.dueDevices",
        #"""
        -- What is stored about those of devices $1 that are still due by $2.
        select
            device_id,
            app_number,
            silent_at,
            reporting_until,
            due_at,
            zone,
            legacy_kinds
        from census.device
        where device_id = any($1::uuid[])
            and due_at <= $2
        """#)
    static let `DeviceStore.growUses` = Statement(
        "DeviceStore.growUses",
        #"""
        -- Adds a day $6 with $7 events to what devices $1 did in months $2, each by its use $3, surface $4 and kind $5; where it is the last
        -- day already, $7 is that day's total. No index is written.
        update census.device_use set
            days = case when days[cardinality(days)] = grown.day then days
                else days || grown.day end,
            events = case when days[cardinality(days)] = grown.day then device_use.events[:cardinality(days) - 1]
                else device_use.events end || grown.events
        from unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::bigint[]) as grown (
            device_id, month, use, surface, kind, day, events)
        where device_use.device_id = grown.device_id
            and device_use.month = grown.month
            and device_use.use = grown.use
            and device_use.surface = grown.surface
            and device_use.kind = grown.kind
        """#)
    static let `DeviceStore.insertCohorts` = CopyStatement(
        "DeviceStore.insertCohorts",
        columns: [
            "device_id",
            "app_number",
            "surface",
            "kind",
            "held_from",
            "week",
        ],
        #"""
        -- Adds when devices placed a kind for the first time.
        copy census.device_cohort (
            device_id, app_number, surface, kind, held_from, week
        ) from stdin (format binary)
        """#)
    static let `DeviceStore.insertPhases` = CopyStatement(
        "DeviceStore.insertPhases",
        columns: [
            "device_id",
            "from_at",
            "app_number",
            "to_at",
            "platform",
            "os_version",
            "app_version",
            "gallery_policy",
            "is_reporting",
            "is_cloned",
        ],
        #"""
        -- Adds the phases that their devices' new readings found.
        copy census.phase (
            device_id, from_at, app_number, to_at, platform, os_version, app_version, gallery_policy, is_reporting, is_cloned
        ) from stdin (format binary)
        """#)
    static let `DeviceStore.insertSpans` = CopyStatement(
        "DeviceStore.insertSpans",
        columns: [
            "device_id",
            "ordinal",
            "app_number",
            "surface",
            "kind",
            "family",
            "intent",
            "configuration",
            "instance",
            "from_at",
            "to_at",
            "certain",
            "suspect",
            "reported",
            "still_there",
            "claim_platform",
            "claim_os_version",
            "began_cause",
            "began_rule",
            "ended_cause",
            "ended_rule",
            "presumed",
            "claim_rule",
            "either",
            "settled",
            "returned",
        ],
        #"""
        -- Adds the spans that their devices' new readings found.
        copy census.span (
            device_id, ordinal, app_number, surface, kind, family, intent, configuration, instance, from_at, to_at, certain,
            suspect, reported, still_there, claim_platform, claim_os_version, began_cause, began_rule, ended_cause, ended_rule,
            presumed, claim_rule, either, settled, returned
        ) from stdin (format binary)
        """#)
    static let `DeviceStore.insertUses` = CopyStatement(
        "DeviceStore.insertUses",
        columns: [
            "device_id",
            "app_number",
            "month",
            "use",
            "surface",
            "kind",
            "days",
            "events",
        ],
        #"""
        -- Adds what devices did in some months.
        copy census.device_use (
            device_id, app_number, month, use, surface, kind, days, events
        ) from stdin (format binary)
        """#)
    static let `DeviceStore.lackingPast` = Statement(
        "DeviceStore.lackingPast",
        #"""
        -- Those of devices $1 whose first observation is no longer kept. Where no base holds it either, they lack their past; a device
        -- that holds a forgotten one's past was never folded.
        select device_id
        from census.device
        where device_id = any($1::uuid[])
            and not exists (
                select 1
                from census.observation
                where observation.device_id = device.device_id
                    and observation.corrected_at <= device.first_heard_at)
        """#)
    static let `DeviceStore.leaveOut` = Statement(
        "DeviceStore.leaveOut",
        #"""
        -- Stops counting devices $1, which have a stored row that can't be read, until it can be.
        update census.device set
            zone = null,
            due_at = null
        where device_id = any($1::uuid[])
        """#)
    static let `DeviceStore.lock` = Statement(
        "DeviceStore.lock",
        #"""
        -- One reconciler at a time for each device. The devices are sorted, so that two reconcilers cannot wait for each other;
        -- `materialized` and the order of the array keep PostgreSQL from locking in another order.
        with wanted as materialized (
            select
                device_id,
                position
            from unnest($1::uuid[]) with ordinality as listed (device_id, position)
            order by position
        )
        select count(pg_advisory_xact_lock(hashtextextended(device_id::text, 7)))
        from wanted
        """#)
    static let `DeviceStore.newest` = Statement(
        "DeviceStore.newest",
        #"""
        -- What device $1 was folded to, and what waits to be folded. No table of observations: phones wait for this.
        select
            device.checkpoint,
            device.folded_through,
            waiting.earliest_at,
            waiting.occurred_from,
            waiting.is_from_start,
            exists (
                select 1
                from census.set_aside
                where set_aside.device_id = $1
                    and is_implausible) as is_implausible
        from (
            select
                min(earliest_at) as earliest_at,
                min(occurred_from) as occurred_from,
                coalesce(bool_or(earliest_at is null), false) as is_from_start
            from census.pending_device
            where device_id = $1
        ) as waiting
        left join census.device
            on device.device_id = $1
        """#)
    static let `DeviceStore.next` = Statement(
        "DeviceStore.next",
        #"""
        -- The next devices of the queue after $1 and through $3, by id: a sweep meets each device once, however often it is queued. A
        -- device behind an open transaction is not visible yet; a later sweep meets it, since no position is remembered.
        select distinct device_id
        from census.pending_device
        where device_id > $1
            and device_id <= $3
        order by device_id
        limit $2
        """#)
    static let `DeviceStore.observations` = Statement(
        "DeviceStore.observations",
        #"""
        -- The next observations in fold order, device by device: what devices $1 sent for times as sent since $2 and before $11, and
        -- corrected times after $3 and before $12, at most $4 rows, and none after $5 bytes of texts. Starts after the place of device
        -- $6, corrected time $7, report or not $8, id $9 and time as sent $10.
        with next as (
            select
                device_id,
                event_id collate "C" as event_id,
                occurred_at,
                corrected_at,
                installation_id,
                type,
                type = 'widgets_reported' as is_report,
                surface,
                platform,
                os_version,
                app_version,
                channel,
                booted_at,
                first_launched_at,
                content,
                os_build,
                gallery_policy,
                rebooted
            from census.observation
            where device_id = any($1::uuid[])
                and occurred_at >= $2
                and occurred_at < $11
                and corrected_at > $3
                and corrected_at < $12
                and (device_id, corrected_at, type = 'widgets_reported', event_id collate "C", occurred_at)
                    > ($6, $7, $8, $9 collate "C", $10)
            order by device_id, corrected_at, type = 'widgets_reported', event_id collate "C", occurred_at
            limit $4
        ),
        spelled as (
            select
                next.*,
                content::text as said
            from next
        ),
        weighed as (
            select
                *,
                octet_length(said) + octet_length(event_id) + octet_length(app_version) + octet_length(channel)
                    + coalesce(octet_length(os_version), 0) + coalesce(octet_length(os_build), 0) as bytes
            from spelled
        ),
        summed as (
            select
                *,
                sum(bytes) over (
                    order by device_id, corrected_at, is_report, event_id, occurred_at
                    rows between unbounded preceding and current row
                ) as bytes_through
            from weighed
        )
        select
            device_id,
            event_id,
            occurred_at,
            corrected_at,
            installation_id,
            type,
            surface,
            platform,
            os_version,
            app_version,
            channel,
            booted_at,
            first_launched_at,
            said,
            os_build,
            gallery_policy,
            rebooted,
            bytes_through
        from summed
        where bytes_through - bytes < $5
        order by device_id, corrected_at, is_report, event_id, occurred_at
        """#)
    static let `DeviceStore.pending` = Statement(
        "DeviceStore.pending",
        #"""
        -- How many entries the reconciler's queue has, counted up to $1: a figure for monitoring, which must stay cheap when the
        -- queue is long.
        select count(*) as pending
        from (
            select 1
            from census.pending_device
            limit $1
        ) as counted
        """#)
    static let `DeviceStore.phases` = Statement(
        "DeviceStore.phases",
        #"""
        -- The stored phases of devices $1 that end at or after $2, by time; all of a device's where $2 is null.
        select
            device_id,
            from_at,
            to_at,
            platform,
            os_version,
            app_version,
            gallery_policy,
            is_reporting,
            is_cloned
        from unnest($1::uuid[], $2::timestamptz[]) as wanted (device_id, ending_from)
        join census.phase using (device_id)
        where wanted.ending_from is null
            or phase.to_at is null
            or phase.to_at >= wanted.ending_from
        order by
            device_id,
            from_at
        """#)
    static let `DeviceStore.putBack` = Statement(
        "DeviceStore.putBack",
        #"""
        -- Queues devices $2 of apps $1 again, unchanged: they would have been too much for one step.
        insert into census.pending_device (app_number, device_id, earliest_at, occurred_from)
        select
            app_number,
            device_id,
            earliest_at,
            occurred_from
        from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as put_back (
            app_number, device_id, earliest_at, occurred_from)
        """#)
    static let `DeviceStore.queueAll` = Statement(
        "DeviceStore.queueAll",
        #"""
        -- Queues every device to be folded again from its base: the rules have changed.
        insert into census.pending_device (app_number, device_id)
        select
            app_number,
            device_id
        from census.device
        """#)
    static let `DeviceStore.queueOutdated` = Statement(
        "DeviceStore.queueOutdated",
        #"""
        -- Queues the devices last folded under rules older than $2, or before states began with $1: a program that was still running
        -- may have folded them after they were queued for the new rules. The offsets are those of StateHeader.
        with queued as (
            insert into census.pending_device (app_number, device_id)
            select
                app_number,
                device_id
            from census.device
            where (substring(checkpoint from 1 for 4) <> $1 or substring(checkpoint from 7 for 2) < $2)
                and not exists (
                    select 1
                    from census.pending_device
                    where pending_device.device_id = device.device_id
                        and earliest_at is null)
            returning device_id
        )
        select count(*) as devices
        from queued
        """#)
    static let `DeviceStore.queued` = Statement(
        "DeviceStore.queued",
        #"""
        -- How many devices wait to be reconciled. Reads the whole queue: for the start of a night, not for a gauge.
        select count(*) as devices
        from (
            select device_id
            from census.pending_device
            group by device_id
        ) as queued
        """#)
    static let `DeviceStore.reconciled` = Statement(
        "DeviceStore.reconciled",
        #"""
        -- Remembers how far an app is reconciled.
        insert into census.reconciled (app_number, as_of)
        values ($1, $2)
        on conflict (app_number) do update set
            as_of = greatest(reconciled.as_of, excluded.as_of)
        where reconciled.as_of < excluded.as_of
        """#)
    static let `DeviceStore.retrySetAside` = Statement(
        "DeviceStore.retrySetAside",
        #"""
        -- Queues every device that was set aside, to be folded from its first observation; implausible ones are not retried.
        with queued as (
            insert into census.pending_device (app_number, device_id)
            select
                app_number,
                device_id
            from census.set_aside
            where not is_implausible
            returning device_id
        )
        select count(*) as devices
        from queued
        """#)
    static let `DeviceStore.saveDevices` = Statement(
        "DeviceStore.saveDevices",
        #"""
        -- Saves each device as of its last reconciled observation.
        insert into census.device (
            device_id, app_number, installation_id, is_settled, is_cloned, platform, os_version, app_version, first_heard_at,
            last_heard_at, last_report_at, silent_at, reporting_until, due_at, zone, checkpoint, folded_through, last_ordinal,
            legacy_kinds, widgets_until, controls_until, activities_until)
        select
            device_id, app_number, installation_id, is_settled, is_cloned, platform, os_version, app_version, first_heard_at,
            last_heard_at, last_report_at, silent_at, reporting_until, due_at, zone, checkpoint, folded_through, last_ordinal,
            legacy_kinds, widgets_until, controls_until, activities_until
        from unnest(
            $1::uuid[], $2::integer[], $3::uuid[], $4::boolean[], $5::boolean[], $6::text[], $7::text[], $8::text[],
            $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[],
            $14::timestamptz[], $15::text[], $16::bytea[], $17::timestamptz[], $18::integer[], $19::integer[],
            $20::timestamptz[], $21::timestamptz[], $22::timestamptz[]
        ) as reconciled (
            device_id, app_number, installation_id, is_settled, is_cloned, platform, os_version, app_version, first_heard_at,
            last_heard_at, last_report_at, silent_at, reporting_until, due_at, zone, checkpoint, folded_through, last_ordinal,
            legacy_kinds, widgets_until, controls_until, activities_until)
        on conflict (device_id) do update set
            installation_id = excluded.installation_id,
            is_settled = excluded.is_settled,
            is_cloned = excluded.is_cloned,
            platform = excluded.platform,
            os_version = excluded.os_version,
            app_version = excluded.app_version,
            first_heard_at = excluded.first_heard_at,
            last_heard_at = excluded.last_heard_at,
            last_report_at = excluded.last_report_at,
            silent_at = excluded.silent_at,
            reporting_until = excluded.reporting_until,
            due_at = excluded.due_at,
            zone = excluded.zone,
            checkpoint = excluded.checkpoint,
            folded_through = excluded.folded_through,
            last_ordinal = excluded.last_ordinal,
            legacy_kinds = excluded.legacy_kinds,
            widgets_until = excluded.widgets_until,
            controls_until = excluded.controls_until,
            activities_until = excluded.activities_until
        """#)
    static let `DeviceStore.saveDue` = Statement(
        "DeviceStore.saveDue",
        #"""
        -- Saves when time alone next changes what devices $1 count for.
        update census.device set
            due_at = drawn.due_at
        from unnest($1::uuid[], $2::timestamptz[]) as drawn (device_id, due_at)
        where device.device_id = drawn.device_id
        """#)
    static let `DeviceStore.saveHeartbeats` = Statement(
        "DeviceStore.saveHeartbeats",
        #"""
        -- Saves when devices that reported nothing new were last heard from. No indexed column changes in most of them, so that their rows' new
        -- versions stay on their pages and no index is written.
        update census.device set
            last_heard_at = heard.last_heard_at,
            last_report_at = heard.last_report_at,
            silent_at = heard.silent_at,
            reporting_until = heard.reporting_until,
            due_at = heard.due_at,
            checkpoint = heard.checkpoint,
            folded_through = heard.folded_through,
            widgets_until = heard.widgets_until,
            controls_until = heard.controls_until,
            activities_until = heard.activities_until
        from unnest(
            $1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::bytea[],
            $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $11::timestamptz[]
        ) as heard (
            device_id, last_heard_at, last_report_at, silent_at, reporting_until, due_at, checkpoint, folded_through, widgets_until,
            controls_until, activities_until)
        where device.device_id = heard.device_id
        """#)
    static let `DeviceStore.saveRecounted` = Statement(
        "DeviceStore.saveRecounted",
        #"""
        -- Saves how devices $1 are now entered: by the days of zones $2, and with overlaps of $3 legacy kinds.
        update census.device set
            zone = entered.zone,
            legacy_kinds = entered.legacy_kinds
        from unnest($1::uuid[], $2::text[], $3::integer[]) as entered (device_id, zone, legacy_kinds)
        where device.device_id = entered.device_id
        """#)
    static let `DeviceStore.setAside` = Statement(
        "DeviceStore.setAside",
        #"""
        -- Records why devices could not be reconciled and deletes their checkpoints, so a retry folds them from their first observation.
        with forgotten as (
            update census.device set
                checkpoint = null
            where device_id = any($1::uuid[])
        )
        insert into census.set_aside (device_id, app_number, reason, is_implausible)
        select
            device_id,
            app_number,
            reason,
            is_implausible
        from unnest($1::uuid[], $2::integer[], $3::text[], $4::boolean[]) as failed (
            device_id, app_number, reason, is_implausible)
        on conflict (device_id) do update set
            set_aside_at = excluded.set_aside_at,
            reason = excluded.reason,
            is_implausible = excluded.is_implausible
        """#)
    static let `DeviceStore.spans` = Statement(
        "DeviceStore.spans",
        #"""
        -- The stored spans of devices $1 that end at or after $2; all of a device's where $2 is null.
        select
            device_id,
            ordinal,
            surface,
            kind,
            family,
            intent,
            configuration,
            instance,
            from_at,
            to_at,
            certain,
            suspect,
            reported,
            still_there,
            claim_platform,
            claim_os_version,
            began_cause,
            began_rule,
            ended_cause,
            ended_rule,
            presumed,
            claim_rule,
            either,
            settled,
            returned
        from unnest($1::uuid[], $2::timestamptz[]) as wanted (device_id, ending_from)
        join census.span using (device_id)
        where wanted.ending_from is null
            or span.to_at is null
            or span.to_at >= wanted.ending_from
        """#)
    static let `DeviceStore.takeBack` = Statement(
        "DeviceStore.takeBack",
        #"""
        -- Deletes the reasons why devices could not be reconciled, now that they are.
        delete from census.set_aside
        where device_id = any($1::uuid[])
        """#)
    static let `DeviceStore.uses` = Statement(
        "DeviceStore.uses",
        #"""
        -- What devices $1 did from month $2 on; all of a device's months where $2 is null.
        select
            device_id,
            month,
            use,
            surface,
            kind,
            days,
            events
        from unnest($1::uuid[], $2::date[]) as wanted (device_id, from_month)
        join census.device_use using (device_id)
        where wanted.from_month is null
            or device_use.month >= wanted.from_month
        """#)
    static let `Distribution.isAvailable` = Statement(
        "Distribution.isAvailable",
        #"""
        -- Whether this database could have Citus.
        select exists (
            select 1
            from pg_available_extensions
            where name = 'citus') as is_available
        """#)
    static let `Distribution.isThere` = Statement(
        "Distribution.isThere",
        #"""
        -- Whether this database has Citus.
        select exists (
            select 1
            from pg_extension
            where extname = 'citus') as is_there
        """#)
    static let `Distribution.readers` = Statement(
        "Distribution.readers",
        #"""
        -- Has the reports that look at tables on the workers read them by a function with its owner's rights: on the workers Citus asks for the
        -- rights of the role that reads, and analysts have none there. Views that were made since are the ones that do without. All of it
        -- stays on this node: a worker whose extension is younger than our schemas has no schema `report`.
        do $$
        declare
            path constant text := current_setting('search_path');
            view record;
        begin
            perform set_config('citus.enable_ddl_propagation', 'off', true);
            -- Definitions then name every schema.
            perform set_config('search_path', 'pg_catalog', true);
            for view in
                select
                    report.relname as name,
                    'report_' || report.relname as reader,
                    pg_get_viewdef(report.oid) as query,
                    string_agg(
                        format('%I %s', attname, format_type(atttypid, atttypmod)), ', '
                        order by attnum) as columns,
                    -- A function's columns have their types' collations.
                    string_agg(
                        case
                            when attcollation = typcollation then quote_ident(attname)
                            else format('%1$I collate %2$s as %1$I', attname, attcollation::regcollation)
                        end, ', '
                        order by attnum) as names
                from pg_class as report
                join pg_attribute
                    on pg_attribute.attrelid = report.oid
                    and attnum > 0
                join pg_type
                    on pg_type.oid = pg_attribute.atttypid
                where report.relnamespace = 'report'::regnamespace
                    and report.relkind = 'v'
                    and exists (
                        select 1
                        from pg_rewrite
                        join pg_depend
                            on pg_depend.classid = 'pg_rewrite'::regclass
                            and pg_depend.objid = pg_rewrite.oid
                        where pg_rewrite.ev_class = report.oid
                            and pg_depend.refclassid = 'pg_class'::regclass
                            and obj_description(pg_depend.refobjid, 'pg_class') like 'Device%')
                group by
                    report.oid,
                    report.relname
            loop
                execute format('drop function if exists census.%I()', view.reader);
                execute format(
                    'create function census.%I() returns table (%s) language sql stable security definer set search_path = pg_catalog as %L',
                    view.reader, view.columns, view.query);
                execute format(
                    'create or replace view report.%I as select %s from census.%I()', view.name, view.names, view.reader);
            end loop;
            perform set_config('search_path', path, true);
            perform set_config('citus.enable_ddl_propagation', 'on', true);
        end $$;
        """#)
    static let `Distribution.tables` = Statement(
        "Distribution.tables",
        #"""
        -- The tables of device data, and what they take on this node; first the one beside which the others are placed.
        select
            pg_class.relname as name,
            exists (
                select 1
                from pg_trigger
                join pg_proc
                    on pg_proc.oid = pg_trigger.tgfoid
                where pg_trigger.tgrelid = pg_class.oid
                    and pg_proc.proname = 'citus_truncate_trigger') as is_distributed
        from pg_class
        where pg_class.relnamespace = 'census'::regnamespace
            and pg_class.relkind in ('r', 'p')
            and not pg_class.relispartition
            and obj_description(pg_class.oid, 'pg_class') like 'Device%'
        order by
            pg_class.relname <> 'device',
            pg_class.relname
        """#)
    static let `Forgetting.among` = Statement(
        "Forgetting.among",
        #"""
        -- Which of the devices $1 were forgotten.
        select asked.device_id
        from unnest($1::uuid[]) as asked (device_id)
        where exists (
            select 1
            from census.forgotten
            where forgotten.device_hash = sha256(uuid_send(asked.device_id)))
        """#)
    static let `Forgetting.begin` = Statement(
        "Forgetting.begin",
        #"""
        -- Remembers that device $1 of app $2 was forgotten at $3: whatever begins after the commit stores nothing about it. The
        -- device_id stays only until everything about the device is deleted.
        insert into census.forgotten (device_hash, app_number, forgotten_at, erasing_device_id)
        values (sha256(uuid_send($1)), $2, $3, $1)
        on conflict (device_hash) do update set
            forgotten_at = excluded.forgotten_at,
            erasing_device_id = excluded.erasing_device_id
        """#)
    static let `Forgetting.deleteBase` = Statement(
        "Forgetting.deleteBase",
        #"""
        -- Deletes the state from events of device $1 that are no longer kept.
        delete from census.device_base
        where device_id = $1
        """#)
    static let `Forgetting.deleteCohorts` = Statement(
        "Forgetting.deleteCohorts",
        #"""
        -- Deletes when device $1 placed kinds.
        delete from census.device_cohort
        where device_id = $1
        """#)
    static let `Forgetting.deleteDevice` = Statement(
        "Forgetting.deleteDevice",
        #"""
        -- Deletes device $1 itself.
        delete from census.device
        where device_id = $1
        """#)
    static let `Forgetting.deleteObservations` = Statement(
        "Forgetting.deleteObservations",
        #"""
        -- Deletes the events of device $1, in all partitions, and notes how many counted reads the log no longer has. Returns how
        -- many events there were.
        with deleted as (
            delete from census.observation
            where device_id = $1
            returning
                app_number,
                corrected_at,
                type = 'widgets_reported' and channel = 'production' as is_read,
                content::text like '{"error"%' as is_failed
        ),
        erased as (
            insert into census.read_entry (
                app_number, quarter_at, reads, reads_failed, reads_erased, reads_failed_erased)
            select
                app_number,
                date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00'),
                0,
                0,
                count(*),
                count(*) filter (where is_failed)
            from deleted
            where is_read
            group by
                app_number,
                date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00')
        )
        select count(*) as events
        from deleted
        """#)
    static let `Forgetting.deletePending` = Statement(
        "Forgetting.deletePending",
        #"""
        -- Takes device $1 from the queue.
        delete from census.pending_device
        where device_id = $1
        """#)
    static let `Forgetting.deletePhases` = Statement(
        "Forgetting.deletePhases",
        #"""
        -- Deletes everything that device $1 ever ran.
        delete from census.phase
        where device_id = $1
        """#)
    static let `Forgetting.deleteRefused` = Statement(
        "Forgetting.deleteRefused",
        #"""
        -- Deletes the refused events of device $1. Returns how many there were.
        with deleted as (
            delete from census.refused
            where device_id = $1
            returning digest
        )
        select count(*) as events
        from deleted
        """#)
    static let `Forgetting.deleteSetAside` = Statement(
        "Forgetting.deleteSetAside",
        #"""
        -- Deletes the reason why device $1 could not be reconciled.
        delete from census.set_aside
        where device_id = $1
        """#)
    static let `Forgetting.deleteSpans` = Statement(
        "Forgetting.deleteSpans",
        #"""
        -- Deletes everything that device $1 ever held.
        delete from census.span
        where device_id = $1
        """#)
    static let `Forgetting.deleteUses` = Statement(
        "Forgetting.deleteUses",
        #"""
        -- Deletes everything that device $1 ever did.
        delete from census.device_use
        where device_id = $1
        """#)
    static let `Forgetting.deleteWarned` = Statement(
        "Forgetting.deleteWarned",
        #"""
        -- Deletes the warnings about device $1.
        delete from census.warned
        where device_id = $1
        """#)
    static let `Forgetting.device` = Statement(
        "Forgetting.device",
        #"""
        -- How device $1, which is locked, is counted.
        select
            app_number,
            silent_at,
            reporting_until,
            due_at,
            zone,
            legacy_kinds,
            platform,
            is_cloned
        from census.device
        where device_id = $1
        """#)
    static let `Forgetting.end` = Statement(
        "Forgetting.end",
        #"""
        -- Everything about device $1 is deleted: only the hash is left.
        update census.forgotten set
            erasing_device_id = null
        where device_hash = sha256(uuid_send($1))
        """#)
    static let `Forgetting.holdPartitions` = Statement(
        "Forgetting.holdPartitions",
        #"""
        -- No partition is made or dropped until the transaction ends: rows move between partitions then, and a statement planned
        -- before would look for them in the old one.
        lock table census.partitions_lock in row share mode
        """#)
    static let `Forgetting.leave` = Statement(
        "Forgetting.leave",
        #"""
        -- A device without identity that holds the past of a forgotten one: nothing was or will be heard from it.
        insert into census.device (
            device_id, app_number, installation_id, is_settled, is_cloned, platform, app_version, first_heard_at, last_heard_at,
            silent_at, zone, last_ordinal, legacy_kinds)
        values ($1, $2, $3, false, $4, $5, '', $6, $6, $7, $8, $9, $10)
        """#)
    static let `Forgetting.unfinished` = Statement(
        "Forgetting.unfinished",
        #"""
        -- Devices about which something may still be stored: an erasure was killed or gave up.
        select
            forgotten.erasing_device_id,
            forgotten.forgotten_at,
            app.app_id
        from census.forgotten
        join census.app
            on app.app_number = forgotten.app_number
        where forgotten.erasing_device_id is not null
        order by forgotten.forgotten_at
        """#)
    static let `Forgetting.writers` = Statement(
        "Forgetting.writers",
        #"""
        -- Those of the transactions $1, or of all where $1 is null, that may be writing events at this moment.
        --
        -- A statement locks its tables before it takes the snapshot that shows which devices are forgotten, and keeps the locks until
        -- its transaction ends. So a transaction that is not listed now will see every device forgotten by now. Comparing transaction
        -- ids would not do: a statement has its snapshot before its transaction has an id.
        select distinct virtualtransaction
        from pg_locks
        where locktype = 'relation'
            and database = (
                select oid
                from pg_database
                where datname = current_database())
            and relation in ('census.observation'::regclass, 'census.refused'::regclass, 'census.warned'::regclass)
            and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
            and granted
            and ($1::text[] is null or virtualtransaction = any($1::text[]))
        """#)
    static let `InstalledBase.asOf` = Statement(
        "InstalledBase.asOf",
        #"""
        -- As of when app $1 is counted, how many devices were heard of that are not counted, and how many that are have sent more since.
        select
            (
                select as_of
                from census.reconciled
                where reconciled.app_number = $1
            ) as as_of,
            (
                select count(*)
                from census.unknown_device
                where unknown_device.app_number = $1
            ) as devices_unknown,
            (
                select count(distinct pending_device.device_id)
                from census.pending_device
                join census.counted_device
                    on counted_device.device_id = pending_device.device_id
                where pending_device.app_number = $1
                    -- Others wait to be counted anew, though nothing new is known of them.
                    and pending_device.occurred_from < now() + interval '1 day'
                    and coalesce(counted_device.silent_at, 'infinity') > now()
            ) as devices_waiting
        """#)
    static let `InstalledBase.cells` = Statement(
        "InstalledBase.cells",
        #"""
        -- What devices of app $1 may hold that were heard from within a year, each combination once. What time alone will change is
        -- drawn ahead: a span that lasts now may have its end in the future.
        select distinct
            span.surface,
            span.kind,
            span.family,
            span.intent,
            device.platform,
            device.app_version
        from census.span
        join census.device
            on device.device_id = span.device_id
        where span.app_number = $1
            and span.from_at <= now()
            and (span.to_at is null or span.to_at > now())
            and span.certain + span.presumed + span.suspect + span.either > 0
            and device.last_heard_at > now() - interval '1 year'
        """#)
    static let `InstalledBase.losses` = Statement(
        "InstalledBase.losses",
        #"""
        -- How many devices of app $1 the changes $2 hit, by the changes that hit a device; then the widgets of each change.
        --
        -- $2 is a JSON array: a cell, the position of the change that takes it, and whether that is certain, or certain of one of several
        -- changes.
        with lost as (
            select
                change,
                is_certain,
                is_one_of,
                surface,
                kind,
                family,
                intent,
                platform,
                app_version
            from jsonb_to_recordset($2::jsonb) as lost (
                change integer, is_certain boolean, is_one_of boolean, surface text, kind text, family text, intent text, platform text,
                app_version text)
        ),
        hit as materialized (
            select
                span.device_id,
                device.app_version,
                device.silent_at <= now() as is_silent,
                lost.change,
                bool_or(lost.is_certain and span.certain > 0 and device.silent_at > now()) as is_certain,
                bool_or(lost.is_one_of and span.certain > 0 and device.silent_at > now()) as is_one_of,
                sum(case when lost.is_certain and device.silent_at > now() then span.certain else 0 end) as widgets_certain,
                sum(span.certain + span.presumed + span.suspect) as widgets_possible
            from lost
            join census.span
                on span.app_number = $1
                and span.surface = lost.surface
                and span.kind = lost.kind
                and span.from_at <= now()
                and (span.to_at is null or span.to_at > now())
                and span.family is not distinct from lost.family
                and span.intent is not distinct from lost.intent
                and span.certain + span.presumed + span.suspect + span.either > 0
            join census.device
                on device.device_id = span.device_id
                and device.platform = lost.platform
                and device.app_version = lost.app_version
                and device.last_heard_at > now() - interval '1 year'
            group by
                span.device_id,
                device.app_version,
                device.silent_at <= now(),
                lost.change
        ),
        device as (
            select
                app_version,
                is_silent,
                array_agg(change order by change) as changes,
                coalesce(array_agg(change order by change) filter (where is_certain), array[]::integer[]) as certain_changes,
                coalesce(array_agg(change order by change) filter (where is_one_of), array[]::integer[]) as alternatives
            from hit
            group by
                device_id,
                app_version,
                is_silent
        )
        select
            changes,
            certain_changes,
            alternatives,
            app_version,
            is_silent,
            count(*) as devices,
            0::bigint as widgets_certain,
            0::bigint as widgets_possible
        from device
        group by
            changes,
            certain_changes,
            alternatives,
            app_version,
            is_silent
        union all
        select
            array[change],
            array[]::integer[],
            array[]::integer[],
            app_version,
            is_silent,
            0,
            sum(widgets_certain)::bigint,
            sum(widgets_possible)::bigint
        from hit
        group by
            change,
            app_version,
            is_silent
        """#)
    static let `InstalledBase.versions` = Statement(
        "InstalledBase.versions",
        #"""
        -- The devices of app $1 heard from within a year, by version of the app, active ones and silent ones. Of an app with widgets only
        -- a list of widgets counts as a report, and none of two phones with one id.
        select
            device.app_version,
            count(*) filter (where device.silent_at > now()) as active,
            count(*) filter (
                where device.silent_at > now()
                    and not device.is_cloned
                    and case
                        when app.has_widgets and device.last_report_at is not null then device.widgets_until
                        else device.reporting_until
                    end > now()) as reporting,
            count(*) filter (where device.silent_at <= now()) as silent
        from census.device
        cross join (
            select exists (
                select 1
                from census.kind_day
                where app_number = $1
                    and surface = 'widget') as has_widgets
        ) as app
        where device.app_number = $1
            and device.last_heard_at > now() - interval '1 year'
        group by device.app_version
        order by device.app_version collate "C"
        """#)
    static let `KeyRegistry.add` = Statement(
        "KeyRegistry.add",
        #"""
        insert into census.api_key (key_hash, app_number, role, channel)
        select
            $1,
            app_number,
            $3,
            $4
        from census.app
        where app_id = $2
        returning app_number
        """#)
    static let `KeyRegistry.all` = Statement(
        "KeyRegistry.all",
        #"""
        -- Every key, even revoked ones: the door answers differently to a key that was once valid.
        select
            api_key.key_hash,
            api_key.role,
            api_key.channel,
            api_key.revoked_at is not null as is_revoked,
            app.app_number,
            app.app_id,
            app.maximum_kinds,
            app.maximum_families
        from census.api_key
        join census.app
            on app.app_number = api_key.app_number
        """#)
    static let `KeyRegistry.listed` = Statement(
        "KeyRegistry.listed",
        #"""
        -- The keys of app $1, or of all where it is null, each under the first digits of its hash: valid ones and newer ones first.
        select
            app.app_id,
            api_key.role,
            api_key.channel,
            substr(encode(api_key.key_hash, 'hex'), 1, 12) as name,
            api_key.created_at,
            api_key.revoked_at
        from census.api_key
        join census.app
            on app.app_number = api_key.app_number
        where $1::text is null
            or app.app_id = $1
        order by
            app.app_id,
            api_key.revoked_at is not null,
            api_key.created_at desc,
            name
        """#)
    static let `KeyRegistry.revoke` = Statement(
        "KeyRegistry.revoke",
        #"""
        update census.api_key set
            revoked_at = now()
        where key_hash = $1
            and revoked_at is null
        returning app_number
        """#)
    static let `KeyRegistry.revokeNamed` = Statement(
        "KeyRegistry.revokeNamed",
        #"""
        -- Revokes the valid key of app $1 whose hash begins with the digits $2.
        update census.api_key set revoked_at = now()
        from census.app
        where app.app_number = api_key.app_number
            and app.app_id = $1
            and substr(encode(api_key.key_hash, 'hex'), 1, 12) = $2
            and api_key.revoked_at is null
        returning api_key.role
        """#)
    static let `KindRegistry.acts` = Statement(
        "KindRegistry.acts",
        #"""
        -- Every decision on kind $3 on surface $2 of app $1, oldest first; times in the app's zone.
        select
            kind_act.act_number,
            (kind_act.acted_at at time zone app.zone)::date as acted_on,
            kind_act.lifecycle,
            kind_act.actor,
            kind_act.reason,
            kind_act.replaced_by,
            kind_act.devices_certain,
            kind_act.devices_possible,
            kind_act.figures ->> 'verdict' as verdict
        from census.kind_act
        join census.app
            on app.app_number = kind_act.app_number
        where kind_act.app_number = $1
            and kind_act.surface = $2
            and kind_act.kind = $3
        order by kind_act.act_number
        """#)
    static let `KindRegistry.all` = Statement(
        "KindRegistry.all",
        #"""
        -- Every kind that app $1 has used: a row for each surface where it is held or was decided on, or one without a surface.
        with act as (
            select
                surface,
                kind,
                lifecycle
            from census.kind_state
            where app_number = $1
        ),
        held as (
            select
                live_now.surface,
                live_now.kind,
                live_now.devices_certain,
                live_now.devices_possible
            from report.live_now
            join census.app
                on app.app_id = live_now.app_id
            where app.app_number = $1
                and live_now.devices_possible > 0
        ),
        listed as (
            select
                surface,
                kind,
                coalesce(act.lifecycle, 'active') as lifecycle,
                coalesce(held.devices_certain, 0) as devices_certain,
                coalesce(held.devices_possible, 0) as devices_possible
            from held
            full join act
                using (surface, kind)
        )
        select
            coalesce(listed.kind, known_name.name) as kind,
            coalesce(listed.lifecycle, 'active') as lifecycle,
            listed.surface,
            coalesce(listed.devices_certain, 0) as devices_certain,
            coalesce(listed.devices_possible, 0) as devices_possible
        from listed
        full join (
            select name
            from census.known_name
            where app_number = $1
                and dimension = 'kind'
        ) as known_name
            on known_name.name = listed.kind
        order by
            kind,
            listed.surface
        """#)
    static let `KindRegistry.everLegacy` = Statement(
        "KindRegistry.everLegacy",
        #"""
        -- Every kind that was ever marked legacy, by app, in the order in which they first were.
        select
            app_number,
            surface,
            kind
        from census.kind_act
        where lifecycle <> 'active'
        group by
            app_number,
            surface,
            kind
        order by
            app_number,
            min(act_number)
        """#)
    static let `KindRegistry.isKnown` = Statement(
        "KindRegistry.isKnown",
        #"""
        -- Whether a device of app $1 has named the kind $2, or, where that counts ($3), a manifest has.
        select
            exists (
                select 1
                from census.known_name
                where app_number = $1
                    and dimension = 'kind'
                    and name = $2)
            or ($3 and exists (
                select 1
                from census.manifest_kind
                where app_number = $1
                    and kind = $2))
        """#)
    static let `KindRegistry.keepFigures` = Statement(
        "KindRegistry.keepFigures",
        #"""
        -- Stores the figures $2, objects of census.readiness, with the acts $1 that were based on them.
        update census.kind_act set
            figures = judged.figures::json
        from unnest($1::bigint[], $2::text[]) as judged (act_number, figures)
        where kind_act.act_number = judged.act_number
        """#)
    static let `KindRegistry.kinds` = Statement(
        "KindRegistry.kinds",
        #"""
        -- Every kind of app $1, by the last decision on surface $2.
        with known as (
            select name as kind
            from census.known_name
            where app_number = $1
                and dimension = 'kind'
        ),
        decided as (
            select
                kind,
                lifecycle
            from census.kind_state
            where app_number = $1
                and surface = $2
        )
        select
            coalesce(decided.kind, known.kind) as kind,
            coalesce(decided.lifecycle, 'active') as lifecycle
        from known
        full join decided
            on decided.kind = known.kind
        order by kind
        """#)
    static let `KindRegistry.lock` = Statement(
        "KindRegistry.lock",
        #"""
        -- One decision at a time: the same one made twice at once would be recorded twice.
        lock table census.kinds_lock in exclusive mode
        """#)
    static let `KindRegistry.mark` = Statement(
        "KindRegistry.mark",
        #"""
        -- Records an act for each surface where the app was ever seen to hold the kind, with the numbers it was based on; nothing
        -- changes where the same was decided before.
        with held as (
            select surface
            from census.kind_day
            where app_number = $1
                and kind = $2
            union
            -- Surfaces that no night has counted yet.
            select surface
            from census.span
            where app_number = $1
                and surface = any($5::text[])
                and kind = $2
                and coalesce(to_at, 'infinity') > now()
        ),
        current as (
            select
                surface,
                lifecycle,
                replaced_by
            from census.kind_state
            where app_number = $1
                and kind = $2
        ),
        decided as (
            select surface
            from held
            union
            select 'widget'
            where not exists (select 1 from held)
            union
            -- Taking a decision back takes it back on every surface that has one.
            select surface
            from current
            where $3 = 'active'
        ),
        act as materialized (
            select
                app.app_number,
                decided.surface,
                $2::text as kind,
                $3::text as lifecycle,
                $4::text as actor,
                coalesce(live_now.devices_certain, 0) as devices_certain,
                coalesce(live_now.devices_possible, 0) as devices_possible,
                $6::text as reason,
                $7::text as replaced_by
            from census.app
            cross join decided
            left join current
                on current.surface = decided.surface
            left join report.live_now
                on live_now.app_id = app.app_id
                and live_now.surface = decided.surface
                and live_now.kind = $2
            where app.app_number = $1
                -- Naming another replacement is a decision, too.
                and (
                    coalesce(current.lifecycle, 'active') <> $3
                    or ($7::text is not null and current.replaced_by is distinct from $7)
                )
                -- On a surface where it was never marked, nothing has judged it.
                and ($3 <> 'retired' or current.lifecycle = 'legacy')
        )
        insert into census.kind_act (
            app_number, surface, kind, lifecycle, actor, devices_certain, devices_possible, reason, replaced_by)
        select
            app_number,
            surface,
            kind,
            lifecycle,
            actor,
            devices_certain,
            devices_possible,
            reason,
            replaced_by
        from act
        order by surface
        returning
            surface,
            act_number,
            devices_certain,
            devices_possible
        """#)
    static let `KindRegistry.recountOverlaps` = Statement(
        "KindRegistry.recountOverlaps",
        #"""
        -- Queues the devices of app $1 that ever held kind $2 on those of surfaces $3 where it was marked legacy for the first time just
        -- now: their overlaps with other kinds are counted from now on. Nothing has to be folded again, and no partition read.
        insert into census.pending_device (app_number, device_id, earliest_at, occurred_from)
        select distinct
            span.app_number,
            span.device_id,
            now(),
            timestamptz '9999-12-31 00:00:00Z'
        from census.span
        where span.app_number = $1
            and span.kind = $2
            and span.surface = any($3::text[])
            and span.surface in (
                select surface
                from census.kind_act
                where app_number = $1
                    and kind = $2
                    and lifecycle <> 'active'
                group by surface
                having count(*) = 1)
        """#)
    static let `KindRegistry.stamp` = Statement(
        "KindRegistry.stamp",
        #"""
        -- What app $1's gallery depends on besides the devices: as long as it is the same, so are the kinds and the decisions.
        select
            app.window_days,
            app.zone,
            app.doubted_builds,
            coalesce(latest.act_number, 0) as version,
            -- After an older backup was restored, another act may get a number that was given before.
            latest.acted_at,
            (
                select count(*)
                from census.known_name
                where app_number = $1
                    and dimension = 'kind') as known_kinds
        from census.app
        left join lateral (
            select
                act_number,
                acted_at
            from census.kind_act
            where app_number = $1
            order by act_number desc
            limit 1
        ) as latest
            on true
        where app_number = $1
        """#)
    static let `LossStore.accepted` = Statement(
        "LossStore.accepted",
        #"""
        -- How many devices may lose kind $3 on surface $2 of app $1 by an update that began on day $4, because a person accepted that
        -- beforehand: the last acknowledgement of each finding of preflight, where it still held then, and the holders that were left when
        -- the kind was retired (any version, so null).
        select
            newest.app_version,
            newest.maximum_loss
        from (
            select distinct on (fingerprint)
                app_version,
                maximum_loss,
                until_day,
                surface,
                kind
            from census.acknowledgement
            where app_number = $1
            order by
                fingerprint,
                acknowledgement_number desc
        ) as newest
        where newest.surface = $2
            and newest.kind = $3
            and newest.app_version is not null
            and newest.until_day >= $4
        union all
        select
            null,
            -- By the verdict on which it was retired, which has the silent holders, too.
            coalesce(
                (act.figures ->> 'devices_possible')::bigint + (act.figures ->> 'devices_silent')::bigint, act.devices_possible)
        from census.kind_state as act
        where act.app_number = $1
            and act.surface = $2
            and act.kind = $3
            and act.lifecycle = 'retired'
        """#)
    static let `LossStore.act` = Statement(
        "LossStore.act",
        #"""
        -- Records that the incident of kind $3 on surface $2 of app $1 with updates to version $4 became $5, by $6, because of $7.
        insert into census.loss_act (app_number, surface, kind, to_version, state, actor, reason, figures)
        select
            app_number,
            surface,
            kind,
            to_version,
            $5,
            $6,
            $7,
            to_json(loss_watch)
        from census.loss_watch
        where app_number = $1
            and surface = $2
            and kind = $3
            and to_version = $4
        """#)
    static let `LossStore.acts` = Statement(
        "LossStore.acts",
        #"""
        -- What was done about the incident of kind $3 on surface $2 of app $1 with updates to version $4, the first act first.
        select
            loss_act.state,
            loss_act.actor,
            loss_act.reason,
            (loss_act.acted_at at time zone app.zone)::date as day
        from census.loss_act
        join census.app
            on app.app_number = loss_act.app_number
        where loss_act.app_number = $1
            and loss_act.surface = $2
            and loss_act.kind = $3
            and loss_act.to_version = $4
        order by loss_act.act_number
        """#)
    static let `LossStore.countOpen` = Statement(
        "LossStore.countOpen",
        #"""
        select count(*)
        from census.loss_watch
        where state = 'open'
        """#)
    static let `LossStore.days` = Statement(
        "LossStore.days",
        #"""
        -- Updates of app $1 to version $4 by devices that held kind $3 on surface $2, in the order in which nights took them, each
        -- beside the pairs of the same night, day, kind and stratum without an update.
        select
            updated.taken_at,
            updated.day,
            updated.is_other_os,
            updated.gap,
            updated.from_version,
            updated.pairs,
            updated.lost,
            updated.exposed_seconds,
            coalesce(ordinary.pairs, 0)::bigint as others,
            coalesce(ordinary.lost, 0)::bigint as others_lost,
            coalesce(ordinary.exposed_seconds, 0)::bigint as others_seconds
        from census.pair_night as updated
        left join (
            select
                taken_at,
                day,
                is_other_os,
                gap,
                sum(pairs) as pairs,
                sum(lost) as lost,
                sum(exposed_seconds) as exposed_seconds
            from census.pair_night
            where app_number = $1
                and surface = $2
                and kind = $3
                and from_version = to_version
                and day >= $5::date
                and day <= $5::date + $6::integer
            group by
                taken_at,
                day,
                is_other_os,
                gap
        ) as ordinary
            on ordinary.taken_at = updated.taken_at
            and ordinary.day = updated.day
            and ordinary.is_other_os = updated.is_other_os
            and ordinary.gap = updated.gap
        where updated.app_number = $1
            and updated.surface = $2
            and updated.kind = $3
            and updated.to_version = $4
            and updated.from_version <> updated.to_version
            and updated.day >= $5::date
            and updated.day <= $5::date + $6::integer
        order by
            updated.taken_at,
            updated.day,
            updated.from_version
        """#)
    static let `LossStore.due` = Statement(
        "LossStore.due",
        #"""
        -- Watches of app $1 to judge again: of versions that appeared less than $3 days before $2, with updates taken this night, and
        -- all that opened and are not closed, or of which losses were accepted: that may have been taken back.
        select
            loss_watch.surface,
            loss_watch.kind,
            loss_watch.to_version,
            loss_watch.chance,
            loss_watch.tolerance,
            loss_watch.bound,
            loss_watch.long_bound,
            loss_watch.state,
            loss_watch.opened_on,
            loss_version.first_day
        from census.loss_watch
        join census.loss_version
            on loss_version.app_number = loss_watch.app_number
            and loss_version.to_version = loss_watch.to_version
        where loss_watch.app_number = $1
            and loss_version.first_day > $2::date - $3::integer
            and (
                loss_watch.state in ('open', 'acknowledged')
                or loss_watch.excused > 0
                or exists (
                    select 1
                    from census.pair_night
                    where pair_night.app_number = $1
                        and pair_night.surface = loss_watch.surface
                        and pair_night.kind = loss_watch.kind
                        and pair_night.to_version = loss_watch.to_version
                        and pair_night.from_version <> pair_night.to_version
                        and pair_night.taken_at = now()))
        order by
            loss_version.first_day,
            loss_watch.to_version,
            loss_watch.surface,
            loss_watch.kind
        """#)
    static let `LossStore.enter` = CopyStatement(
        "LossStore.enter",
        columns: [
            "app_number",
            "day",
            "surface",
            "kind",
            "from_version",
            "to_version",
            "is_other_os",
            "gap",
            "os_release",
            "gained",
            "pairs",
            "lost",
            "exposed_seconds",
        ],
        #"""
        -- Adds pairs of reports.
        copy census.pair_entry (
            app_number, day, surface, kind, from_version, to_version, is_other_os, gap, os_release, gained, pairs, lost,
            exposed_seconds
        ) from stdin (format binary)
        """#)
    static let `LossStore.excused` = Statement(
        "LossStore.excused",
        #"""
        -- Losses of kind $3 on surface $2 of app $1 by updates to other versions than $4 that were accepted beforehand.
        select
            to_version,
            excused
        from census.loss_watch
        where app_number = $1
            and surface = $2
            and kind = $3
            and to_version <> $4
            and excused > 0
        """#)
    static let `LossStore.healthyUpdates` = Statement(
        "LossStore.healthyUpdates",
        #"""
        -- What updates of app $1 cost that opened no incident, beside what was lost without them in the same nights.
        select
            coalesce(sum(lost), 0)::bigint as lost,
            coalesce(sum(exposed_seconds), 0)::bigint as exposed_seconds,
            coalesce(sum(others_lost), 0)::bigint as others_lost,
            coalesce(sum(others_seconds), 0)::bigint as others_seconds
        from census.loss_watch
        where app_number = $1
            and not exists (
                select 1
                from census.loss_watch as opened
                where opened.app_number = $1
                    and opened.to_version = loss_watch.to_version
                    and opened.opened_on is not null)
        """#)
    static let `LossStore.holders` = Statement(
        "LossStore.holders",
        #"""
        -- The kinds of app $1 that at least $3 devices held for certain when the last closed day before $2 ended, or else the first one
        -- on which any was held.
        select
            surface,
            kind
        from census.kind_day
        where app_number = $1
            and day = coalesce(
                (
                    select max(before.day)
                    from census.kind_day as before
                    where before.app_number = $1
                        and before.day < $2),
                (
                    select min(after.day)
                    from census.kind_day as after
                    where after.app_number = $1
                        and after.day >= $2))
            and devices_certain >= $3
        order by
            surface,
            kind
        """#)
    static let `LossStore.holdersByVersion` = Statement(
        "LossStore.holdersByVersion",
        #"""
        -- Devices that held a watched kind of app $1 for certain when the last closed day ended, by surface, kind and version.
        select
            surface,
            kind,
            app_version,
            sum(devices_certain)::bigint as devices
        from census.version_day
        where app_number = $1
            and (surface, kind) in (
                select
                    loss_watch.surface,
                    loss_watch.kind
                from census.loss_watch
                where loss_watch.app_number = $1)
            and day = (
                select max(closed_day.day)
                from census.closed_day
                where closed_day.app_number = $1)
        group by
            surface,
            kind,
            app_version
        """#)
    static let `LossStore.incidents` = Statement(
        "LossStore.incidents",
        #"""
        -- The watches of app $1 in one of the states $2, the newest incident first.
        select
            loss_watch.surface,
            loss_watch.kind,
            loss_watch.to_version,
            loss_watch.chance,
            loss_watch.upgraders,
            loss_watch.lost,
            loss_watch.excused,
            loss_watch.exposed_seconds,
            loss_watch.others,
            loss_watch.others_lost,
            loss_watch.others_seconds,
            loss_watch.evidence,
            loss_watch.smallest_seen,
            loss_watch.devices_at_risk,
            loss_watch.state,
            loss_watch.opened_on,
            loss_watch.judged_on,
            loss_watch.late,
            loss_watch.unmatched,
            loss_watch.unmatched_with_os,
            detail.details,
            detail.detail_values,
            detail.detail_upgraders,
            detail.detail_lost,
            origin.from_versions,
            origin.from_versions_lost
        from census.loss_watch
        cross join lateral (
            select
                coalesce(array_agg(from_version), '{}') as from_versions,
                coalesce(array_agg(lost), '{}') as from_versions_lost
            from census.loss_origin
            where loss_origin.app_number = loss_watch.app_number
                and loss_origin.surface = loss_watch.surface
                and loss_origin.kind = loss_watch.kind
                and loss_origin.to_version = loss_watch.to_version
                and loss_origin.lost > 0
        ) as origin
        cross join lateral (
            select
                coalesce(array_agg(part.detail), '{}') as details,
                coalesce(array_agg(part.value), '{}') as detail_values,
                coalesce(array_agg(part.upgraders), '{}') as detail_upgraders,
                coalesce(array_agg(part.lost), '{}') as detail_lost
            from (
                select
                    loss_detail.detail,
                    loss_detail.value,
                    loss_detail.upgraders,
                    loss_detail.lost
                from census.loss_detail
                where loss_detail.app_number = loss_watch.app_number
                    and loss_detail.surface = loss_watch.surface
                    and loss_detail.kind = loss_watch.kind
                    and loss_detail.to_version = loss_watch.to_version
                order by
                    loss_detail.lost desc,
                    loss_detail.upgraders desc,
                    loss_detail.value
                limit 100
            ) as part
        ) as detail
        where app_number = $1
            and state = any($2::text[])
            and judged_on is not null
        order by
            opened_on desc nulls last,
            to_version,
            surface,
            kind
        """#)
    static let `LossStore.lateKinds` = Statement(
        "LossStore.lateKinds",
        #"""
        -- Kinds of app $1 with updates taken this night to a watched version that they are not watched for, though at least $3 devices
        -- held them for certain when the last closed day through $2 ended; with how many came late before them.
        select
            late.surface,
            late.kind,
            loss_version.to_version,
            loss_version.first_day,
            loss_version.place,
            loss_version.kinds,
            loss_version.false_alarms,
            (
                select count(*)
                from census.loss_watch
                where loss_watch.app_number = $1
                    and loss_watch.to_version = loss_version.to_version) as watched
        from (
            select distinct
                surface,
                kind,
                to_version
            from census.pair_night
            where app_number = $1
                and taken_at = now()
                and from_version <> to_version
        ) as late
        join census.loss_version
            on loss_version.app_number = $1
            and loss_version.to_version = late.to_version
        join census.kind_day
            on kind_day.app_number = $1
            and kind_day.surface = late.surface
            and kind_day.kind = late.kind
            and kind_day.day = (
                select max(closed_day.day)
                from census.closed_day
                where closed_day.app_number = $1
                    and closed_day.day <= $2)
            and kind_day.devices_certain >= $3
        where not exists (
            select 1
            from census.loss_watch
            where loss_watch.app_number = $1
                and loss_watch.surface = late.surface
                and loss_watch.kind = late.kind
                and loss_watch.to_version = late.to_version)
        order by
            loss_version.to_version,
            late.surface,
            late.kind
        """#)
    static let `LossStore.lock` = Statement(
        "LossStore.lock",
        #"""
        -- One at a time: nights that watch updates, and people who act on incidents.
        lock table census.losses_lock in exclusive mode
        """#)
    static let `LossStore.newVersions` = Statement(
        "LossStore.newVersions",
        #"""
        -- Versions of app $1 to which devices updated this night, and which are not watched yet: those of which some kind has $2
        -- updated holders by now, the first to appear first.
        select
            to_version,
            min(first_day) as first_day
        from (
            select
                pair_night.to_version,
                min(pair_night.day) as first_day,
                sum(pair_night.pairs) as pairs
            from census.pair_night
            where pair_night.app_number = $1
                and pair_night.from_version <> pair_night.to_version
                and pair_night.to_version in (
                    select fresh.to_version
                    from census.pair_night as fresh
                    where fresh.app_number = $1
                        and fresh.taken_at = now()
                        and fresh.from_version <> fresh.to_version)
                and not exists (
                    select 1
                    from census.loss_version
                    where loss_version.app_number = $1
                        and loss_version.to_version = pair_night.to_version)
            group by
                pair_night.to_version,
                pair_night.surface,
                pair_night.kind
        ) as updated
        group by to_version
        having max(pairs) >= $2
        order by
            first_day,
            to_version
        """#)
    static let `LossStore.ordinary` = Statement(
        "LossStore.ordinary",
        #"""
        -- Pairs of kind $3 on surface $2 of app $1 without an update of app or OS, of the 90 days before $4, by gap.
        select
            gap,
            sum(pairs)::bigint as pairs,
            sum(lost)::bigint as lost,
            sum(exposed_seconds)::bigint as exposed_seconds
        from census.pair_night
        where app_number = $1
            and surface = $2
            and kind = $3
            and day >= $4::date - 90
            and day < $4
            and from_version = to_version
            and not is_other_os
        group by gap
        """#)
    static let `LossStore.risks` = Statement(
        "LossStore.risks",
        #"""
        -- What is stored of the devices at risk from updates of app $1: for each watch that was judged, and for each version from which
        -- devices came.
        select
            surface,
            kind,
            to_version,
            null as from_version,
            devices_at_risk
        from census.loss_watch
        where app_number = $1
            and judged_on is not null
        union all
        select
            surface,
            kind,
            to_version,
            from_version,
            devices_at_risk
        from census.loss_origin
        where app_number = $1
        """#)
    static let `LossStore.saveOrigins` = Statement(
        "LossStore.saveOrigins",
        #"""
        -- Saves the same for each version that devices came from.
        insert into census.loss_origin (
            app_number, surface, kind, to_version, from_version, upgraders, lost, exposed_seconds, others, others_lost,
            others_seconds, evidence, z, devices_at_risk)
        select
            $1,
            $2,
            $3,
            $4,
            from_version,
            upgraders,
            lost,
            exposed_seconds,
            others,
            others_lost,
            others_seconds,
            evidence,
            z,
            devices_at_risk
        from unnest(
            $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
            $12::double precision[], $13::double precision[], $14::bigint[]
        ) as origin (
            from_version, upgraders, lost, exposed_seconds, others, others_lost, others_seconds, evidence, z, devices_at_risk)
        on conflict (app_number, surface, kind, to_version, from_version) do update set
            upgraders = excluded.upgraders,
            lost = excluded.lost,
            exposed_seconds = excluded.exposed_seconds,
            others = excluded.others,
            others_lost = excluded.others_lost,
            others_seconds = excluded.others_seconds,
            evidence = excluded.evidence,
            z = excluded.z,
            devices_at_risk = excluded.devices_at_risk
        """#)
    static let `LossStore.saveRisks` = Statement(
        "LossStore.saveRisks",
        #"""
        -- Saves how many devices are at risk now: of kinds $3 on surfaces $2 of app $1 and updates to versions $4, from versions $5, or from
        -- all where that is null.
        with risk as (
            select
                surface,
                kind,
                to_version,
                from_version,
                devices
            from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[]) as risk (
                surface, kind, to_version, from_version, devices)
        ),
        origin as (
            update census.loss_origin set
                devices_at_risk = risk.devices
            from risk
            where loss_origin.app_number = $1
                and loss_origin.surface = risk.surface
                and loss_origin.kind = risk.kind
                and loss_origin.to_version = risk.to_version
                and loss_origin.from_version = risk.from_version
        )
        update census.loss_watch set
            devices_at_risk = risk.devices
        from risk
        where loss_watch.app_number = $1
            and loss_watch.surface = risk.surface
            and loss_watch.kind = risk.kind
            and loss_watch.to_version = risk.to_version
            and risk.from_version is null
        """#)
    static let `LossStore.saveWatch` = Statement(
        "LossStore.saveWatch",
        #"""
        -- Saves what the pairs say of kind $3 on surface $2 of app $1 and updates to version $4.
        update census.loss_watch set
            upgraders = $5,
            lost = $6,
            excused = $7,
            exposed_seconds = $8,
            others = $9,
            others_lost = $10,
            others_seconds = $11,
            evidence = $12,
            z = $13,
            smallest_seen = $14,
            devices_at_risk = $15,
            state = $16,
            opened_on = $17,
            judged_on = $18,
            late = $19,
            unmatched = $20,
            unmatched_with_os = $21
        where app_number = $1
            and surface = $2
            and kind = $3
            and to_version = $4
        """#)
    static let `LossStore.setState` = Statement(
        "LossStore.setState",
        #"""
        -- Acknowledges or closes incidents of kind $2 of app $1, of updates to version $3, on all surfaces. Returns those it changed.
        update census.loss_watch set
            state = $4
        where app_number = $1
            and kind = $2
            and to_version = $3
            and (state = 'open' or state = 'acknowledged' and $4 = 'closed')
        returning surface
        """#)
    static let `LossStore.sweep` = Statement(
        "LossStore.sweep",
        #"""
        -- Drops the pairs of app $1, and what updates had in common, from more than $3 days before $2: no watch looks back so far.
        with details as (
            delete from census.loss_detail
            where app_number = $1
                and last_day < $2::date - $3::integer
        )
        delete from census.pair_night
        where app_number = $1
            and day < $2::date - $3::integer
        """#)
    static let `LossStore.take` = Statement(
        "LossStore.take",
        #"""
        -- Moves the pairs of app $1 through day $2 from the queue to the rows of this night, and adds what the updates have in common.
        -- Returns one row: how many were moved.
        with taken as (
            delete from census.pair_entry
            where app_number = $1
                and day <= $2
            returning
                day,
                surface,
                kind,
                from_version,
                to_version,
                is_other_os,
                gap,
                os_release,
                gained,
                pairs,
                lost,
                exposed_seconds
        ),
        detailed as (
            select
                surface,
                kind,
                to_version,
                'os' as detail,
                os_release as value,
                pairs,
                lost,
                day
            from taken
            where os_release is not null
            union all
            select
                taken.surface,
                taken.kind,
                taken.to_version,
                'gained',
                gained.kind,
                taken.lost,
                taken.lost,
                taken.day
            from taken
            cross join unnest(taken.gained) as gained (kind)
        ),
        details as (
            insert into census.loss_detail (app_number, surface, kind, to_version, detail, value, upgraders, lost, last_day)
            select
                $1,
                surface,
                kind,
                to_version,
                detail,
                value,
                sum(pairs),
                sum(lost),
                max(day)
            from detailed
            group by
                surface,
                kind,
                to_version,
                detail,
                value
            on conflict (app_number, surface, kind, to_version, detail, value) do update set
                upgraders = loss_detail.upgraders + excluded.upgraders,
                lost = loss_detail.lost + excluded.lost,
                last_day = greatest(loss_detail.last_day, excluded.last_day)
        ),
        kept as (
            insert into census.pair_night (
                app_number, surface, kind, to_version, from_version, taken_at, day, is_other_os, gap, pairs, lost,
                exposed_seconds)
            select
                $1,
                surface,
                kind,
                to_version,
                from_version,
                now(),
                day,
                is_other_os,
                gap,
                sum(pairs),
                sum(lost),
                sum(exposed_seconds)
            from taken
            group by
                surface,
                kind,
                to_version,
                from_version,
                day,
                is_other_os,
                gap
            returning pairs
        )
        select coalesce(sum(pairs), 0)::bigint as pairs
        from kept
        """#)
    static let `LossStore.watch` = Statement(
        "LossStore.watch",
        #"""
        -- Begins to watch kind $3 on surface $2 of app $1 for updates to version $4.
        insert into census.loss_watch (app_number, surface, kind, to_version, chance, tolerance, bound, long_bound)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        """#)
    static let `LossStore.watchVersion` = Statement(
        "LossStore.watchVersion",
        #"""
        -- Begins to watch version $2 of app $1, which first appeared on $3, for $4 kinds. Returns its place in the year and the budget.
        insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
        select
            app.app_number,
            $2,
            $3::date,
            (
                select count(*)
                from census.loss_version
                where loss_version.app_number = $1
                    and extract(year from loss_version.first_day) = extract(year from $3::date)),
            $4::integer,
            app.false_alarms
        from census.app
        where app.app_number = $1
        returning
            place,
            false_alarms
        """#)
    static let `ManifestRegistry.add` = Statement(
        "ManifestRegistry.add",
        #"""
        -- Adds manifest $6, in its canonical spelling, of version $2 of app $1; nothing when that version has one.
        with added as (
            insert into census.manifest (app_number, app_version, added_by, digest, source)
            values ($1, $2, $3, $4, $5)
            on conflict do nothing
            returning
                app_number,
                app_version
        ),
        kind as (
            insert into census.manifest_kind (
                app_number, app_version, surface, kind, families, intent, migrates_from, replaces)
            select
                added.app_number,
                added.app_version,
                entry ->> 'surface',
                entry ->> 'kind',
                case when entry ? 'families' then array(select jsonb_array_elements_text(entry -> 'families')) end,
                entry ->> 'intent',
                array(select jsonb_array_elements_text(entry -> 'migrates_from')),
                entry ->> 'replaces'
            from added
            cross join jsonb_array_elements($6::jsonb -> 'kinds') as entry
        )
        select app_version
        from added
        """#)
    static let `ManifestRegistry.all` = Statement(
        "ManifestRegistry.all",
        #"""
        -- The manifests of app $1, of version $2 if that is not null, with a row for each kind and one for a manifest without any.
        select
            manifest.app_version,
            manifest.added_at,
            manifest.added_by,
            manifest_kind.surface,
            manifest_kind.kind,
            manifest_kind.families,
            manifest_kind.intent,
            manifest_kind.migrates_from,
            manifest_kind.replaces
        from census.manifest
        left join census.manifest_kind
            on manifest_kind.app_number = manifest.app_number
            and manifest_kind.app_version = manifest.app_version
        where manifest.app_number = $1
            and ($2::text is null or manifest.app_version = $2)
        order by
            manifest.added_at,
            manifest.app_version collate "C"
        """#)
    static let `ManifestRegistry.declared` = Statement(
        "ManifestRegistry.declared",
        #"""
        -- Every kind that a manifest declares, once for each app and surface, with the families of all its versions; takes_any: one of
        -- them names none.
        select
            manifest_kind.app_number,
            manifest_kind.surface,
            manifest_kind.kind,
            bool_or(manifest_kind.families is null) as takes_any,
            coalesce(array_agg(distinct offered.family) filter (where offered.family is not null), '{}') as families
        from census.manifest_kind
        left join lateral unnest(manifest_kind.families) as offered (family)
            on true
        group by
            manifest_kind.app_number,
            manifest_kind.surface,
            manifest_kind.kind
        """#)
    static let `Migrator.applied` = Statement(
        "Migrator.applied",
        #"""
        select
            version,
            digest
        from census_schema.version
        order by version
        """#)
    static let `Migrator.begin` = Statement(
        "Migrator.begin",
        #"""
        -- One migrator at a time, and a table that records what was done.
        -- Two that begin an empty database at once both find no schema: the second waits for the first here, and then finds it.
        do $$
        begin
            create schema if not exists census_schema;
        exception when unique_violation or duplicate_schema then
            null;
        end $$;
        do $$
        begin
            create table if not exists census_schema.version (
                version integer primary key,
                name text not null,
                digest text not null,
                applied_at timestamptz not null default now()
            );
        exception when unique_violation or duplicate_table then
            null;
        end $$;
        -- A table that only the census's roles have rights on: any role can take an advisory lock.
        lock table census_schema.version in share row exclusive mode;
        -- Limits the wait for other locks: work queued behind it is held up as long.
        set local lock_timeout = '10s';
        comment on schema census_schema is 'Which migrations were applied.';
        comment on table census_schema.version is 'Local. The migrations that were applied; version 0 stands for the views, which are made again when their text changes, and -1 for the states of devices.';
        comment on column census_schema.version.version is 'The number in the file''s name.';
        comment on column census_schema.version.name is 'The file''s name.';
        comment on column census_schema.version.digest is 'SHA-256 of its text; of -1 the newest format that was written, and the rules by which devices are folded.';
        comment on column census_schema.version.applied_at is 'When.';
        """#)
    static let `Migrator.hasTables` = Statement(
        "Migrator.hasTables",
        #"""
        -- Whether there are tables where ours are to be, or a schema where our views are.
        select
            exists (
                select 1
                from pg_class
                where relnamespace = to_regnamespace('census')
                    and relkind in ('r', 'p'))
            or to_regnamespace('report') is not null as has_tables
        """#)
    static let `Migrator.record` = Statement(
        "Migrator.record",
        #"""
        insert into census_schema.version (version, name, digest)
        values ($1, $2, $3)
        on conflict (version) do update set
            name = excluded.name,
            digest = excluded.digest,
            applied_at = now()
        """#)
    static let `Migrator.rights` = Statement(
        "Migrator.rights",
        #"""
        -- Who may read our views, as statements that say so once more: views that are dropped lose their readers.
        select
            format(
                'do $right$ begin if to_regclass(%L) is not null then grant %s on %s to %s; end if; end $right$',
                view.oid::regclass::text, entry.privilege_type, view.oid::regclass,
                case when entry.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(entry.grantee)) end) as statement
        from pg_class as view
        cross join lateral aclexplode(view.relacl) as entry
        where view.relnamespace in (to_regnamespace('census'), to_regnamespace('report'))
            and view.relkind = 'v'
            and entry.grantee <> view.relowner
        order by statement
        """#)
    static let `Migrator.state` = Statement(
        "Migrator.state",
        #"""
        select to_regclass('census_schema.version') is not null as is_there
        """#)
    static let `Migrator.strangers` = Statement(
        "Migrator.strangers",
        #"""
        -- Other people's views that read ours, which can't be made again under them.
        select distinct pg_rewrite.ev_class::regclass::text as name
        from pg_depend
        join pg_rewrite
            on pg_rewrite.oid = pg_depend.objid
        join pg_class as ours
            on ours.oid = pg_depend.refobjid
        join pg_class as reader
            on reader.oid = pg_rewrite.ev_class
        where pg_depend.classid = 'pg_rewrite'::regclass
            and pg_depend.refclassid = 'pg_class'::regclass
            and ours.relnamespace in (to_regnamespace('census'), to_regnamespace('report'))
            and reader.relnamespace not in (to_regnamespace('census'), to_regnamespace('report'))
        order by name
        """#)
    static let `NameCatalogue.add` = Statement(
        "NameCatalogue.add",
        #"""
        insert into census.known_name (app_number, dimension, name)
        select
            $1,
            dimension,
            name
        from unnest($2::text[], $3::text[]) as seen (dimension, name)
        order by
            dimension,
            name
        on conflict (app_number, dimension, name) do nothing
        """#)
    static let `NameCatalogue.all` = Statement(
        "NameCatalogue.all",
        #"""
        -- The names that app $1 has used, and those that its manifests declare.
        select
            dimension,
            name,
            false as is_declared
        from census.known_name
        where app_number = $1
        union all
        select
            'kind',
            kind,
            true
        from census.manifest_kind
        where app_number = $1
        group by kind
        union all
        select
            'family',
            family,
            true
        from census.manifest_kind
        cross join lateral unnest(families) as offered (family)
        where app_number = $1
        group by family
        """#)
    static let `NightRuns.begin` = Statement(
        "NightRuns.begin",
        #"""
        -- Records that a night begins.
        insert into census.night_run default values
        returning run_number
        """#)
    static let `NightRuns.end` = Statement(
        "NightRuns.end",
        #"""
        -- Records how night $1 ended; $2 says what failed, and is null when nothing did.
        update census.night_run set
            finished_at = now(),
            failure = $2,
            devices = $3,
            observations = $4,
            spans_changed = $5,
            days_closed = $6,
            days_restated = $7,
            partitions_made = $8,
            partitions_dropped = $9,
            reconcile_seconds = $10,
            close_seconds = $11,
            keep_seconds = $12,
            verify_seconds = $13,
            apps_failed = $14,
            ledgers_recounted = $15
        where run_number = $1
        """#)
    static let `NightRuns.lastWhole` = Statement(
        "NightRuns.lastWhole",
        #"""
        -- When a night last ended without a failure; no row when none ever did.
        select finished_at
        from census.night_run
        where finished_at is not null
            and failure is null
        order by finished_at desc
        limit 1
        """#)
    static let `ObservationLog.append` = Statement(
        "ObservationLog.append",
        #"""
        -- Stores what is new in many requests, queues its devices, counts its reads: one statement, one transaction, one round trip.
        --
        -- Sorted by key so that two nodes that write the same devices lock in the same order; of equal keys the first to arrive stands.
        -- Nothing is stored for forgotten devices, nor what may be of one whose hash is gone.
        -- Returns one row: how many were new.
        with base as materialized (
            select
                device_id,
                folded_through
            from census.device_base
            where device_id = any($1::uuid[])
        ),
        -- From when on events of some devices are stored. Once per device, whatever it sent.
        closed as (
            select
                sender.device_id,
                'infinity'::timestamptz as stored_from
            from (
                select distinct
                    device_id
                from unnest($1::uuid[]) as sent (device_id)) as sender
            inner join census.forgotten on
                forgotten.device_hash = sha256(uuid_send(sender.device_id))
            union all
            -- No join: Citus mistakes the columns of one with several arrays.
            select distinct
                device_id,
                (
                    select kept_from::timestamp at time zone 'UTC'
                    from census.retention)
            from unnest($1::uuid[], $6::integer[]) as sent (device_id, app_number)
            where app_number = any((
                select apps_with_expired_hashes
                from census.retention)::integer[])
                and device_id not in (select base.device_id from base)
        ),
        fresh as (
            insert into census.observation (
                device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
                platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
                rebooted)
            select
                device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
                platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
                rebooted
            from unnest(
                $1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::uuid[],
                $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
                $16::timestamptz[], $17::timestamptz[], $18::bigint[], $19::json[], $20::boolean[]
            ) with ordinality as incoming (
                device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
                platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
                rebooted, position)
            where not exists (
                select 1
                from closed
                where closed.device_id = incoming.device_id
                    and closed.stored_from > incoming.corrected_at)
            order by
                device_id,
                event_id,
                occurred_at,
                position
            on conflict (device_id, event_id, occurred_at) do nothing
            returning
                app_number,
                device_id,
                corrected_at,
                occurred_at,
                type = 'widgets_reported' and channel = 'production' as is_read,
                -- In canonical spelling, failed reads begin with this.
                content::text like '{"error"%' as is_failed
        ),
        queued as (
            insert into census.pending_device (app_number, device_id, earliest_at, occurred_from)
            select
                app_number,
                device_id,
                min(corrected_at),
                min(occurred_at)
            from fresh
            group by
                app_number,
                device_id
        ),
        counted as (
            insert into census.read_entry (app_number, quarter_at, reads, reads_failed)
            select
                fresh.app_number,
                date_bin('15 minutes', fresh.corrected_at, '2000-01-01 00:00:00+00'),
                count(*),
                count(*) filter (where fresh.is_failed)
            from fresh
            -- Not a subquery for each row, of which there may be thousands.
            left join base
                on base.device_id = fresh.device_id
                and base.folded_through >= fresh.corrected_at
            where fresh.is_read
                -- Reads that a base holds were counted when they first arrived, and dropped since. No base reaches into the last day.
                and (
                    fresh.corrected_at >= now() - interval '1 day'
                    or base.device_id is null
                )
            group by
                fresh.app_number,
                date_bin('15 minutes', fresh.corrected_at, '2000-01-01 00:00:00+00')
        )
        select count(*) as stored
        from fresh
        """#)
    static let `ObservationLog.arrived` = Statement(
        "ObservationLog.arrived",
        #"""
        -- Queues the devices $1 of the apps $2 whose events `ObservationLog.copy` stored in this transaction, and counts their reads
        -- by app $5 and quarter $6. Reads of device $9 count only where its base does not hold the quarter: if it does, they were
        -- counted when they first arrived, and dropped since.
        --
        -- Returns one row: how many of the devices were forgotten, or may be one whose hash is gone. Unless none are, the transaction must
        -- not be committed. Runs after the copy, whose locks an erasure waits for, so that none can begin unseen.
        with base as (
            select
                device_id,
                folded_through
            from census.device_base
            where device_id = any($9::uuid[])
        ),
        queued as (
            insert into census.pending_device (
                device_id, app_number, earliest_at, occurred_from)
            select
                device_id, app_number, earliest_at, occurred_from
            from unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::timestamptz[]) as arrived (
                device_id, app_number, earliest_at, occurred_from)
        ),
        counted as (
            insert into census.read_entry (
                app_number, quarter_at, reads, reads_failed)
            select
                read.app_number,
                read.quarter_at,
                sum(read.reads),
                sum(read.reads_failed)
            from unnest($5::integer[], $6::timestamptz[], $7::bigint[], $8::bigint[], $9::uuid[]) as read (
                app_number, quarter_at, reads, reads_failed, device_id)
            where not exists (
                select 1
                from base
                where base.device_id = read.device_id
                    and base.folded_through >= read.quarter_at)
            group by
                read.app_number,
                read.quarter_at
        )
        select (
            select count(*)
            from unnest($1::uuid[]) as sender (device_id)
            inner join census.forgotten on
                forgotten.device_hash = sha256(uuid_send(sender.device_id))
        ) + (
            -- No join: Citus mistakes the columns of one with several arrays.
            select count(*)
            from unnest($2::integer[], $3::timestamptz[]) as sender (app_number, earliest_at)
            where sender.app_number = any((
                select apps_with_expired_hashes
                from census.retention)::integer[])
                and sender.earliest_at < (
                    select kept_from::timestamp at time zone 'UTC'
                    from census.retention)
        ) as doubtful
        """#)
    static let `ObservationLog.conflicts` = Statement(
        "ObservationLog.conflicts",
        #"""
        -- How many redelivered events, sent for times since $7, are stored under their identity with other content. Run only when there
        -- were any. The time says which partitions to plan for.
        select count(*)
        from unnest(
            $1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::json[]
        ) as incoming (device_id, event_id, occurred_at, type, surface, content)
        join census.observation as stored
            using (device_id, event_id, occurred_at)
        where stored.occurred_at >= $7
            and (stored.type, stored.surface, stored.content::text)
                is distinct from (incoming.type, incoming.surface, incoming.content::text)
        """#)
    static let `ObservationLog.copy` = CopyStatement(
        "ObservationLog.copy",
        columns: [
            "device_id",
            "event_id",
            "occurred_at",
            "corrected_at",
            "received_at",
            "app_number",
            "installation_id",
            "type",
            "surface",
            "source",
            "platform",
            "os_version",
            "os_build",
            "app_version",
            "channel",
            "booted_at",
            "first_launched_at",
            "gallery_policy",
            "content",
            "rebooted",
        ],
        #"""
        -- Stores events of which none is known: one that is makes the whole copy fail.
        --
        -- Senders of the same events wait for this transaction. If it no longer hears from us it must end soon, or it holds up every
        -- group in which one of them comes again. Nobody waits for us longer than that. It does not end while waiting for the rows
        -- themselves: `ObservationLog.endStuck` does that.
        set local idle_in_transaction_session_timeout = '3s';
        copy census.observation (
            device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
            platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
            rebooted
        ) from stdin (format binary);
        """#)
    static let `ObservationLog.endStuck` = Statement(
        "ObservationLog.endStuck",
        #"""
        -- Ends sessions of this program that have waited longer than $1 for more rows of a COPY: their node has stalled. None of
        -- PostgreSQL's timeouts runs meanwhile, and they hold the keys they have taken.
        -- Returns a row for each.
        select pg_terminate_backend(pid) as is_ended
        from pg_stat_activity
        where datname = current_database()
            and usename = current_user
            and application_name = 'widget-census'
            and state = 'active'
            and wait_event = 'ClientRead'
            and query_start < clock_timestamp() - $1::interval
        """#)
    static let `ObservationLog.refuse` = CopyStatement(
        "ObservationLog.refuse",
        columns: [
            "device_id",
            "refused_on",
            "digest",
            "app_number",
            "received_at",
            "code",
            "message",
            "event_id",
            "event",
        ],
        #"""
        -- Stores refused events with their reason; a redelivery on the same day adds nothing, and nothing is stored for forgotten
        -- devices. Senders of the same events wait for this transaction. If it no longer hears from us it must end soon, or it holds
        -- up every group in which one of them comes again. Nobody waits for us longer than that.
        set local idle_in_transaction_session_timeout = '3s';
        create temporary table if not exists incoming_refused (like census.refused) on commit delete rows;
        copy incoming_refused (
            device_id, refused_on, digest, app_number, received_at, code, message, event_id, event
        ) from stdin (format binary);
        insert into census.refused (
            device_id, refused_on, digest, app_number, received_at, code, message, event_id, event)
        select
            device_id, refused_on, digest, app_number, received_at, code, message, event_id, event
        from incoming_refused
        where not exists (
            select 1
            from census.forgotten
            where forgotten.device_hash = sha256(uuid_send(incoming_refused.device_id)))
        order by
            device_id,
            refused_on,
            digest
        on conflict (device_id, refused_on, digest) do nothing;
        """#)
    static let `ObservationLog.warn` = CopyStatement(
        "ObservationLog.warn",
        columns: [
            "device_id",
            "warned_on",
            "code",
            "app_number",
            "occurred_at",
            "received_at",
            "app_version",
            "pointer",
            "message",
        ],
        #"""
        -- Stores warnings, as ObservationLog.refuse does: of a device's on one day with one code, that of the batch whose events are the newest
        -- stands, or of equal ones the first to be received, in whatever order and however often batches arrive. Nothing is stored for forgotten devices.
        set local idle_in_transaction_session_timeout = '3s';
        create temporary table if not exists incoming_warned (like census.warned) on commit delete rows;
        copy incoming_warned (
            device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message
        ) from stdin (format binary);
        insert into census.warned (
            device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message)
        select distinct on (device_id, warned_on, code)
            device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message
        from incoming_warned
        where not exists (
            select 1
            from census.forgotten
            where forgotten.device_hash = sha256(uuid_send(incoming_warned.device_id)))
        order by
            device_id,
            warned_on,
            code,
            occurred_at desc,
            app_version collate "C" desc,
            pointer collate "C" desc,
            message collate "C" desc,
            received_at
        on conflict (device_id, warned_on, code) do update set
            occurred_at = excluded.occurred_at,
            received_at = excluded.received_at,
            app_version = excluded.app_version,
            pointer = excluded.pointer,
            message = excluded.message
        where (
            excluded.occurred_at, excluded.app_version collate "C", excluded.pointer collate "C", excluded.message collate "C",
            warned.received_at)
            > (warned.occurred_at, warned.app_version, warned.pointer, warned.message, excluded.received_at);
        """#)
    static let `PartitionKeeper.missing` = Statement(
        "PartitionKeeper.missing",
        #"""
        -- The days from $1 to $2 without a partition.
        select listed::date as day
        from generate_series($1::date, $2::date, interval '1 day') as listed
        where to_regclass('census.observation_' || to_char(listed, 'YYYYMMDD')) is null
        order by day
        """#)
    static let `PartitionKeeper.turn` = Statement(
        "PartitionKeeper.turn",
        #"""
        -- One transaction at a time makes or drops a partition: both lock the table and `observation_other`, in different orders.
        lock table census.partitions_lock in exclusive mode
        """#)
    static let `ReportReader.cells` = Statement(
        "ReportReader.cells",
        #"""
        -- What was counted for app $1, cell by cell: the closed days since $2 or all, of surface $3 or all, of kind $4 or all; with the
        -- naive number of devices.
        select
            live_kinds.day,
            live_kinds.surface,
            live_kinds.kind,
            live_kinds.devices_certain,
            live_kinds.devices_possible,
            live_kinds.devices_expected::double precision as devices_expected,
            kind_day.devices_reported
        from report.live_kinds
        join census.app
            on app.app_id = live_kinds.app_id
        join census.kind_day
            on kind_day.app_number = app.app_number
            and kind_day.day = live_kinds.day
            and kind_day.surface = live_kinds.surface
            and kind_day.kind = live_kinds.kind
        where live_kinds.app_id = $1
            and live_kinds.day >= coalesce($2::date, '-infinity')
            and kind_day.day >= coalesce($2::date, '-infinity')
            and ($3::text is null or live_kinds.surface = $3)
            and ($4::text is null or live_kinds.kind = $4)
        order by live_kinds.day
        """#)
    static let `ReportReader.facts` = Statement(
        "ReportReader.facts",
        #"""
        -- Why a report of app $1 (null: of all) may have no rows: what data there is, and which days and kinds.
        with chosen as (
            select app_number
            from census.app
            where $1::text is null
                or app_id = $1
        )
        select
            (
                select count(*)
                from chosen
            ) as apps,
            exists (
                select 1
                from census.device
                where app_number in (select app_number from chosen)
            ) as has_devices,
            exists (
                select 1
                from census.pending_device
                where app_number in (select app_number from chosen)
            ) as has_pending,
            exists (
                select 1
                from census.known_name
                where dimension = 'app_version'
                    and app_number in (select app_number from chosen)
            ) as has_names,
            (
                select count(*)
                from census.refused
                where app_number in (select app_number from chosen)
            ) as refused,
            (
                select min(day)
                from census.closed_day
                where app_number in (select app_number from chosen)
            ) as first_day,
            (
                select max(day)
                from census.closed_day
                where app_number in (select app_number from chosen)
            ) as last_day,
            array(
                select distinct name
                from census.known_name
                where dimension = 'kind'
                    and app_number in (select app_number from chosen)
                order by name
            ) as kinds
        """#)
    static let `StatusReader.apps` = Statement(
        "StatusReader.apps",
        #"""
        -- App $1, or every app, as an operator wants to see it first. Everything is read from small tables, or by the leading columns of a key.
        select
            app.app_number,
            app.app_id,
            app.zone,
            (now() at time zone app.zone)::date - 1 as last_ended,
            reconciled.as_of,
            closed.last_day as last_closed,
            -- A night may be late only once there was something to close.
            (
                select min(known_name.first_seen_at)
                from census.known_name
                where known_name.app_number = app.app_number
                    and known_name.dimension = 'app_version'
            ) as first_seen_at,
            coalesce(app_night.is_doubted, false) as is_doubted,
            app_night.fault,
            app_night.failure,
            case
                when closed.last_day is not null then (
                    select coalesce(sum(device_day.devices_active), 0)::bigint
                    from census.device_day
                    where device_day.app_number = app.app_number
                        and device_day.day = closed.last_day
                )
            end as devices_active,
            coalesce(read.reads, 0)::bigint as reads,
            coalesce(read.reads_failed, 0)::bigint as reads_failed,
            array(
                select loss_watch.kind
                from census.loss_watch
                where loss_watch.app_number = app.app_number
                    and loss_watch.state = 'open'
                order by
                    loss_watch.opened_on desc,
                    loss_watch.kind
            ) as open_losses,
            coalesce(webhook.failing, 0)::bigint as webhooks_failing,
            coalesce(webhook.given_up, 0)::bigint as messages_given_up,
            exists (
                select 1
                from census.api_key
                where api_key.app_number = app.app_number
                    and api_key.role = 'write'
                    and api_key.revoked_at is null
            ) as has_write_key
        from census.app
        cross join lateral (
            select max(closed_day.day) as last_day
            from census.closed_day
            where closed_day.app_number = app.app_number
        ) as closed
        left join census.reconciled
            on reconciled.app_number = app.app_number
        left join census.app_night
            on app_night.app_number = app.app_number
        -- The reads of the app's today: those that no night has taken, and those that a night took before the day ended.
        left join lateral (
            select
                sum(today.reads) as reads,
                sum(today.reads_failed) as reads_failed
            from (
                select
                    read_entry.reads,
                    read_entry.reads_failed
                from census.read_entry
                where read_entry.app_number = app.app_number
                    and read_entry.quarter_at >= date_trunc('day', now(), app.zone)
                union all
                select
                    read_quarter.reads,
                    read_quarter.reads_failed
                from census.read_quarter
                where read_quarter.app_number = app.app_number
                    and read_quarter.quarter_at >= date_trunc('day', now(), app.zone)
                    and not read_quarter.is_of_day
            ) as today
        ) as read
            on true
        left join lateral (
            select
                count(distinct webhook.webhook_number) filter (
                    where webhook.failing_since is not null
                        or webhook.gone_at is not null) as failing,
                count(*) filter (
                    where webhook_delivery.given_up_at > now() - interval '7 days'
                        and webhook_delivery.type <> 'webhook.test') as given_up
            from census.webhook
            left join census.webhook_delivery
                on webhook_delivery.webhook_number = webhook.webhook_number
            where webhook.app_number = app.app_number
                and webhook.removed_at is null
        ) as webhook
            on true
        where $1::integer is null
            or app.app_number = $1
        order by app.app_id
        """#)
    static let `StatusReader.blockers` = Statement(
        "StatusReader.blockers",
        #"""
        -- Sessions that others work in and that ours wait for, longer than $1; and those that were left in the middle of a transaction for
        -- longer than $2, while what they read can't be dropped, migrated or vacuumed. The one that holds up most comes first.
        --
        -- Of other people's sessions a role without pg_read_all_stats sees no times: since when ours wait stands in.
        with waiting as (
            select
                blocker.pid,
                count(*) as sessions,
                min(waiter.query_start) as since
            from pg_stat_activity as waiter
            cross join lateral unnest(pg_blocking_pids(waiter.pid)) as blocker (pid)
            where waiter.datname = current_database()
                and waiter.application_name = 'widget-census'
                and waiter.wait_event_type = 'Lock'
                and waiter.query_start < clock_timestamp() - $1::interval
            group by blocker.pid
        )
        select
            session.pid,
            coalesce(session.usename, '')::text as role,
            coalesce(session.xact_start, waiting.since) as since,
            coalesce(waiting.sessions, 0) as waiting
        from pg_stat_activity as session
        left join waiting
            on waiting.pid = session.pid
        where session.datname = current_database()
            and coalesce(session.application_name, '') <> 'widget-census'
            and session.backend_type = 'client backend'
            and (
                waiting.pid is not null
                or session.state like 'idle in transaction%'
                and session.state_change < clock_timestamp() - $2::interval)
        order by
            waiting desc,
            since,
            session.pid
        limit 5
        """#)
    static let `StatusReader.database` = Statement(
        "StatusReader.database",
        #"""
        -- The server's version, its clock, how long the reconciler's queue of app $2, or of all, is, counted up to $1, and what keeps the
        -- server from taking writes.
        select
            current_setting('server_version') as version,
            now() as asked_at,
            (
                -- A device may wait with several entries.
                select case when count(*) < $1 then count(distinct device_id) else count(*) end
                from (
                    select device_id
                    from census.pending_device
                    where $2::integer is null
                        or app_number = $2
                    limit $1
                ) as counted
            ) as pending,
            pg_is_in_recovery() as is_standby,
            current_setting('default_transaction_read_only')::boolean as is_read_only,
            (
                select source
                from pg_settings
                where name = 'default_transaction_read_only') as read_only_source,
            current_user::text as role,
            current_database()::text as database
        """#)
    static let `StatusReader.night` = Statement(
        "StatusReader.night",
        #"""
        -- The last night, and what it did.
        select
            run_number,
            started_at,
            finished_at,
            failure,
            devices,
            days_closed,
            days_restated,
            apps_failed,
            coalesce(reconcile_seconds, 0) + coalesce(close_seconds, 0) + coalesce(keep_seconds, 0)
                + coalesce(verify_seconds, 0) as seconds
        from census.night_run
        order by run_number desc
        limit 1
        """#)
    static let `StatusReader.refused` = Statement(
        "StatusReader.refused",
        #"""
        -- Events of app $1 that the door refused on the days $2, counted up to $3.
        select count(*) as events
        from (
            select 1
            from census.refused
            where app_number = $1
                and refused_on = any($2::date[])
            limit $3
        ) as counted
        """#)
    static let `StatusReader.setAside` = Statement(
        "StatusReader.setAside",
        #"""
        -- Devices that are set aside, by app, and what is wrong with one of them. Implausible ones need nobody.
        select
            app_number,
            count(*) as devices,
            min(reason collate "C") as reason
        from census.set_aside
        where not is_implausible
        group by app_number
        """#)
    static let `Upkeep.apps` = Statement(
        "Upkeep.apps",
        #"""
        -- The apps of devices $1 by what they sent for times before $2, by their clocks.
        select
            device_id,
            min(app_number) as app_number
        from census.observation
        where device_id = any($1::uuid[])
            and occurred_at < $2
        group by device_id
        """#)
    static let `Upkeep.bases` = Statement(
        "Upkeep.bases",
        #"""
        -- The bases of those of devices $1 that are reconciled through $2. For others the stored spans would not follow from the base;
        -- devices that can't be reconciled keep their base.
        with left_out as (
            select device_id
            from census.pending_device
            where device_id = any($1::uuid[])
                and (earliest_at is null or earliest_at < $2)
            union
            select device_id
            from census.set_aside
            where device_id = any($1::uuid[])
        ),
        base as (
            select
                device_id,
                app_number,
                folded_through,
                state
            from census.device_base
            where device_id = any($1::uuid[])
        )
        select
            listed.device_id,
            base.app_number,
            base.folded_through,
            base.state
        from unnest($1::uuid[]) as listed (device_id)
        left join base
            on base.device_id = listed.device_id
        where listed.device_id not in (select device_id from left_out)
        """#)
    static let `Upkeep.begin` = Statement(
        "Upkeep.begin",
        #"""
        -- For a step, which reads some rows of a thousand devices by their keys. PostgreSQL would rather read whole days, again for each
        -- step, and with helpers that take the processors from the other sweep. Plans are made for the values at hand: one that is kept
        -- locks every day, and not only those that are dropped.
        set local enable_seqscan = off;
        set local max_parallel_workers_per_gather = 0;
        set local jit = off;
        set local work_mem = '32MB';
        """#)
    static let `Upkeep.counted` = Statement(
        "Upkeep.counted",
        #"""
        -- The apps of those of devices $1 that were counted, and whether they were heard from before what is kept. For devices without a
        -- base: to look up all of them would read a page of a large table for each.
        select
            device_id,
            app_number,
            coalesce(
                folded_through is not null
                    and first_heard_at < (
                        select kept_from::timestamp at time zone 'UTC'
                        from census.retention),
                false) as is_early
        from census.device
        where device_id = any($1::uuid[])
        """#)
    static let `Upkeep.devices` = Statement(
        "Upkeep.devices",
        #"""
        -- The next devices, after $1 and through $2, at most $4, with stored observations from before $3 by their clock or by ours.
        -- is_ahead: some of them lie elsewhere than in the partitions of days before $3, where clocks that were ahead have put them.
        select
            device_id,
            bool_or(is_ahead) as is_ahead
        from (
            (
                -- From the primary key alone: looking at each row took a sixth of a night's work on old days.
                select distinct
                    device_id,
                    false as is_ahead
                from census.observation
                where device_id > $1
                    and device_id <= $2
                    and occurred_at < $3
                order by device_id
                limit $4
            )
            union all
            (
                select distinct
                    device_id,
                    true as is_ahead
                from census.observation
                where device_id > $1
                    and device_id <= $2
                    and corrected_at < occurred_at
                    and corrected_at < $3
                    and occurred_at >= $3
                order by device_id
                limit $4
            )
        ) as due
        group by device_id
        order by device_id
        limit $4
        """#)
    static let `Upkeep.isHeard` = Statement(
        "Upkeep.isHeard",
        #"""
        -- Whether any observation falls between $1 and $2, the starts of days, by its device's clock.
        --
        -- Not `exists`, for which the planner may read whole partitions.
        select true as is_heard
        from census.observation
        where occurred_at >= $1
            and occurred_at < $2
        limit 1
        """#)
    static let `Upkeep.keepFrom` = Statement(
        "Upkeep.keepFrom",
        #"""
        -- Deletes the memory of devices forgotten more than a day before $1, which may be followed by their last events: clocks that run
        -- an hour ahead are believed. Notes which apps had such devices, and that from the day $1 on every observation is kept. One
        -- statement, so that any other sees either the hash or the note.
        with expired as (
            delete from census.forgotten
            where forgotten_at < ($1::date - 1)::timestamp at time zone 'UTC'
                and erasing_device_id is null
            returning app_number
        )
        update census.retention set
            kept_from = greatest(kept_from, $1::date),
            apps_with_expired_hashes = array(
                select noted.app_number
                from unnest(apps_with_expired_hashes) as noted (app_number)
                union
                select expired.app_number
                from expired
                order by app_number)
        """#)
    static let `Upkeep.locks` = Statement(
        "Upkeep.locks",
        #"""
        -- The settings that size the server's table of locks.
        select
            current_setting('max_locks_per_transaction')::bigint as per_session,
            current_setting('max_connections')::bigint + current_setting('max_prepared_transactions')::bigint as sessions
        """#)
    static let `Upkeep.partitions` = Statement(
        "Upkeep.partitions",
        #"""
        -- The partitions of observations, by day.
        select to_date(its.day, 'YYYYMMDD') as day
        from pg_inherits
        join pg_class
            on pg_class.oid = pg_inherits.inhrelid
        -- Not a plain comparison: the planner expects one partition then, and looks through all of them for each.
        cross join lateral substring(pg_class.relname from '^observation_([0-9]{8})$') as its (day)
        where pg_inherits.inhparent = 'census.observation'::regclass
            and its.day is not null
        order by day
        """#)
    static let `Upkeep.read` = Statement(
        "Upkeep.read",
        #"""
        -- How long observations are kept, and from which day on.
        select
            days,
            kept_from
        from census.retention
        """#)
    static let `Upkeep.saveBases` = Statement(
        "Upkeep.saveBases",
        #"""
        -- Saves the states that the observations of some devices through $3 led to. A base that holds more stays: retention was
        -- shorter when it was written.
        insert into census.device_base (device_id, app_number, folded_through, state)
        select
            device_id,
            app_number,
            $3,
            state
        from unnest($1::uuid[], $2::integer[], $4::bytea[]) as folded (device_id, app_number, state)
        on conflict (device_id) do update set
            folded_through = excluded.folded_through,
            state = excluded.state
        where device_base.folded_through < excluded.folded_through
        """#)
    static let `Upkeep.set` = Statement(
        "Upkeep.set",
        #"""
        -- Changes how long observations are kept.
        update census.retention set
            days = $1
        """#)
    static let `Upkeep.sweepOther` = Statement(
        "Upkeep.sweepOther",
        #"""
        -- Deletes observations from before $1 that lie in no partition, where the device's base holds them. Those that no base holds
        -- stay: the device is set aside, and is folded from there once it can be.
        delete from census.observation_other
        where corrected_at < $1
            and exists (
                select 1
                from census.device_base
                where device_base.device_id = observation_other.device_id
                    and device_base.folded_through >= observation_other.corrected_at)
        """#)
    static let `Upkeep.sweepRefused` = Statement(
        "Upkeep.sweepRefused",
        #"""
        -- Deletes events refused before the day $1.
        delete from census.refused
        where refused_on < $1
        """#)
    static let `Upkeep.sweepWarned` = Statement(
        "Upkeep.sweepWarned",
        #"""
        -- Deletes warnings of before the day $1.
        delete from census.warned
        where warned_on < $1
        """#)
    static let `Upkeep.takenFrom` = Statement(
        "Upkeep.takenFrom",
        #"""
        -- From when on events of devices $1 of apps $2 are taken. What is older a device's base holds, or the device may be a forgotten one
        -- whose hash is gone. Of other devices anything is taken.
        with base as materialized (
            select
                device_id,
                folded_through + interval '1 microsecond' as folded_before
            from census.device_base
            where device_id = any($1::uuid[])
        ),
        kept as (
            select
                kept_from::timestamp at time zone 'UTC' as kept_from,
                apps_with_expired_hashes
            from census.retention
            where kept_from is not null
        )
        select
            base.device_id,
            least(kept.kept_from, base.folded_before) as taken_from
        from base
        cross join kept
        union all
        -- No join: Citus mistakes the columns of one with several arrays.
        select
            device_id,
            (
                select kept_from
                from kept) as taken_from
        from unnest($1::uuid[], $2::integer[]) as asked (device_id, app_number)
        where app_number = any((
            select apps_with_expired_hashes
            from kept)::integer[])
            and device_id not in (select base.device_id from base)
        """#)
    static let `WebhookRegistry.add` = Statement(
        "WebhookRegistry.add",
        #"""
        insert into census.webhook (app_number, url, secret, allows_private, added_by)
        values ($1, $2, $3, $4, $5)
        returning webhook_number
        """#)
    static let `WebhookRegistry.all` = Statement(
        "WebhookRegistry.all",
        #"""
        -- The webhooks of app $1 that were not removed, as they were added, with how many messages wait, and how many were given up,
        -- less those of tests.
        select
            webhook.webhook_number,
            webhook.url,
            webhook.allows_private,
            webhook.added_at,
            webhook.added_by,
            webhook.delivered_at,
            webhook.failing_since,
            webhook.last_status,
            webhook.last_error,
            webhook.gone_at,
            count(webhook_delivery.next_attempt_at) as waiting,
            count(webhook_delivery.given_up_at) filter (where webhook_delivery.type <> 'webhook.test') as given_up
        from census.webhook
        left join census.webhook_delivery
            on webhook_delivery.webhook_number = webhook.webhook_number
        where webhook.app_number = $1
            and webhook.removed_at is null
        group by webhook.webhook_number
        order by webhook.webhook_number
        """#)
    static let `WebhookRegistry.begin` = Statement(
        "WebhookRegistry.begin",
        #"""
        -- Begins the one attempt to send message $3 of type $4 with payload $5 to webhook $2 of app $1, which takes $6 microseconds
        -- at most.
        with webhook as (
            select
                webhook_number,
                url,
                secret,
                allows_private
            from census.webhook
            where webhook_number = $2
                and app_number = $1
                and removed_at is null
        ),
        delivery as (
            insert into census.webhook_delivery (webhook_number, message_id, type, payload, attempts, next_attempt_at)
            select
                webhook_number,
                $3,
                $4,
                $5,
                1,
                now() + $6::bigint * interval '1 microsecond'
            from webhook
            returning
                webhook_number,
                message_id,
                type,
                payload,
                created_at,
                attempts
        )
        select
            delivery.webhook_number,
            delivery.message_id,
            delivery.type,
            delivery.payload,
            delivery.attempts,
            webhook.url,
            webhook.secret,
            webhook.allows_private,
            delivery.created_at as begun_at
        from delivery
        join webhook
            on webhook.webhook_number = delivery.webhook_number
        """#)
    static let `WebhookRegistry.claim` = Statement(
        "WebhookRegistry.claim",
        #"""
        -- Begins an attempt at up to $2 deliveries that are due at $1 (null: now), one for each webhook and $5 for each receiver, those to
        -- the webhooks $4 that are under way on this node included. An attempt takes $3 microseconds at most: after that another node takes
        -- it for dead.
        with receiver as materialized (
            select
                webhook_number,
                -- Several webhooks may lead to one host, and wait for it together; a removed one leads nowhere.
                coalesce(lower(substring(url from '^[^:]+://([^/?#]*)')), webhook_number::text) as host
            from census.webhook
        ),
        busy as (
            select
                host,
                count(*) as attempts
            from receiver
            where webhook_number = any($4::bigint[])
            group by host
        ),
        ready as materialized (
            select
                webhook_delivery.webhook_number,
                webhook_delivery.message_id,
                row_number() over (
                    partition by receiver.host
                    order by webhook_delivery.next_attempt_at, webhook_delivery.message_id) + coalesce(busy.attempts, 0) as place
            from census.webhook_delivery
            join receiver
                on receiver.webhook_number = webhook_delivery.webhook_number
            left join busy
                on busy.host = receiver.host
            where webhook_delivery.next_attempt_at <= coalesce($1, now())
                and webhook_delivery.webhook_number <> all($4::bigint[])
                and not exists (
                    select 1
                    from census.webhook_delivery as earlier
                    where earlier.webhook_number = webhook_delivery.webhook_number
                        and (earlier.next_attempt_at, earlier.message_id)
                        < (webhook_delivery.next_attempt_at, webhook_delivery.message_id))
        ),
        due as materialized (
            select
                webhook_delivery.webhook_number,
                webhook_delivery.message_id
            from census.webhook_delivery
            join ready
                on ready.webhook_number = webhook_delivery.webhook_number
                and ready.message_id = webhook_delivery.message_id
            where ready.place <= $5::bigint
                -- Once more: another node may have begun it meanwhile.
                and webhook_delivery.next_attempt_at <= coalesce($1, now())
            order by webhook_delivery.next_attempt_at
            limit $2
            for update of webhook_delivery skip locked
        )
        update census.webhook_delivery set
            attempts = webhook_delivery.attempts + 1,
            next_attempt_at = coalesce($1, now()) + $3::bigint * interval '1 microsecond'
        from due
        join census.webhook
            on webhook.webhook_number = due.webhook_number
        where webhook_delivery.webhook_number = due.webhook_number
            and webhook_delivery.message_id = due.message_id
        returning
            webhook_delivery.webhook_number,
            webhook_delivery.message_id,
            webhook_delivery.type,
            webhook_delivery.payload,
            webhook_delivery.attempts,
            webhook.url,
            webhook.secret,
            webhook.allows_private,
            coalesce($1, now()) as begun_at
        """#)
    static let `WebhookRegistry.enqueue` = Statement(
        "WebhookRegistry.enqueue",
        #"""
        -- Queues message $2 of type $3 with payload $4 for every webhook of app $1, due at once.
        insert into census.webhook_delivery (webhook_number, message_id, type, payload, next_attempt_at)
        select
            webhook_number,
            $2,
            $3,
            $4,
            now()
        from census.webhook
        where app_number = $1
            and removed_at is null
            and gone_at is null
        returning webhook_number
        """#)
    static let `WebhookRegistry.finish` = Statement(
        "WebhookRegistry.finish",
        #"""
        -- Ends attempt $3 at message $2 to webhook $1, at $4 (null: now): delivered ($5), to be tried again in $6 microseconds, or, with
        -- $6 null, given up; the answer's status was $7, the error $8. Nothing changes where the attempt was taken for dead and
        -- another one was begun.
        update census.webhook_delivery set
            delivered_at = case when $5 then coalesce($4, now()) end,
            next_attempt_at = case when not $5 then coalesce($4, now()) + $6::bigint * interval '1 microsecond' end,
            given_up_at = case when not $5 and $6::bigint is null then coalesce($4, now()) end,
            last_status = $7,
            last_error = $8
        where webhook_number = $1
            and message_id = $2
            and attempts = $3
            and next_attempt_at is not null
        returning message_id
        """#)
    static let `WebhookRegistry.giveUp` = Statement(
        "WebhookRegistry.giveUp",
        #"""
        -- Gives up what webhook $1 still waits for, at $2 (null: now): it is gone.
        update census.webhook_delivery set
            next_attempt_at = null,
            given_up_at = coalesce($2, now()),
            last_error = 'the webhook was gone'
        where webhook_number = $1
            and next_attempt_at is not null
        returning message_id
        """#)
    static let `WebhookRegistry.health` = Statement(
        "WebhookRegistry.health",
        #"""
        -- How many deliveries wait, and how many webhooks failed at the last attempt.
        select
            (
                select count(*)
                from census.webhook_delivery
                where next_attempt_at is not null
            ) as waiting,
            (
                select count(*)
                from census.webhook
                where failing_since is not null
                    and removed_at is null
            ) as failing
        """#)
    static let `WebhookRegistry.mark` = Statement(
        "WebhookRegistry.mark",
        #"""
        -- Remembers of webhook $1 how an attempt ended at $2 (null: now): delivered ($3) or not, gone for good ($4); the answer's
        -- status was $5, the error $6.
        update census.webhook set
            delivered_at = case when $3 then coalesce($2, now()) else delivered_at end,
            failing_since = case when not $3 then coalesce(failing_since, $2, now()) end,
            gone_at = case when $4 then coalesce($2, now()) when not $3 then gone_at end,
            last_status = $5,
            last_error = $6
        where webhook_number = $1
            and removed_at is null
        returning webhook_number
        """#)
    static let `WebhookRegistry.remove` = Statement(
        "WebhookRegistry.remove",
        #"""
        -- Removes webhook $2 of app $1, gives up what it waits for, and forgets its address and its secret.
        with removed as (
            update census.webhook set
                url = null,
                secret = null,
                removed_at = now(),
                removed_by = $3
            where webhook_number = $2
                and app_number = $1
                and removed_at is null
            returning webhook_number
        ),
        given_up as (
            update census.webhook_delivery set
                next_attempt_at = null,
                given_up_at = now(),
                last_error = 'the webhook was removed'
            from removed
            where webhook_delivery.webhook_number = removed.webhook_number
                and webhook_delivery.next_attempt_at is not null
            returning webhook_delivery.message_id
        )
        select webhook_number
        from removed
        """#)
    static let `WebhookRegistry.sweep` = Statement(
        "WebhookRegistry.sweep",
        #"""
        -- Deletes deliveries that were over before $1.
        delete from census.webhook_delivery
        where coalesce(delivered_at, given_up_at) < $1
        """#)
}

/// The files of `sql/migrations`, in order.
enum Migrations {
    static let `0001_census` = Statement(
        "0001_census",
        #"""
        -- The tables of Widget Census.
        --
        -- Device data has device_id in every key and is never joined by anything else, so that the tables can be distributed by
        -- device (docs/decisions/0004-ready-for-citus.md). Each comment says which of four kinds a table is:
        -- device (distributed), lookup (small, everywhere), local (queues, aggregates: in one place).

        create schema census;
        create schema report;

        create table census.deployment (
            is_single boolean primary key default true,
            secret_fingerprint bytea not null,
            created_at timestamptz not null default now(),
            constraint deployment_is_single check (is_single)
        );
        comment on table census.deployment is 'Lookup. What is fixed for the life of this database; one row.';
        comment on column census.deployment.is_single is 'Always true: there is one row.';
        comment on column census.deployment.secret_fingerprint is 'SHA-256 of the key under which ids are hashed; another key would count every device twice.';
        comment on column census.deployment.created_at is 'When the database was first used.';

        create table census.app (
            app_number integer generated always as identity primary key,
            app_id text not null,
            zone text not null default 'UTC',
            window_days integer not null default 28,
            maximum_kinds integer not null default 1000,
            maximum_families integer not null default 100,
            limit_devices integer not null default 100,
            limit_share double precision not null default 0.001,
            ready_days integer not null default 7,
            minimum_coverage double precision not null default 0.5,
            created_at timestamptz not null default now(),
            constraint app_id_is_unique unique (app_id),
            constraint app_id_has_length check (length(app_id) between 1 and 200),
            constraint app_window_is_sane check (window_days between 1 and 400),
            constraint app_limits_are_sane check (limit_devices >= 0 and limit_share between 0 and 1),
            constraint app_coverage_is_a_share check (minimum_coverage between 0 and 1),
            constraint app_ready_days_are_sane check (ready_days between 1 and 400)
        );
        comment on table census.app is 'Lookup. One application: the tenant, and how it wants to be counted.';
        comment on column census.app.app_number is 'Stands for app_id in the large tables.';
        comment on column census.app.app_id is 'Bundle id or package name.';
        comment on column census.app.zone is 'IANA time zone in which the days of the reports begin and end.';
        comment on column census.app.window_days is 'Days for which a device counts after it was last heard from, that day included.';
        comment on column census.app.maximum_kinds is 'Distinct widget kinds taken from clients; more are refused as too_many_kinds.';
        comment on column census.app.maximum_families is 'Distinct families taken from clients; more are refused as too_many_kinds.';
        comment on column census.app.limit_devices is 'A legacy kind is ready when at most this many devices may still hold it ...';
        comment on column census.app.limit_share is '... and at most this share of the active devices ...';
        comment on column census.app.ready_days is '... on so many closed days running ...';
        comment on column census.app.minimum_coverage is '... and at least this share of the active devices sent a successful report within the window.';
        comment on column census.app.created_at is 'When the app was added.';

        create table census.api_key (
            key_hash bytea primary key,
            app_number integer not null references census.app,
            role text not null,
            created_at timestamptz not null default now(),
            revoked_at timestamptz,
            constraint api_key_role_is_known check (role in ('write', 'read', 'release'))
        );
        comment on table census.api_key is 'Lookup. The keys that were given out; the keys themselves are not kept.';
        comment on column census.api_key.key_hash is 'SHA-256 of the key.';
        comment on column census.api_key.app_number is 'The app that the key belongs to.';
        comment on column census.api_key.role is 'write: ships in apps; read: console and reports; release: manifests.';
        comment on column census.api_key.created_at is 'When the key was made.';
        comment on column census.api_key.revoked_at is 'Since when it is refused; null while it is good.';

        create table census.known_name (
            app_number integer not null references census.app,
            dimension text not null,
            name text not null,
            first_seen_at timestamptz not null default now(),
            primary key (app_number, dimension, name),
            constraint known_name_dimension_is_known check (dimension in ('kind', 'family'))
        );
        comment on table census.known_name is 'Lookup. The kinds and families seen so far: what the caps against broken clients count.';
        comment on column census.known_name.app_number is 'The app.';
        comment on column census.known_name.dimension is 'kind or family.';
        comment on column census.known_name.name is 'As sent.';
        comment on column census.known_name.first_seen_at is 'When it was first accepted.';

        create table census.observation (
            device_id uuid not null,
            event_id text not null,
            occurred_at timestamptz not null,
            corrected_at timestamptz not null,
            received_at timestamptz not null,
            app_number integer not null,
            installation_id uuid not null,
            type text not null,
            surface text not null,
            source text,
            platform text not null,
            os_version text,
            os_build text,
            app_version text not null,
            channel text not null,
            booted_at timestamptz,
            first_launched_at timestamptz,
            gallery_policy bigint,
            content json not null,
            primary key (device_id, event_id, occurred_at)
        ) partition by range (occurred_at);
        comment on table census.observation is 'Device, append-only. Every accepted event, a partition a day. An event is identified by device, id and time as sent.';
        comment on column census.observation.device_id is 'Keyed hash of the app and the device id; raw ids are not kept.';
        comment on column census.observation.event_id is 'The sender''s id of the event.';
        comment on column census.observation.occurred_at is 'The event''s time as the device''s clock had it: part of its identity, never used to order events.';
        comment on column census.observation.corrected_at is 'The event''s time on the server''s clock.';
        comment on column census.observation.received_at is 'When the batch arrived.';
        comment on column census.observation.app_number is 'The app.';
        comment on column census.observation.installation_id is 'Keyed hash of the installation id.';
        comment on column census.observation.type is 'The type on the wire, such as widgets_reported.';
        comment on column census.observation.surface is 'widget, control, live_activity or today.';
        comment on column census.observation.source is 'Who spoke: app, extension, or what the sender calls it.';
        comment on column census.observation.platform is 'ios, ipados, macos, watchos, visionos or android.';
        comment on column census.observation.os_version is 'As sent, such as 14.3.';
        comment on column census.observation.os_build is 'As sent, such as 18C66: what tells a beta from its release.';
        comment on column census.observation.app_version is 'As sent.';
        comment on column census.observation.channel is 'Anything but production is kept and never counted.';
        comment on column census.observation.booted_at is 'When the device last started, on the server''s clock; null when not sent.';
        comment on column census.observation.first_launched_at is 'The app''s first launch in this installation, on the server''s clock; null when not sent.';
        comment on column census.observation.gallery_policy is 'The version of the gallery policy that the app had applied.';
        comment on column census.observation.content is 'What the event says, in one canonical spelling: equal contents have equal text.';

        -- A clock that is years off must not fail an insert: what belongs to no day that was made ahead lands here.
        create table census.observation_other partition of census.observation default;
        comment on table census.observation_other is 'Observations whose time as sent lies outside all partitions made so far.';

        create table census.refused (
            device_id uuid not null,
            refused_on date not null,
            digest bytea not null,
            app_number integer not null,
            received_at timestamptz not null,
            code text not null,
            message text not null,
            event_id text,
            event bytea not null,
            primary key (device_id, refused_on, digest)
        );
        comment on table census.refused is 'Device. Events refused at the door, with the reason; a redelivery on the same day adds nothing.';
        comment on column census.refused.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.refused.refused_on is 'The day, in UTC.';
        comment on column census.refused.digest is 'SHA-256 of the event as sent.';
        comment on column census.refused.app_number is 'The app.';
        comment on column census.refused.received_at is 'When the batch arrived.';
        comment on column census.refused.code is 'The stable code on the wire, such as too_old.';
        comment on column census.refused.message is 'The sentence that the sender got.';
        comment on column census.refused.event_id is 'The event''s id, where it could be read.';
        comment on column census.refused.event is 'The event''s bytes as sent, at most 64 KiB of them.';

        create table census.pending_device (
            device_id uuid not null,
            pending_number bigint generated always as identity,
            app_number integer not null,
            primary key (device_id, pending_number)
        );
        comment on table census.pending_device is 'Local queue. Devices with observations that the reconciler has not seen; written in the transaction of the observations, so that one committed late is never skipped.';
        comment on column census.pending_device.pending_number is 'Tells entries apart; no order.';
        comment on column census.pending_device.app_number is 'The app.';
        comment on column census.pending_device.device_id is 'The device; may be queued several times.';

        create table census.device (
            device_id uuid primary key,
            app_number integer not null,
            installation_id uuid not null,
            is_settled boolean not null,
            is_cloned boolean not null,
            platform text not null,
            os_version text,
            app_version text not null,
            first_heard_at timestamptz not null,
            last_heard_at timestamptz not null,
            last_report_at timestamptz,
            silent_at timestamptz not null,
            constraint device_times_are_ordered check (first_heard_at <= last_heard_at and last_heard_at < silent_at)
        );
        comment on table census.device is 'Device. Each device as of its last reconciled observation.';
        comment on column census.device.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.device.app_number is 'The app.';
        comment on column census.device.installation_id is 'Keyed hash of the current installation.';
        comment on column census.device.is_settled is 'The device has booted since the app''s first launch: what the OS claims is true.';
        comment on column census.device.is_cloned is 'An installation that had ended went on sending.';
        comment on column census.device.platform is 'As last sent.';
        comment on column census.device.os_version is 'As last sent.';
        comment on column census.device.app_version is 'As last sent.';
        comment on column census.device.first_heard_at is 'Time of the first observation.';
        comment on column census.device.last_heard_at is 'Time of the last one.';
        comment on column census.device.last_report_at is 'Time of the last successful report in the current installation.';
        comment on column census.device.silent_at is 'When the device leaves every count, unless it is heard from before.';
        create index device_app on census.device (app_number, silent_at);

        create table census.span (
            device_id uuid not null,
            ordinal integer not null,
            app_number integer not null,
            surface text not null,
            kind text not null,
            family text,
            intent text,
            configuration text,
            instance text,
            from_at timestamptz not null,
            to_at timestamptz,
            certain integer not null,
            suspect integer not null,
            reported integer not null,
            still_there integer,
            claim_platform text,
            claim_os_version text,
            began_cause text not null,
            began_rule text not null,
            ended_cause text,
            ended_rule text,
            primary key (device_id, ordinal),
            constraint span_has_length check (from_at < to_at),
            constraint span_holds_something check (certain >= 0 and suspect >= 0 and reported >= 0 and certain + suspect + reported > 0),
            constraint span_outcome_is_within check (still_there between 0 and suspect),
            constraint span_end_has_a_cause check ((to_at is null) = (ended_cause is null) and (to_at is null) = (ended_rule is null))
        );
        comment on table census.span is 'Device. A stretch of time in which a device held the same number of equal placements.';
        comment on column census.span.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.span.ordinal is 'Tells the spans of a device apart; no order.';
        comment on column census.span.app_number is 'The app.';
        comment on column census.span.surface is 'widget, control, live_activity or today.';
        comment on column census.span.kind is 'The widget''s kind.';
        comment on column census.span.family is 'systemSmall and so on; null where the app does not send it.';
        comment on column census.span.intent is 'Class name of the configuration intent.';
        comment on column census.span.configuration is 'Digest of the user''s settings.';
        comment on column census.span.instance is 'Android''s appWidgetId or a control''s token digest.';
        comment on column census.span.from_at is 'Since when.';
        comment on column census.span.to_at is 'Until when, excluded; null while it lasts.';
        comment on column census.span.certain is 'Placements that the evidence forces.';
        comment on column census.span.suspect is 'Placements that the OS reports and that may be stale.';
        comment on column census.span.reported is 'What the last successful report claimed.';
        comment on column census.span.still_there is 'Of the suspects, how many a reboot proved to have been there; null while unknown.';
        comment on column census.span.claim_platform is 'The platform that first claimed the suspects.';
        comment on column census.span.claim_os_version is 'The OS version that first claimed the suspects.';
        comment on column census.span.began_cause is 'Why it began, in the words of report.changes.';
        comment on column census.span.began_rule is 'The rule of docs/reconciliation.md that began it.';
        comment on column census.span.ended_cause is 'Why it ended.';
        comment on column census.span.ended_rule is 'The rule that ended it.';
        create index span_live on census.span (app_number, surface, kind) where to_at is null;
        create index span_settled on census.span (app_number) where ended_rule = 'reboot' and still_there is not null;
        create index span_time on census.span (app_number, from_at, to_at);

        create table census.restatement (
            app_number integer primary key,
            from_day date not null
        );
        comment on table census.restatement is 'Local. The earliest day whose spans changed since the app''s last night.';
        comment on column census.restatement.app_number is 'The app.';
        comment on column census.restatement.from_day is 'In the app''s zone.';

        create table census.closed_day (
            app_number integer not null,
            day date not null,
            closed_at timestamptz not null default now(),
            restated_at timestamptz,
            primary key (app_number, day)
        );
        comment on table census.closed_day is 'Local. The days that the nightly job has closed.';
        comment on column census.closed_day.app_number is 'The app.';
        comment on column census.closed_day.day is 'In the app''s zone.';
        comment on column census.closed_day.closed_at is 'When it was first closed.';
        comment on column census.closed_day.restated_at is 'When late data last changed it.';

        create table census.kind_day (
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            devices_certain bigint not null,
            devices_possible bigint not null,
            devices_still_there bigint not null,
            widgets_certain bigint not null,
            widgets_possible bigint not null,
            widgets_reported bigint not null,
            devices_certain_first_known bigint not null,
            devices_possible_first_known bigint not null,
            primary key (app_number, day, surface, kind),
            constraint kind_day_bounds_are_ordered check (
                0 <= devices_certain and devices_certain + devices_still_there <= devices_possible
                and 0 <= widgets_certain and widgets_certain <= widgets_possible)
        );
        comment on table census.kind_day is 'Local aggregate. How many devices and widgets each kind had at the end of each closed day.';
        comment on column census.kind_day.app_number is 'The app.';
        comment on column census.kind_day.day is 'In the app''s zone.';
        comment on column census.kind_day.surface is 'widget, control, live_activity or today.';
        comment on column census.kind_day.kind is 'The widget''s kind.';
        comment on column census.kind_day.devices_certain is 'Devices that certainly held it.';
        comment on column census.kind_day.devices_possible is 'Devices that certainly or possibly held it.';
        comment on column census.kind_day.devices_still_there is 'Of those that only possibly held it: proved later to have held it.';
        comment on column census.kind_day.widgets_certain is 'Placements that were certain.';
        comment on column census.kind_day.widgets_possible is 'Placements that were certain or suspect.';
        comment on column census.kind_day.widgets_reported is 'Placements that the OS claimed.';
        comment on column census.kind_day.devices_certain_first_known is 'devices_certain when the day was first closed.';
        comment on column census.kind_day.devices_possible_first_known is 'devices_possible when the day was first closed.';

        create table census.kind_day_unsettled (
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            platform text not null,
            os_version text not null,
            devices bigint not null,
            primary key (app_number, day, surface, kind, platform, os_version),
            constraint kind_day_unsettled_counts check (devices > 0)
        );
        comment on table census.kind_day_unsettled is 'Local aggregate. Devices that possibly held a kind and whose suspects no reboot has settled, by the OS of the claim: the share that weighs them moves, these numbers do not.';
        comment on column census.kind_day_unsettled.app_number is 'The app.';
        comment on column census.kind_day_unsettled.day is 'In the app''s zone.';
        comment on column census.kind_day_unsettled.surface is 'widget, control, live_activity or today.';
        comment on column census.kind_day_unsettled.kind is 'The widget''s kind.';
        comment on column census.kind_day_unsettled.platform is 'The platform that first claimed them.';
        comment on column census.kind_day_unsettled.os_version is 'The OS version that first claimed them; empty when unknown.';
        comment on column census.kind_day_unsettled.devices is 'Devices.';

        create table census.kind_act (
            act_number bigint generated always as identity primary key,
            app_number integer not null references census.app,
            surface text not null,
            kind text not null,
            lifecycle text not null,
            actor text not null,
            acted_at timestamptz not null default now(),
            devices_certain bigint not null,
            devices_possible bigint not null,
            constraint kind_act_lifecycle_is_known check (lifecycle in ('active', 'legacy', 'retired'))
        );
        comment on table census.kind_act is 'Local. What people decided about a kind: who, when, and on which numbers. The last act holds.';
        comment on column census.kind_act.act_number is 'Grows with every act; also the version of the app''s gallery policy.';
        comment on column census.kind_act.app_number is 'The app.';
        comment on column census.kind_act.surface is 'widget, control, live_activity or today.';
        comment on column census.kind_act.kind is 'The widget''s kind.';
        comment on column census.kind_act.lifecycle is 'active, legacy or retired; retire_ready is computed.';
        comment on column census.kind_act.actor is 'Who decided: the account that ran the command.';
        comment on column census.kind_act.acted_at is 'When.';
        comment on column census.kind_act.devices_certain is 'What live_now said at that moment.';
        comment on column census.kind_act.devices_possible is 'What live_now said at that moment.';
        create index kind_act_of_kind on census.kind_act (app_number, surface, kind, act_number);
        """#)
    static let `0002_all_rules` = Statement(
        "0002_all_rules",
        #"""
        -- All rules of docs/reconciliation.md, folded onto checkpoints.

        alter table census.app
            add column doubted_builds text[] not null default '{}';
        comment on column census.app.doubted_builds is 'OS builds whose lists are not believed, such as the betas of iOS 14.0: what they claim is possible only.';

        alter table census.pending_device
            add column earliest_at timestamptz,
            add column occurred_from timestamptz;
        comment on column census.pending_device.earliest_at is 'The earliest corrected time of the observations that queued the device; null: it is to be folded from the start.';
        comment on column census.pending_device.occurred_from is 'Their earliest time as sent: no older partition has to be read.';

        alter table census.device
            add column checkpoint bytea,
            add column folded_through timestamptz,
            add column suspect_since timestamptz,
            add column last_ordinal integer not null default 0;
        comment on column census.device.checkpoint is 'The fold''s state after the last reconciled observation; null, or written by other rules: the device is folded from the start.';
        comment on column census.device.folded_through is 'The latest corrected time that is in the checkpoint: what comes for later times is folded onto it.';
        comment on column census.device.suspect_since is 'Since when there are suspects without an outcome: spans of suspects since then may still change.';
        comment on column census.device.last_ordinal is 'The highest ordinal among the device''s spans.';

        alter table census.span
            add column presumed integer not null default 0,
            add column claim_rule text,
            drop constraint span_holds_something,
            add constraint span_holds_something check (
                certain >= 0 and presumed >= 0 and suspect >= 0 and reported >= 0 and certain + presumed + suspect + reported > 0);
        comment on column census.span.presumed is 'Placements that nothing proves and nothing speaks against: possible, and expected to be real.';
        comment on column census.span.claim_rule is 'The rule that doubts the suspects: reinstall or fresh_install.';
        comment on column census.span.still_there is 'Of the suspects, how many proved to have been there; null while unknown.';
        update census.span set
            claim_rule = 'reinstall'
        where suspect > 0;

        drop index census.span_settled;
        create index span_settled on census.span (app_number)
        where still_there is not null and ended_rule in ('reboot', 'sign_of_life');

        create index span_fading on census.span (to_at)
        where ended_cause = 'silent';

        create table census.set_aside (
            device_id uuid primary key,
            app_number integer not null,
            set_aside_at timestamptz not null default now(),
            reason text not null
        );
        comment on table census.set_aside is 'Device. Devices whose history could not be reconciled: their numbers stand as they were. The next observation has them tried again.';
        comment on column census.set_aside.device_id is 'The device.';
        comment on column census.set_aside.app_number is 'The app.';
        comment on column census.set_aside.set_aside_at is 'When it was last tried.';
        comment on column census.set_aside.reason is 'What was wrong.';

        alter table census.kind_day
            add column devices_reported bigint not null default 0;
        comment on column census.kind_day.devices_reported is 'Devices whose OS claimed it: the naive number.';
        comment on column census.kind_day.devices_still_there is 'Of those that only possibly held it: proved later to have held it, or presumed to.';

        alter table census.kind_day_unsettled
            add column claim_rule text not null default 'reinstall',
            drop constraint kind_day_unsettled_pkey,
            add primary key (app_number, day, surface, kind, platform, os_version, claim_rule);
        comment on column census.kind_day_unsettled.claim_rule is 'The rule that doubts them: reinstall or fresh_install.';

        -- The rules are others now: every device is read anew.
        insert into census.pending_device (app_number, device_id)
        select
            app_number,
            device_id
        from census.device;
        """#)
    static let `0003_ledger` = Statement(
        "0003_ledger",
        #"""
        -- The ledger: what every reconciled device changes goes into net changes per day, and a night makes levels of them
        -- (docs/decisions/0016-net-changes.md).
        --
        -- Levels stand in the tables that end in _day, net changes that no night has taken yet in those that end in _entry.
        -- Every device is read anew: what was counted before was counted from spans and left no net changes.

        -- What a device is and does, beside what it holds.

        create table census.phase (
            device_id uuid not null,
            from_at timestamptz not null,
            app_number integer not null,
            to_at timestamptz,
            platform text not null,
            os_version text,
            app_version text not null,
            gallery_policy bigint,
            is_reporting boolean not null,
            is_cloned boolean not null,
            primary key (device_id, from_at),
            constraint phase_has_length check (from_at < to_at)
        );
        comment on table census.phase is 'Device. A stretch of time in which a device was heard from and ran one version of the app on one version of the OS.';
        comment on column census.phase.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.phase.from_at is 'Since when.';
        comment on column census.phase.app_number is 'The app.';
        comment on column census.phase.to_at is 'Until when, excluded; null while it lasts: it ends at device.silent_at.';
        comment on column census.phase.platform is 'ios, ipados, macos, watchos, visionos or android.';
        comment on column census.phase.os_version is 'Major and minor; null when not sent.';
        comment on column census.phase.app_version is 'As sent.';
        comment on column census.phase.gallery_policy is 'The version of the gallery policy that the app last said it had applied; null: none.';
        comment on column census.phase.is_reporting is 'A report had succeeded within the activity window; of the last phase only until device.reporting_until.';
        comment on column census.phase.is_cloned is 'An installation that had ended had gone on sending.';

        alter table census.device
            drop column suspect_since,
            add column zone text,
            add column reporting_until timestamptz,
            add column due_at timestamptz;
        comment on column census.device.zone is 'The zone whose days its net changes were entered by; null: it was not counted yet.';
        comment on column census.device.reporting_until is 'Until when its last successful report of any installation counts; null: none ever succeeded.';
        comment on column census.device.due_at is 'When time alone will next change what it counts for (silent_at, reporting_until); what lies before is entered, null: all of it.';
        create index device_due on census.device (due_at)
        where due_at is not null;
        drop index census.device_app;
        -- Nothing counts from spans any more but the check of it, which reads them all.
        drop index census.span_time;
        drop index census.span_settled;
        drop index census.span_fading;
        drop table census.restatement;

        create table census.reconciled (
            app_number integer primary key,
            as_of timestamptz not null
        );
        comment on table census.reconciled is 'Local. How far each app is reconciled.';
        comment on column census.reconciled.app_number is 'The app.';
        comment on column census.reconciled.as_of is 'Time of its last reconciled event.';

        -- Levels.

        alter table census.kind_day
            add column widgets_suspect bigint not null default 0,
            add column widgets_gone bigint not null default 0,
            add column widgets_still_there bigint not null default 0,
            add constraint kind_day_outcomes_are_within check (
                widgets_gone >= 0 and widgets_still_there >= 0 and widgets_gone + widgets_still_there <= widgets_suspect);
        comment on column census.kind_day.widgets_suspect is 'Placements that the OS reported and that might have been stale.';
        comment on column census.kind_day.widgets_gone is 'Of these, proved later to have been gone: ghosts.';
        comment on column census.kind_day.widgets_still_there is 'Of these, proved later to have been there.';
        update census.kind_day set
            devices_certain = 0,
            devices_possible = 0,
            devices_still_there = 0,
            devices_reported = 0,
            widgets_certain = 0,
            widgets_possible = 0,
            widgets_reported = 0;
        delete from census.kind_day_unsettled;
        alter table census.kind_day_unsettled
            drop constraint kind_day_unsettled_counts,
            add constraint kind_day_unsettled_counts check (devices >= 0);

        create table census.install_day (
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            family text not null,
            app_version text not null,
            os_version text not null,
            platform text not null,
            devices_certain bigint not null,
            devices_possible bigint not null,
            widgets_certain bigint not null,
            widgets_possible bigint not null,
            widgets_reported bigint not null,
            primary key (app_number, day, surface, kind, family, app_version, os_version, platform),
            constraint install_day_bounds_are_ordered check (
                0 <= devices_certain and devices_certain <= devices_possible
                and 0 <= widgets_certain and widgets_certain <= widgets_possible and 0 <= widgets_reported)
        );
        comment on table census.install_day is 'Local aggregate. Devices and widgets at the end of each closed day, by all that tells installs apart; what is zero has no row.';
        comment on column census.install_day.app_number is 'The app.';
        comment on column census.install_day.day is 'In the app''s zone.';
        comment on column census.install_day.surface is 'widget, control, live_activity or today.';
        comment on column census.install_day.kind is 'The widget''s kind.';
        comment on column census.install_day.family is 'systemSmall and so on; empty where the app does not send it.';
        comment on column census.install_day.app_version is 'The version that the device ran when the day ended.';
        comment on column census.install_day.os_version is 'Major and minor; empty when not sent.';
        comment on column census.install_day.platform is 'ios, ipados, macos, watchos, visionos or android.';
        comment on column census.install_day.devices_certain is 'Devices that certainly held it.';
        comment on column census.install_day.devices_possible is 'Devices that certainly or possibly held it.';
        comment on column census.install_day.widgets_certain is 'Placements that were certain.';
        comment on column census.install_day.widgets_possible is 'Placements that were certain or possible.';
        comment on column census.install_day.widgets_reported is 'Placements that the OS claimed.';

        create table census.device_day (
            app_number integer not null,
            day date not null,
            app_version text not null,
            os_version text not null,
            platform text not null,
            gallery_policy bigint not null,
            devices_active bigint not null,
            devices_with_widget bigint not null,
            devices_reporting bigint not null,
            devices_cloned bigint not null,
            primary key (app_number, day, app_version, os_version, platform, gallery_policy),
            constraint device_day_counts_are_within check (
                devices_with_widget between 0 and devices_active
                and devices_reporting between 0 and devices_active
                and devices_cloned between 0 and devices_active)
        );
        comment on table census.device_day is 'Local aggregate. Devices heard from in the activity window that ended with each closed day; every device is in one row of a day.';
        comment on column census.device_day.app_number is 'The app.';
        comment on column census.device_day.day is 'In the app''s zone.';
        comment on column census.device_day.app_version is 'The version that the device ran when the day ended.';
        comment on column census.device_day.os_version is 'Major and minor; empty when not sent.';
        comment on column census.device_day.platform is 'ios, ipados, macos, watchos, visionos or android.';
        comment on column census.device_day.gallery_policy is 'The version of the gallery policy that it had applied; 0: none.';
        comment on column census.device_day.devices_active is 'Devices heard from within the window.';
        comment on column census.device_day.devices_with_widget is 'Of these, certainly held a placement on the surface widget or today.';
        comment on column census.device_day.devices_reporting is 'Of these, sent a successful report within the window.';
        comment on column census.device_day.devices_cloned is 'Of these, known to live twice: an installation that had ended had gone on sending.';

        -- What happened on a day.

        create table census.change_day (
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            family text not null,
            cause text not null,
            widgets_added bigint not null,
            widgets_removed bigint not null,
            primary key (app_number, day, surface, kind, family, cause),
            constraint change_day_counts check (widgets_added >= 0 and widgets_removed >= 0)
        );
        comment on table census.change_day is 'Local aggregate. Certain placements that came and went on each closed day, by cause.';
        comment on column census.change_day.app_number is 'The app.';
        comment on column census.change_day.day is 'In the app''s zone.';
        comment on column census.change_day.surface is 'widget, control, live_activity or today.';
        comment on column census.change_day.kind is 'The widget''s kind.';
        comment on column census.change_day.family is 'systemSmall and so on; empty where the app does not send it.';
        comment on column census.change_day.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten.';
        comment on column census.change_day.widgets_added is 'Placements that became certain.';
        comment on column census.change_day.widgets_removed is 'Placements that were certain and no longer were.';

        create table census.outcome_day (
            app_number integer not null,
            day date not null,
            platform text not null,
            os_version text not null,
            claim_rule text not null,
            suspects_settled bigint not null,
            suspects_still_there bigint not null,
            suspect_seconds bigint not null,
            primary key (app_number, day, platform, os_version, claim_rule),
            constraint outcome_day_counts check (suspects_still_there between 0 and suspects_settled and suspect_seconds >= 0)
        );
        comment on table census.outcome_day is 'Local aggregate. Suspects of which it became known on each closed day whether they were there, by what had claimed them first.';
        comment on column census.outcome_day.app_number is 'The app.';
        comment on column census.outcome_day.day is 'In the app''s zone.';
        comment on column census.outcome_day.platform is 'The platform that first claimed them.';
        comment on column census.outcome_day.os_version is 'The OS version that first claimed them, major and minor; empty when unknown.';
        comment on column census.outcome_day.claim_rule is 'The rule that doubted them: reinstall or fresh_install.';
        comment on column census.outcome_day.suspects_settled is 'Suspects of which it became known.';
        comment on column census.outcome_day.suspects_still_there is 'Of these, those that were there.';
        comment on column census.outcome_day.suspect_seconds is 'For how long they had been suspect, all together.';

        create table census.read_day (
            app_number integer not null,
            day date not null,
            reads bigint not null,
            reads_failed bigint not null,
            primary key (app_number, day),
            constraint read_day_counts check (reads_failed between 0 and reads)
        );
        comment on table census.read_day is 'Local aggregate. How often apps read the list of widgets on each closed day.';
        comment on column census.read_day.app_number is 'The app.';
        comment on column census.read_day.day is 'In the app''s zone.';
        comment on column census.read_day.reads is 'Reports, successful or not.';
        comment on column census.read_day.reads_failed is 'Of these, reads that had failed.';

        -- Net changes that no night has taken yet.

        create table census.kind_entry (
            entry_number bigint generated always as identity primary key,
            like census.kind_day including comments
        );
        alter table census.kind_entry
            drop column devices_certain_first_known,
            drop column devices_possible_first_known;
        comment on table census.kind_entry is 'Local queue. Net changes of kind_day: what from this day on is more or less.';
        comment on column census.kind_entry.entry_number is 'Tells entries apart; no order.';

        create table census.kind_unsettled_entry (
            entry_number bigint generated always as identity primary key,
            like census.kind_day_unsettled including comments
        );
        comment on table census.kind_unsettled_entry is 'Local queue. Net changes of kind_day_unsettled: what from this day on is more or less.';
        comment on column census.kind_unsettled_entry.entry_number is 'Tells entries apart; no order.';

        create table census.install_entry (
            entry_number bigint generated always as identity primary key,
            like census.install_day including comments
        );
        comment on table census.install_entry is 'Local queue. Net changes of install_day: what from this day on is more or less.';
        comment on column census.install_entry.entry_number is 'Tells entries apart; no order.';

        create table census.device_entry (
            entry_number bigint generated always as identity primary key,
            like census.device_day including comments
        );
        comment on table census.device_entry is 'Local queue. Net changes of device_day: what from this day on is more or less.';
        comment on column census.device_entry.entry_number is 'Tells entries apart; no order.';

        create table census.change_entry (
            entry_number bigint generated always as identity primary key,
            like census.change_day including comments
        );
        comment on table census.change_entry is 'Local queue. Net changes of change_day: what on this day is more or less.';
        comment on column census.change_entry.entry_number is 'Tells entries apart; no order.';

        create table census.outcome_entry (
            entry_number bigint generated always as identity primary key,
            like census.outcome_day including comments
        );
        comment on table census.outcome_entry is 'Local queue. Net changes of outcome_day: what on this day is more or less.';
        comment on column census.outcome_entry.entry_number is 'Tells entries apart; no order.';

        create table census.read_entry (
            entry_number bigint generated always as identity primary key,
            app_number integer not null,
            quarter_at timestamptz not null,
            reads bigint not null,
            reads_failed bigint not null
        );
        comment on table census.read_entry is 'Local queue. Reads in the transaction that stored them; days begin at quarters of an hour in every zone.';
        comment on column census.read_entry.entry_number is 'Tells entries apart; no order.';
        comment on column census.read_entry.app_number is 'The app.';
        comment on column census.read_entry.quarter_at is 'Start of the quarter of an hour, on the server''s clock.';
        comment on column census.read_entry.reads is 'Reports, successful or not.';
        comment on column census.read_entry.reads_failed is 'Of these, reads that had failed.';

        -- What was refused, by app and day, as report.refused counts it: the index alone answers, a million events in 0.2 s. All
        -- messages are our own sentences, and short.
        create index refused_app on census.refused (app_number, refused_on, code, message);

        -- Retention.

        create table census.retention (
            is_single boolean primary key default true,
            days integer not null default 90,
            kept_from date,
            constraint retention_is_single check (is_single),
            constraint retention_is_sane check (days between 1 and 3650)
        );
        comment on table census.retention is 'Lookup. For how long observations are kept; one row.';
        comment on column census.retention.is_single is 'Always true: there is one row.';
        comment on column census.retention.days is 'Days for which an observation is kept; older events are refused as too_old.';
        comment on column census.retention.kept_from is 'The first day, in UTC, of which every observation is kept; null: none was dropped yet.';
        insert into census.retention default values;

        -- Events of clocks that are ahead lie in partitions of later days than theirs.
        create index observation_ahead on census.observation (corrected_at)
        where corrected_at < occurred_at;

        create table census.device_base (
            device_id uuid primary key,
            app_number integer not null,
            folded_through timestamptz not null,
            checkpoint bytea not null
        );
        comment on table census.device_base is 'Device. What a device''s observations had led to that are no longer kept: late data are folded onto it.';
        comment on column census.device_base.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.device_base.app_number is 'The app.';
        comment on column census.device_base.folded_through is 'No observation up to this time is needed any more.';
        comment on column census.device_base.checkpoint is 'The fold''s state then.';

        -- Versions make cells, too, and clients choose them.

        alter table census.known_name
            drop constraint known_name_dimension_is_known,
            add constraint known_name_dimension_is_known check (dimension in ('kind', 'family', 'app_version', 'os_version'));
        comment on table census.known_name is 'Lookup. The kinds, families and versions seen so far: what the caps against broken clients count.';
        comment on column census.known_name.dimension is 'kind, family, app_version or os_version (major and minor).';

        -- Nights.

        create table census.night_run (
            run_number bigint generated always as identity primary key,
            started_at timestamptz not null default now(),
            finished_at timestamptz,
            failure text,
            devices bigint,
            observations bigint,
            spans_changed bigint,
            days_closed bigint,
            days_restated bigint,
            partitions_made bigint,
            partitions_dropped bigint,
            reconcile_seconds double precision,
            close_seconds double precision,
            keep_seconds double precision,
            verify_seconds double precision
        );
        comment on table census.night_run is 'Local. Every run of the nightly job.';
        comment on column census.night_run.run_number is 'Grows with every run.';
        comment on column census.night_run.started_at is 'When it began.';
        comment on column census.night_run.finished_at is 'When it ended; null: it runs still, or was killed.';
        comment on column census.night_run.failure is 'Why it failed; null: it did not.';
        comment on column census.night_run.devices is 'Devices that were reconciled.';
        comment on column census.night_run.observations is 'Observations that were folded.';
        comment on column census.night_run.spans_changed is 'Spans that were written or deleted.';
        comment on column census.night_run.days_closed is 'Days that were closed for the first time, of all apps.';
        comment on column census.night_run.days_restated is 'Closed days whose numbers changed, of all apps.';
        comment on column census.night_run.partitions_made is 'Partitions of observations made ahead.';
        comment on column census.night_run.partitions_dropped is 'Partitions past the retention.';
        comment on column census.night_run.reconcile_seconds is 'How long it took to reconcile.';
        comment on column census.night_run.close_seconds is 'How long it took to make levels of net changes.';
        comment on column census.night_run.keep_seconds is 'How long partitions and retention took.';
        comment on column census.night_run.verify_seconds is 'How long the check took; null: it was not asked for.';

        insert into census.pending_device (app_number, device_id)
        select
            app_number,
            device_id
        from census.device;
        """#)
    static let `0004_forgetting` = Statement(
        "0004_forgetting",
        #"""
        -- Devices that asked to be forgotten (docs/decisions/0019-forgetting.md).

        create table census.forgotten (
            device_hash bytea primary key,
            app_number integer not null,
            forgotten_at timestamptz not null,
            erasing_device_id uuid,
            constraint forgotten_hash_is_one check (length(device_hash) = 32)
        );
        comment on table census.forgotten is 'Local. Devices that were forgotten: what still comes of them is accepted and dropped, until retention ends.';
        comment on column census.forgotten.device_hash is 'SHA-256 of the device_id that it had.';
        comment on column census.forgotten.app_number is 'The app.';
        comment on column census.forgotten.forgotten_at is 'When that was last asked for.';
        comment on column census.forgotten.erasing_device_id is 'The device_id while something of it may still be stored; null: all is gone.';
        create index forgotten_unfinished on census.forgotten (forgotten_at)
        where erasing_device_id is not null;
        """#)
    static let `0005_stored_states` = Statement(
        "0005_stored_states",
        #"""
        -- Stored states say how they are to be read (docs/decisions/0024-formats-and-rules.md).

        -- Under another name: a program from before this would not know the new bytes, take them for none, and fold the device from
        -- nothing. So it fails, and leaves the base as it is.
        alter table census.device_base
            rename column checkpoint to state;
        comment on column census.device_base.state is 'The fold''s state then, of any format and under any rules: evidence that is never written again from nothing.';
        comment on column census.device.checkpoint is 'The fold''s state after the last reconciled observation; null, or written under other rules: the device is folded again, onto its base.';
        comment on table census.set_aside is 'Device. Devices whose history could not be reconciled: their numbers stand as they were, and what they need is kept. The next observation has them tried again.';
        """#)
    static let `0006_no_night_stops` = Statement(
        "0006_no_night_stops",
        #"""
        -- Nothing that comes in stops a night, and what an older version may have broken is counted anew
        -- (docs/decisions/0025-no-night-stops.md, docs/decisions/0026-cells-by-hash.md, docs/decisions/0027-reads-by-quarter.md).

        -- Four names that clients choose did not fit in a row of an index. A hash of them does, however long they are: SHA-256 of
        -- each one's length and bytes, so that no two cells are written alike.

        alter table census.install_day
            drop constraint install_day_pkey,
            add column cell bytea not null generated always as (
                substring(sha256(replace(
                    length(surface)::text || ' ' || surface || length(kind)::text || ' ' || kind
                    || length(family)::text || ' ' || family || length(app_version)::text || ' ' || app_version
                    || length(os_version)::text || ' ' || os_version || platform, '\', '\\')::bytea), 1, 16)) stored,
            add primary key (app_number, day, cell);
        comment on column census.install_day.cell is 'Stands for the six columns after the day: the first 16 bytes of a SHA-256.';

        alter table census.install_entry
            add column cell bytea not null generated always as (
                substring(sha256(replace(
                    length(surface)::text || ' ' || surface || length(kind)::text || ' ' || kind
                    || length(family)::text || ' ' || family || length(app_version)::text || ' ' || app_version
                    || length(os_version)::text || ' ' || os_version || platform, '\', '\\')::bytea), 1, 16)) stored;
        comment on column census.install_entry.cell is 'Stands for the six columns after the day: the first 16 bytes of a SHA-256.';

        -- How it went for each app.

        create table census.app_night (
            app_number integer primary key,
            closed_at timestamptz,
            fault text,
            failure text,
            failed_at timestamptz,
            is_doubted boolean not null default false,
            recounted_at timestamptz,
            constraint app_night_fault_is_known check (fault in ('away', 'data', 'set_up', 'ours')),
            constraint app_night_failure_is_whole check (
                (fault is null) = (failure is null) and (fault is null) = (failed_at is null))
        );
        comment on table census.app_night is 'Local. How the last night went for each app.';
        comment on column census.app_night.app_number is 'The app.';
        comment on column census.app_night.closed_at is 'When its days were last closed.';
        comment on column census.app_night.fault is 'Whose fault it is that they were not closed since: away, data, set_up or ours; null: they were.';
        comment on column census.app_night.failure is 'The same as a sentence, without data.';
        comment on column census.app_night.failed_at is 'When that was.';
        comment on column census.app_night.is_doubted is 'The next night counts its ledger anew from the spans before it closes a day.';
        comment on column census.app_night.recounted_at is 'When its ledger was last counted anew.';

        alter table census.night_run
            add column apps_failed bigint,
            add column ledgers_recounted bigint;
        comment on column census.night_run.apps_failed is 'Apps whose days could not be closed; census.app_night says why.';
        comment on column census.night_run.ledgers_recounted is 'Apps whose ledger was counted anew from the spans.';
        comment on column census.night_run.failure is 'Why it failed, or could not close the days of some apps; null: it did not.';

        -- Reads stay in quarters of an hour, which belong to a day in every zone. Of those counted before, only the day is known:
        -- they stand at its noon.

        create table census.read_quarter (
            app_number integer not null,
            quarter_at timestamptz not null,
            reads bigint not null,
            reads_failed bigint not null,
            reads_erased bigint not null default 0,
            reads_failed_erased bigint not null default 0,
            is_of_day boolean not null default false,
            -- With the numbers: coverage reads a hundred rows for a day, and needs nothing else of them.
            primary key (app_number, quarter_at, is_of_day) include (reads, reads_failed),
            constraint read_quarter_counts check (
                reads_failed between 0 and reads and reads_failed_erased between 0 and reads_erased)
        );
        comment on table census.read_quarter is 'Local aggregate. How often apps read the list of widgets, by quarter of an hour: days begin at one in every zone.';
        comment on column census.read_quarter.app_number is 'The app.';
        comment on column census.read_quarter.quarter_at is 'Start of the quarter of an hour, on the server''s clock.';
        comment on column census.read_quarter.reads is 'Reports, successful or not.';
        comment on column census.read_quarter.reads_failed is 'Of these, reads that had failed.';
        comment on column census.read_quarter.reads_erased is 'Of these, reads of devices that were forgotten: the log no longer has them.';
        comment on column census.read_quarter.reads_failed_erased is 'Of those, reads that had failed.';
        comment on column census.read_quarter.is_of_day is 'All of a day, at its noon: it was counted before quarters were kept.';
        insert into census.read_quarter (app_number, quarter_at, reads, reads_failed, is_of_day)
        select
            read_day.app_number,
            date_bin('15 minutes', (read_day.day + time '12:00') at time zone app.zone, '2000-01-01 00:00:00+00'),
            read_day.reads,
            read_day.reads_failed,
            true
        from census.read_day
        join census.app
            on app.app_number = read_day.app_number;
        -- The view of the version before still reads it: it goes when that is gone.
        delete from census.read_day;
        comment on table census.read_day is 'Local. Empty and no longer used: read_quarter has what it had.';

        alter table census.read_entry
            add column reads_erased bigint not null default 0,
            add column reads_failed_erased bigint not null default 0;
        comment on column census.read_entry.reads_erased is 'Of these, reads of devices that were forgotten since.';
        comment on column census.read_entry.reads_failed_erased is 'Of those, reads that had failed.';

        -- What a restored instance held was renamed back to where it began, which the ledger had not been told. All devices are folded
        -- anew, since the rules are others now; and the ledger of apps that may have such is counted anew.

        insert into census.app_night (app_number, is_doubted)
        select distinct
            app_number,
            true
        from census.device
        where platform = 'android';
        """#)
    static let `0007_what_events_leave_open` = Statement(
        "0007_what_events_leave_open",
        #"""
        -- What events leave open, and what a span says of itself (docs/decisions/0032-what-events-leave-open.md).

        alter table census.span
            add column either integer not null default 0,
            add column settled integer not null default 0,
            add column returned integer not null default 0,
            drop constraint span_holds_something,
            add constraint span_holds_something check (
                certain >= 0 and presumed >= 0 and suspect >= 0 and either >= 0 and reported >= 0
                and certain + presumed + suspect + either + reported > 0),
            add constraint span_says_what_it_holds check (settled between 0 and suspect and returned between 0 and certain);
        comment on column census.span.either is 'Placements of which an event left open whether it meant them: possible here, and not counted for the kind.';
        comment on column census.span.settled is 'Of the suspects, how many reached their outcome with this span though it ended for another reason than a boot or use.';
        comment on column census.span.returned is 'Of the certain ones that came when it began, how many came back from silence; the others came as began_cause says.';
        """#)
    static let `0008_implausible_devices` = Statement(
        "0008_implausible_devices",
        #"""
        -- Devices that tell of more than a phone can.

        alter table census.set_aside
            add column is_implausible boolean not null default false;
        comment on column census.set_aside.is_implausible is 'It tells of more than a phone can: it is not tried again, and its observations are not kept for longer than others.';
        comment on table census.set_aside is 'Device. Devices whose history could not be reconciled: their numbers stand as they were, and what they need is kept. The next observation has them tried again, but for implausible ones.';
        """#)
    static let `0009_manifests` = Statement(
        "0009_manifests",
        #"""
        -- What each version of an app ships. A manifest is never changed: what was compared with it must stay true.

        create table census.manifest (
            app_number integer not null references census.app,
            app_version text not null,
            added_at timestamptz not null default now(),
            added_by text not null,
            digest bytea not null,
            source text not null,
            primary key (app_number, app_version)
        );
        comment on table census.manifest is 'Lookup, append-only. What a version of an app says it ships.';
        comment on column census.manifest.app_number is 'The app.';
        comment on column census.manifest.app_version is 'The version, as devices send it.';
        comment on column census.manifest.added_at is 'When it was added.';
        comment on column census.manifest.added_by is 'Who added it: a name, or a release key by the beginning of its hash.';
        comment on column census.manifest.digest is 'SHA-256 of the manifest in its canonical spelling: the same again changes nothing, another one is refused.';
        comment on column census.manifest.source is 'The file as it was given.';

        create table census.manifest_kind (
            app_number integer not null,
            app_version text not null,
            surface text not null,
            kind text not null,
            families text[],
            intent text,
            migrates_from text[] not null,
            replaces text,
            primary key (app_number, app_version, surface, kind),
            foreign key (app_number, app_version) references census.manifest
        );
        comment on table census.manifest_kind is 'Lookup, append-only. The widget kinds of a manifest.';
        comment on column census.manifest_kind.app_number is 'The app.';
        comment on column census.manifest_kind.app_version is 'The version of the manifest.';
        comment on column census.manifest_kind.surface is 'widget, control, live_activity or today.';
        comment on column census.manifest_kind.kind is 'The widget''s kind.';
        comment on column census.manifest_kind.families is 'The families that it offers; null: any, empty: none.';
        comment on column census.manifest_kind.intent is 'Class name of the configuration intent; null: a static configuration.';
        comment on column census.manifest_kind.migrates_from is 'Former intents whose settings the intent takes over.';
        comment on column census.manifest_kind.replaces is 'The kind that it is offered instead of; null: none.';

        -- Losses that a person foresaw and accepted.

        create table census.acknowledgement (
            acknowledgement_number bigint generated always as identity primary key,
            app_number integer not null references census.app,
            fingerprint text not null,
            maximum_loss bigint not null,
            until_day date not null,
            acknowledged_by text not null,
            reason text not null,
            acknowledged_at timestamptz not null default now(),
            rule text,
            surface text,
            kind text,
            app_version text,
            constraint acknowledgement_fingerprint_is_one check (fingerprint ~ '^[0-9a-f]{12}$'),
            constraint acknowledgement_allows_a_loss check (maximum_loss >= 0)
        );
        create index acknowledgement_app on census.acknowledgement (app_number);
        comment on table census.acknowledgement is 'Lookup, append-only. Findings of preflight that a person accepted; the last one of a fingerprint counts.';
        comment on column census.acknowledgement.acknowledgement_number is 'The order in which they were given.';
        comment on column census.acknowledgement.app_number is 'The app.';
        comment on column census.acknowledgement.fingerprint is 'The finding: the first 12 hexadecimal digits of a SHA-256 over rule, app, surface, kind, old and new.';
        comment on column census.acknowledgement.maximum_loss is 'Devices that may lose a widget by it; if more may, it does not hold.';
        comment on column census.acknowledgement.until_day is 'The last day on which it holds, in UTC.';
        comment on column census.acknowledgement.acknowledged_by is 'Who accepted it.';
        comment on column census.acknowledgement.reason is 'Why.';
        comment on column census.acknowledgement.acknowledged_at is 'When.';
        comment on column census.acknowledgement.rule is 'The finding''s rule, where a manifest was at hand; null: not known.';
        comment on column census.acknowledgement.surface is 'The finding''s surface; null: not known.';
        comment on column census.acknowledgement.kind is 'The finding''s kind; null: not known.';
        comment on column census.acknowledgement.app_version is 'The version that was to be released; null: not known.';
        """#)
    static let `0010_decision` = Statement(
        "0010_decision",
        #"""
        -- What the decision rests on: silent holders day by day, the devices that come and go, and holders by version
        -- (docs/decisions/0039-what-the-decision-rests-on.md).
        --
        -- The next night recounts every app's ledger from its spans: what is counted here was not entered before.

        -- Silent holders.

        alter table census.kind_day add column devices_silent bigint not null default 0;
        comment on column census.kind_day.devices_silent is 'Devices that fell silent with it at most a year before, and counted by no other number.';
        alter table census.kind_entry add column devices_silent bigint not null default 0;
        comment on column census.kind_entry.devices_silent is 'Devices that fell silent with it at most a year before, and counted by no other number.';

        -- A year after a device fell silent, time alone changes what it counts for once more.
        update census.device set
            due_at = ((silent_at at time zone zone)::date + 365)::timestamp at time zone zone
        where due_at is null
            and zone is not null;

        -- Holders by version.

        create table census.version_day (
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            app_version text not null,
            os_version text not null,
            platform text not null,
            devices_certain bigint not null,
            devices_possible bigint not null,
            widgets_certain bigint not null,
            widgets_possible bigint not null,
            primary key (app_number, day, surface, kind, app_version, os_version, platform),
            constraint version_day_bounds_are_ordered check (
                0 <= devices_certain and devices_certain <= devices_possible
                and 0 <= widgets_certain and widgets_certain <= widgets_possible)
        );
        comment on table census.version_day is 'Local aggregate. Devices that held a kind at the end of each closed day, by what they ran: distinct devices, whatever the families.';
        comment on column census.version_day.app_number is 'The app.';
        comment on column census.version_day.day is 'In the app''s zone.';
        comment on column census.version_day.surface is 'widget, control, live_activity or today.';
        comment on column census.version_day.kind is 'The widget''s kind.';
        comment on column census.version_day.app_version is 'The version that the device ran when the day ended.';
        comment on column census.version_day.os_version is 'Major and minor; empty when not sent.';
        comment on column census.version_day.platform is 'ios, ipados, macos, watchos, visionos or android.';
        comment on column census.version_day.devices_certain is 'Devices that certainly held it.';
        comment on column census.version_day.devices_possible is 'Devices that certainly or possibly held it.';
        comment on column census.version_day.widgets_certain is 'Placements that were certain.';
        comment on column census.version_day.widgets_possible is 'Placements that were certain or possible.';

        create table census.version_entry (
            entry_number bigint generated always as identity primary key,
            like census.version_day including comments
        );
        comment on table census.version_entry is 'Local queue. Net changes of version_day: what from this day on is more or less.';
        comment on column census.version_entry.entry_number is 'Tells entries apart; no order.';

        -- Devices that come and go.

        create table census.holder_day (
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            cause text not null,
            devices_added bigint not null,
            devices_removed bigint not null,
            primary key (app_number, day, surface, kind, cause),
            constraint holder_day_counts check (devices_added >= 0 and devices_removed >= 0)
        );
        comment on table census.holder_day is 'Local aggregate. Devices that came to hold a kind for certain on each closed day, and that ceased to, by cause.';
        comment on column census.holder_day.app_number is 'The app.';
        comment on column census.holder_day.day is 'In the app''s zone.';
        comment on column census.holder_day.surface is 'widget, control, live_activity or today.';
        comment on column census.holder_day.kind is 'The widget''s kind.';
        comment on column census.holder_day.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; the first by name where placements differ.';
        comment on column census.holder_day.devices_added is 'Devices on which a placement became certain, and none was.';
        comment on column census.holder_day.devices_removed is 'Devices on which the last certain placement ceased to be.';

        create table census.holder_entry (
            entry_number bigint generated always as identity primary key,
            like census.holder_day including comments
        );
        comment on table census.holder_entry is 'Local queue. Net changes of holder_day: what on this day is more or less.';
        comment on column census.holder_entry.entry_number is 'Tells entries apart; no order.';

        insert into census.app_night (app_number, is_doubted)
        select app_number, true from census.app
        on conflict (app_number) do update set is_doubted = true;

        -- When a kind is ready. The first limits allowed a thousandth of the devices, which is much; an app that set others keeps
        -- them.

        update census.app set
            limit_devices = case when limit_devices = 100 then 1000 else limit_devices end,
            limit_share = case when limit_share = 0.001 then 0.0003 else limit_share end,
            ready_days = case when ready_days = 7 then 14 else ready_days end,
            minimum_coverage = case when minimum_coverage = 0.5 then 0.9 else minimum_coverage end;
        alter table census.app
            alter column limit_devices set default 1000,
            alter column limit_share set default 0.0003,
            alter column ready_days set default 14,
            alter column minimum_coverage set default 0.9;
        comment on column census.app.limit_share is '... and at most this share of the active devices, though three devices always may ...';
        comment on column census.app.ready_days is '... on so many days running, all of them ended and closed ...';

        -- Decisions, and what they were taken on.

        create index device_uncounted on census.device (app_number)
        where zone is null;

        alter table census.kind_act
            add column reason text,
            add column replaced_by text,
            add column figures json;
        comment on column census.kind_act.reason is 'Why, in the words of the person who decided; null: not said.';
        comment on column census.kind_act.replaced_by is 'The kind that people are to use instead; null: none was named.';
        comment on column census.kind_act.figures is 'The readiness of the kind when it was decided, as `kinds show --format json` has it; null for acts from before.';

        create table census.readiness (
            app_number integer not null references census.app,
            day date not null,
            surface text not null,
            kind text not null,
            decided_at timestamptz not null default now(),
            lifecycle text not null,
            devices_certain bigint not null,
            devices_possible bigint not null,
            devices_expected double precision not null,
            devices_silent bigint not null,
            devices_active bigint not null,
            devices_reporting bigint not null,
            devices_with_replacement bigint,
            limit_devices bigint not null,
            half_life_days double precision,
            half_life_low double precision,
            half_life_high double precision,
            ready_on date,
            ready_on_earliest date,
            ready_on_latest date,
            forecast text not null,
            verdict text not null,
            reason text not null,
            figures json not null,
            primary key (app_number, surface, kind, day),
            constraint readiness_verdict_is_known check (verdict in ('ready', 'not ready', 'unknown', 'retired'))
        );
        comment on table census.readiness is 'Local aggregate. The verdict on each kind that was ever marked, by the days that had ended then; the newest of a day stands.';
        comment on column census.readiness.app_number is 'The app.';
        comment on column census.readiness.day is 'The last day that had ended, in the app''s zone.';
        comment on column census.readiness.surface is 'widget, control, live_activity or today.';
        comment on column census.readiness.kind is 'The widget''s kind.';
        comment on column census.readiness.decided_at is 'When the verdict was made.';
        comment on column census.readiness.lifecycle is 'legacy, retired or active, as people had decided.';
        comment on column census.readiness.devices_certain is 'Active devices that certainly held it.';
        comment on column census.readiness.devices_possible is 'Active devices that certainly or possibly held it.';
        comment on column census.readiness.devices_expected is 'The best estimate between the bounds.';
        comment on column census.readiness.devices_silent is 'Devices that fell silent with it at most a year before.';
        comment on column census.readiness.devices_active is 'Devices heard from within the activity window.';
        comment on column census.readiness.devices_reporting is 'Of these, sent a successful report within it.';
        comment on column census.readiness.devices_with_replacement is 'Of the possible holders, held the replacing kind for certain; null: none was named.';
        comment on column census.readiness.limit_devices is 'devices_possible + devices_silent had to be at or under it.';
        comment on column census.readiness.half_life_days is 'Days in which half of the holders leave; null: it can''t be told.';
        comment on column census.readiness.half_life_low is 'Low end of its 80 % interval.';
        comment on column census.readiness.half_life_high is 'High end of its 80 % interval; null: open.';
        comment on column census.readiness.ready_on is 'The day on which it will be ready at this rate; null: never, or it can''t be told.';
        comment on column census.readiness.ready_on_earliest is 'The earliest day of the 80 % interval.';
        comment on column census.readiness.ready_on_latest is 'The latest day of the 80 % interval; null: open.';
        comment on column census.readiness.forecast is 'The forecast in words: the date, that there is none at this rate, or why none is made.';
        comment on column census.readiness.verdict is 'ready, not ready, unknown or retired.';
        comment on column census.readiness.reason is 'What hinders it, or what it rests on, in sentences.';
        comment on column census.readiness.figures is 'Every condition with its figure and its limit.';
        """#)
    static let `0011_losses` = Statement(
        "0011_losses",
        #"""
        -- Losses by updates (docs/decision.md): pairs of reports as they came, the watches kept over them, and what people did about
        -- the incidents.

        create table census.pair_entry (
            entry_number bigint generated always as identity primary key,
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            from_version text not null,
            to_version text not null,
            is_other_os boolean not null,
            pairs bigint not null,
            lost bigint not null,
            exposed_seconds bigint not null
        );
        create index pair_entry_app on census.pair_entry (app_number, day);
        comment on table census.pair_entry is 'Local queue. Pairs of successive successful reports that no night has taken yet, by the day of the second one.';
        comment on column census.pair_entry.entry_number is 'Tells entries apart; no order.';
        comment on column census.pair_entry.app_number is 'The app.';
        comment on column census.pair_entry.day is 'The day of the second report, in the app''s zone.';
        comment on column census.pair_entry.surface is 'widget, control, live_activity or today.';
        comment on column census.pair_entry.kind is 'A kind that was certain after the first report.';
        comment on column census.pair_entry.from_version is 'The app''s version at the first report.';
        comment on column census.pair_entry.to_version is 'The app''s version at the second report; the same where there was no update.';
        comment on column census.pair_entry.is_other_os is 'Whether the OS was updated between them.';
        comment on column census.pair_entry.pairs is 'How many pairs.';
        comment on column census.pair_entry.lost is 'Those whose second report lists nothing of the kind.';
        comment on column census.pair_entry.exposed_seconds is 'Time between the reports, summed; each gap counts as an hour at least and 14 days at most.';

        create table census.pair_night (
            app_number integer not null,
            surface text not null,
            kind text not null,
            to_version text not null,
            from_version text not null,
            taken_at timestamptz not null,
            day date not null,
            is_other_os boolean not null,
            pairs bigint not null,
            lost bigint not null,
            exposed_seconds bigint not null,
            primary key (app_number, surface, kind, to_version, from_version, taken_at, day, is_other_os),
            constraint pair_night_counts check (0 <= lost and lost <= pairs and pairs > 0 and exposed_seconds > 0)
        );
        create index pair_night_taken on census.pair_night (app_number, taken_at);
        create index pair_night_day on census.pair_night (app_number, day);
        create index pair_night_ordinary on census.pair_night (app_number, surface, kind, day)
        where from_version = to_version;
        comment on table census.pair_night is 'Local aggregate, append-only. Pairs as nights took them: what the evidence on losses is computed from. Never restated.';
        comment on column census.pair_night.app_number is 'The app.';
        comment on column census.pair_night.surface is 'widget, control, live_activity or today.';
        comment on column census.pair_night.kind is 'A kind that was certain after the first report.';
        comment on column census.pair_night.to_version is 'The app''s version at the second report.';
        comment on column census.pair_night.from_version is 'The app''s version at the first report.';
        comment on column census.pair_night.taken_at is 'The night that took them.';
        comment on column census.pair_night.day is 'The day of the second report, in the app''s zone.';
        comment on column census.pair_night.is_other_os is 'Whether the OS was updated between them.';
        comment on column census.pair_night.pairs is 'How many pairs.';
        comment on column census.pair_night.lost is 'Those whose second report lists nothing of the kind.';
        comment on column census.pair_night.exposed_seconds is 'Time between the reports, summed; each gap counts as an hour at least and 14 days at most.';

        create table census.loss_version (
            app_number integer not null references census.app,
            to_version text not null,
            first_day date not null,
            place integer not null,
            kinds integer not null,
            false_alarms double precision not null,
            primary key (app_number, to_version)
        );
        comment on table census.loss_version is 'Lookup, append-only. Versions to which devices updated, with the share of the year''s alarm budget that each got when it first appeared.';
        comment on column census.loss_version.app_number is 'The app.';
        comment on column census.loss_version.to_version is 'The version.';
        comment on column census.loss_version.first_day is 'The day of the first update to it, in the app''s zone.';
        comment on column census.loss_version.place is 'How many versions of that year had appeared before.';
        comment on column census.loss_version.kinds is 'Kinds with 20 holders and more when it appeared; they share what it got.';
        comment on column census.loss_version.false_alarms is 'The app''s budget then: expected false incidents a year.';

        create table census.loss_watch (
            app_number integer not null,
            surface text not null,
            kind text not null,
            to_version text not null,
            chance double precision not null,
            tolerance double precision not null,
            bound double precision,
            upgraders bigint not null default 0,
            lost bigint not null default 0,
            excused bigint not null default 0,
            exposed_seconds bigint not null default 0,
            others bigint not null default 0,
            others_lost bigint not null default 0,
            others_seconds bigint not null default 0,
            evidence double precision not null default 1,
            z double precision,
            smallest_seen double precision,
            devices_at_risk bigint not null default 0,
            state text not null default 'watched',
            opened_on date,
            judged_on date,
            primary key (app_number, surface, kind, to_version),
            foreign key (app_number, to_version) references census.loss_version,
            constraint loss_watch_state_is_known check (state in ('watched', 'open', 'acknowledged', 'closed')),
            constraint loss_watch_counts check (
                0 <= excused and excused <= lost and lost <= upgraders and 0 <= others_lost and others_lost <= others)
        );
        create index loss_watch_open on census.loss_watch (app_number)
        where state <> 'watched';
        comment on table census.loss_watch is 'Local aggregate. For each kind and target version the question whether the update takes it away, and what the pairs say.';
        comment on column census.loss_watch.app_number is 'The app.';
        comment on column census.loss_watch.surface is 'widget, control, live_activity or today.';
        comment on column census.loss_watch.kind is 'The widget''s kind.';
        comment on column census.loss_watch.to_version is 'The version that was updated to.';
        comment on column census.loss_watch.chance is 'How likely a false alarm may be; an incident opens at the evidence 2 / chance. Fixed beforehand.';
        comment on column census.loss_watch.tolerance is 'How many times as fast as others those who update may lose it. Fixed beforehand.';
        comment on column census.loss_watch.bound is 'How many others lose it in a day at most, by the pairs before the first update; null: there were none. Fixed beforehand.';
        comment on column census.loss_watch.upgraders is 'Devices that held it for certain, updated and reported again.';
        comment on column census.loss_watch.lost is 'Those that then listed nothing of it.';
        comment on column census.loss_watch.excused is 'Those of the lost ones that a person had accepted beforehand.';
        comment on column census.loss_watch.exposed_seconds is 'Time between the reports of those who updated, summed.';
        comment on column census.loss_watch.others is 'Pairs of reports without an update, of the days on which some updated.';
        comment on column census.loss_watch.others_lost is 'Those of the others whose second report lists nothing of it.';
        comment on column census.loss_watch.others_seconds is 'Time between the reports of the others, summed.';
        comment on column census.loss_watch.evidence is 'How much speaks for a loss: an e-value, 1 to begin with.';
        comment on column census.loss_watch.z is 'Standard deviations between the lost and what the others'' rate lets expect; description only.';
        comment on column census.loss_watch.smallest_seen is 'The smallest share of the updated devices whose loss these numbers would have shown; null: none.';
        comment on column census.loss_watch.devices_at_risk is 'Devices that held it for certain on an older version when the last closed day ended.';
        comment on column census.loss_watch.state is 'watched, open, acknowledged or closed.';
        comment on column census.loss_watch.opened_on is 'The day whose pairs were enough for an incident; null: none was.';
        comment on column census.loss_watch.judged_on is 'The last day whose pairs are in it.';

        create table census.loss_origin (
            app_number integer not null,
            surface text not null,
            kind text not null,
            to_version text not null,
            from_version text not null,
            upgraders bigint not null,
            lost bigint not null,
            exposed_seconds bigint not null,
            others bigint not null,
            others_lost bigint not null,
            others_seconds bigint not null,
            evidence double precision not null,
            z double precision,
            devices_at_risk bigint not null,
            primary key (app_number, surface, kind, to_version, from_version),
            foreign key (app_number, surface, kind, to_version) references census.loss_watch
        );
        comment on table census.loss_origin is 'Local aggregate. The same for each version that devices came from.';
        comment on column census.loss_origin.app_number is 'The app.';
        comment on column census.loss_origin.surface is 'widget, control, live_activity or today.';
        comment on column census.loss_origin.kind is 'The widget''s kind.';
        comment on column census.loss_origin.to_version is 'The version that was updated to.';
        comment on column census.loss_origin.from_version is 'The version before.';
        comment on column census.loss_origin.upgraders is 'Devices that held it for certain, updated and reported again.';
        comment on column census.loss_origin.lost is 'Those that then listed nothing of it.';
        comment on column census.loss_origin.exposed_seconds is 'Time between the reports of those who updated, summed.';
        comment on column census.loss_origin.others is 'Pairs of reports without an update, of the days on which some updated.';
        comment on column census.loss_origin.others_lost is 'Those of the others whose second report lists nothing of it.';
        comment on column census.loss_origin.others_seconds is 'Time between the reports of the others, summed.';
        comment on column census.loss_origin.evidence is 'How much speaks for a loss from this version.';
        comment on column census.loss_origin.z is 'Standard deviations between the lost and what the others'' rate lets expect; description only.';
        comment on column census.loss_origin.devices_at_risk is 'Devices that held it for certain on this version when the last closed day ended.';

        create table census.loss_act (
            act_number bigint generated always as identity primary key,
            app_number integer not null,
            surface text not null,
            kind text not null,
            to_version text not null,
            state text not null,
            acted_at timestamptz not null default now(),
            actor text not null,
            reason text,
            figures json not null,
            foreign key (app_number, surface, kind, to_version) references census.loss_watch,
            constraint loss_act_state_is_known check (state in ('open', 'acknowledged', 'closed'))
        );
        create index loss_act_watch on census.loss_act (app_number, surface, kind, to_version);
        comment on table census.loss_act is 'Lookup, append-only. How incidents were opened, acknowledged and closed.';
        comment on column census.loss_act.act_number is 'The order of the acts.';
        comment on column census.loss_act.app_number is 'The app.';
        comment on column census.loss_act.surface is 'widget, control, live_activity or today.';
        comment on column census.loss_act.kind is 'The widget''s kind.';
        comment on column census.loss_act.to_version is 'The version that was updated to.';
        comment on column census.loss_act.state is 'What the incident became: open, acknowledged or closed.';
        comment on column census.loss_act.acted_at is 'When.';
        comment on column census.loss_act.actor is 'Who did it; the night opens incidents.';
        comment on column census.loss_act.reason is 'Why, in the words of the person; null: not said.';
        comment on column census.loss_act.figures is 'What the pairs said then, with the names of loss_watch''s columns.';

        alter table census.app
            add column false_alarms double precision not null default 0.01,
            add constraint app_false_alarms_are_a_budget check (false_alarms between 0.000001 and 10);
        comment on column census.app.false_alarms is 'How many false incidents of mass loss are accepted in a year.';
        """#)
    static let `0012_webhooks` = Statement(
        "0012_webhooks",
        #"""
        -- Whom to tell of mass losses, and what still has to be told (docs/decisions/0040-webhooks.md).

        create table census.webhook (
            webhook_number bigint generated always as identity primary key,
            app_number integer not null references census.app,
            url text,
            secret bytea,
            allows_private boolean not null,
            added_at timestamptz not null default now(),
            added_by text not null,
            delivered_at timestamptz,
            failing_since timestamptz,
            last_status integer,
            last_error text,
            gone_at timestamptz,
            removed_at timestamptz,
            removed_by text,
            constraint webhook_forgets_when_removed check (
                (url is null) = (removed_at is not null)
                and (secret is null) = (removed_at is not null)
                and (removed_by is null) = (removed_at is null))
        );
        create index webhook_app on census.webhook (app_number);
        comment on table census.webhook is 'Local. The addresses that are told of mass losses. A row stays when its webhook is removed, without address and secret.';
        comment on column census.webhook.webhook_number is 'Names it on the command line; no order.';
        comment on column census.webhook.app_number is 'The app.';
        comment on column census.webhook.url is 'Where messages are posted to; may hold a secret of the receiver''s. Null once removed.';
        comment on column census.webhook.secret is 'The key under which messages are signed. Null once removed.';
        comment on column census.webhook.allows_private is 'Whether it may lead into a private network.';
        comment on column census.webhook.added_at is 'When it was added.';
        comment on column census.webhook.added_by is 'Who added it.';
        comment on column census.webhook.delivered_at is 'When it last took a message; null: never.';
        comment on column census.webhook.failing_since is 'The first failure since then; null: the last attempt succeeded, or there was none.';
        comment on column census.webhook.last_status is 'The status of its last answer; null: the last attempt got none.';
        comment on column census.webhook.last_error is 'Why the last attempt failed, without address and message; null: it did not.';
        comment on column census.webhook.gone_at is 'When it answered 410 Gone. Until a test succeeds it is told nothing more; null: it did not.';
        comment on column census.webhook.removed_at is 'When a person removed it; null: it stands.';
        comment on column census.webhook.removed_by is 'Who removed it.';

        create table census.webhook_delivery (
            webhook_number bigint not null references census.webhook,
            message_id text not null,
            type text not null,
            payload text not null,
            created_at timestamptz not null default now(),
            attempts integer not null default 0,
            next_attempt_at timestamptz,
            delivered_at timestamptz,
            given_up_at timestamptz,
            last_status integer,
            last_error text,
            primary key (webhook_number, message_id),
            constraint webhook_delivery_waits_or_is_over check (num_nonnulls(next_attempt_at, delivered_at, given_up_at) = 1),
            constraint webhook_delivery_attempts check (attempts >= 0)
        );
        create index webhook_delivery_due on census.webhook_delivery (next_attempt_at)
        where next_attempt_at is not null;
        comment on table census.webhook_delivery is 'Local queue. A message to a webhook, kept until it is delivered or given up, and some weeks more.';
        comment on column census.webhook_delivery.webhook_number is 'The webhook.';
        comment on column census.webhook_delivery.message_id is 'The same at every attempt, and for all webhooks of the app: receivers tell repetitions by it.';
        comment on column census.webhook_delivery.type is 'mass_loss.opened, mass_loss.acknowledged, mass_loss.closed or webhook.test.';
        comment on column census.webhook_delivery.payload is 'The body, byte for byte as it is signed.';
        comment on column census.webhook_delivery.created_at is 'When it was queued.';
        comment on column census.webhook_delivery.attempts is 'Attempts begun.';
        comment on column census.webhook_delivery.next_attempt_at is 'When it is due. While an attempt is under way, when others may take it for dead. Null: it is over.';
        comment on column census.webhook_delivery.delivered_at is 'When the receiver took it; null: not yet.';
        comment on column census.webhook_delivery.given_up_at is 'When no further attempt was to be made; null: it was not given up.';
        comment on column census.webhook_delivery.last_status is 'The status of the last answer; null: none came.';
        comment on column census.webhook_delivery.last_error is 'Why the last attempt failed, without address and message; null: it did not.';
        """#)
    static let `0013_setting_acts` = Statement(
        "0013_setting_acts",
        #"""
        -- Who changed how an app is counted and judged, and what that did to the verdicts on its kinds: a limit can turn one.

        create table census.setting_act (
            act_number bigint generated always as identity primary key,
            app_number integer not null references census.app,
            acted_at timestamptz not null default now(),
            actor text not null,
            reason text,
            changes json not null,
            verdicts json not null
        );
        create index setting_act_app on census.setting_act (app_number, act_number);
        comment on table census.setting_act is 'Lookup, append-only. Changes of an app''s settings.';
        comment on column census.setting_act.act_number is 'The order of the acts.';
        comment on column census.setting_act.app_number is 'The app.';
        comment on column census.setting_act.acted_at is 'When.';
        comment on column census.setting_act.actor is 'Who did it.';
        comment on column census.setting_act.reason is 'Why, in the words of the person; null: not said.';
        comment on column census.setting_act.changes is 'An array of {setting, from, to}; the names are those of apps list.';
        comment on column census.setting_act.verdicts is 'An array with an object for each kind that was legacy or retired: {surface, kind, devices_possible, devices_silent, before, after}; before and after are verdicts.';
        """#)
    static let `0014_activity` = Statement(
        "0014_activity",
        #"""
        -- What analysts ask beside the installed base: which release took what, what is used, who is active, how long a kind is
        -- kept, and who holds two kinds (docs/decisions/0045-activity-by-day.md).
        --
        -- The next night recounts every app's ledger, and folds each device from its first observation that is kept: what is counted
        -- here was not kept before.

        -- What devices did, day by day.

        create table census.device_use (
            device_id uuid not null,
            app_number integer not null,
            month date not null,
            use text not null,
            surface text not null,
            kind text not null,
            days smallint[] not null,
            events bigint[] not null,
            primary key (device_id, month, use, surface, kind),
            constraint device_use_month_begins check (extract(day from month) = 1),
            constraint device_use_days_have_events check (cardinality(days) = cardinality(events) and cardinality(days) > 0),
            constraint device_use_is_known check (use in ('heard', 'opened', 'configured', 'rendered'))
        );
        comment on table census.device_use is 'Device. On which days of a month a device was heard from, and used widgets of a kind.';
        comment on column census.device_use.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.device_use.app_number is 'The app.';
        comment on column census.device_use.month is 'Its first day.';
        comment on column census.device_use.use is 'heard (any event came), opened, configured or rendered.';
        comment on column census.device_use.surface is 'widget, control, live_activity or today; empty for heard.';
        comment on column census.device_use.kind is 'The widget''s kind; empty for heard.';
        comment on column census.device_use.days is 'Days of the month, from 1 on, in the zone by which the device is counted.';
        comment on column census.device_use.events is 'How many events there were on each of the days.';

        create table census.device_cohort (
            device_id uuid not null,
            app_number integer not null,
            surface text not null,
            kind text not null,
            held_from timestamptz not null,
            week date,
            primary key (device_id, surface, kind),
            constraint device_cohort_week_begins check (extract(isodow from week) = 1)
        );
        comment on table census.device_cohort is 'Device. When each device placed a kind for the first time, and when the first list of each surface came.';
        comment on column census.device_cohort.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.device_cohort.app_number is 'The app.';
        comment on column census.device_cohort.surface is 'widget, control, live_activity or today.';
        comment on column census.device_cohort.kind is 'The widget''s kind; empty: the surface, whose first list this is about.';
        comment on column census.device_cohort.held_from is 'When it certainly or possibly held the kind for the first time, or when the first list of the surface came; on the server''s clock.';
        comment on column census.device_cohort.week is 'The Monday of that week; null: nobody knows, because the kind was in the first list of its surface, or used before.';

        alter table census.device add column legacy_kinds integer not null default 0;
        comment on column census.device.legacy_kinds is 'How many kinds that were ever marked legacy, in the order in which they first were, its overlaps are counted for.';

        -- What came and went, by version.

        create table census.move_day (
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            cause text not null,
            app_version text not null,
            os_version text not null,
            platform text not null,
            widgets_added bigint not null,
            widgets_removed bigint not null,
            devices_added bigint not null,
            devices_removed bigint not null,
            primary key (app_number, day, surface, kind, cause, app_version, os_version, platform),
            constraint move_day_counts check (
                widgets_added >= 0 and widgets_removed >= 0 and devices_added >= 0 and devices_removed >= 0)
        );
        comment on table census.move_day is 'Local aggregate. Certain placements that came and went on each closed day, and devices that came to hold a kind or ceased to, by what they ran then.';
        comment on column census.move_day.app_number is 'The app.';
        comment on column census.move_day.day is 'In the app''s zone.';
        comment on column census.move_day.surface is 'widget, control, live_activity or today.';
        comment on column census.move_day.kind is 'The widget''s kind.';
        comment on column census.move_day.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; of a device the first by name where placements differ.';
        comment on column census.move_day.app_version is 'What the device ran from then on, or ran last; empty when nothing tells.';
        comment on column census.move_day.os_version is 'Major and minor; empty when not sent.';
        comment on column census.move_day.platform is 'ios, ipados, macos, watchos, visionos or android; empty when nothing tells.';
        comment on column census.move_day.widgets_added is 'Placements that became certain.';
        comment on column census.move_day.widgets_removed is 'Placements that were certain and no longer were.';
        comment on column census.move_day.devices_added is 'Devices on which a placement became certain, and none was.';
        comment on column census.move_day.devices_removed is 'Devices on which the last certain placement ceased to be.';

        create table census.move_entry (
            entry_number bigint generated always as identity primary key,
            like census.move_day including comments
        );
        comment on table census.move_entry is 'Local queue. Net changes of move_day: what on this day is more or less.';
        comment on column census.move_entry.entry_number is 'Tells entries apart; no order.';

        delete from census.holder_day;
        delete from census.holder_entry;
        comment on table census.holder_day is 'Local. Empty and no longer used: move_day has what it had.';
        comment on table census.holder_entry is 'Local. Empty and no longer used: move_entry has what it had.';

        -- What is used.

        create table census.use_day (
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            use text not null,
            devices bigint not null,
            events bigint not null,
            primary key (app_number, day, surface, kind, use),
            constraint use_day_counts check (0 <= devices and devices <= events)
        );
        comment on table census.use_day is 'Local aggregate. How many devices used widgets of a kind on each closed day, and how often.';
        comment on column census.use_day.app_number is 'The app.';
        comment on column census.use_day.day is 'In the app''s zone.';
        comment on column census.use_day.surface is 'widget, control, live_activity or today.';
        comment on column census.use_day.kind is 'The widget''s kind.';
        comment on column census.use_day.use is 'opened, configured or rendered.';
        comment on column census.use_day.devices is 'Distinct devices.';
        comment on column census.use_day.events is 'Events, each counted once however often it was delivered.';

        create table census.use_entry (
            entry_number bigint generated always as identity primary key,
            like census.use_day including comments
        );
        comment on table census.use_entry is 'Local queue. Net changes of use_day: what on this day is more or less.';
        comment on column census.use_entry.entry_number is 'Tells entries apart; no order.';

        -- Who is active.

        create table census.active_day (
            app_number integer not null,
            day date not null,
            scope text not null,
            surface text not null,
            kind text not null,
            family text not null,
            platform text not null,
            devices_daily bigint not null,
            devices_weekly bigint not null,
            devices_in_window bigint not null,
            primary key (app_number, day, scope, surface, kind, family, platform),
            constraint active_day_counts check (
                0 <= devices_daily and devices_daily <= devices_weekly and devices_weekly <= devices_in_window),
            constraint active_day_scope_is_known check (scope in ('all', 'surface', 'kind', 'family', 'kind_family'))
        );
        comment on table census.active_day is 'Local aggregate. Distinct devices that were active when each closed day ended, among all and among those that certainly held something.';
        comment on column census.active_day.app_number is 'The app.';
        comment on column census.active_day.day is 'In the app''s zone.';
        comment on column census.active_day.scope is 'Among which devices: all, or those that hold any widget of the surface, of the kind, of the family, or of kind and family.';
        comment on column census.active_day.surface is 'widget, control, live_activity or today; empty where the scope is all.';
        comment on column census.active_day.kind is 'The widget''s kind; empty where the scope has none.';
        comment on column census.active_day.family is 'systemSmall and so on; empty where the scope has none.';
        comment on column census.active_day.platform is 'ios, ipados, macos, watchos, visionos or android.';
        comment on column census.active_day.devices_daily is 'Heard from on the day.';
        comment on column census.active_day.devices_weekly is 'Heard from in the seven days that end with it.';
        comment on column census.active_day.devices_in_window is 'Heard from in the activity window that ends with it.';

        create table census.active_entry (
            entry_number bigint generated always as identity primary key,
            like census.active_day including comments
        );
        comment on table census.active_entry is 'Local queue. Net changes of active_day: what from this day on is more or less.';
        comment on column census.active_entry.entry_number is 'Tells entries apart; no order.';

        -- How long a kind is kept.

        create table census.cohort_day (
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            week date not null,
            devices_placed bigint not null,
            devices_certain bigint not null,
            devices_possible bigint not null,
            primary key (app_number, surface, kind, week, day),
            constraint cohort_day_ends_a_week check (extract(isodow from day) = 7 and extract(isodow from week) = 1 and week < day)
        );
        comment on table census.cohort_day is 'Local aggregate. What each week that has ended changed of the devices that placed a kind in one week; their number is the sum of all weeks.';
        comment on column census.cohort_day.app_number is 'The app.';
        comment on column census.cohort_day.day is 'The Sunday that ends the week, in the app''s zone.';
        comment on column census.cohort_day.surface is 'widget, control, live_activity or today.';
        comment on column census.cohort_day.kind is 'The widget''s kind.';
        comment on column census.cohort_day.week is 'The Monday of the week in which the devices placed the kind for the first time.';
        comment on column census.cohort_day.devices_placed is 'In that week: how many they are; later 0, or what late data changed.';
        comment on column census.cohort_day.devices_certain is 'By how many more certainly held the kind when the week ended than when it began.';
        comment on column census.cohort_day.devices_possible is 'By how many more certainly or possibly held it.';

        create table census.cohort_entry (
            entry_number bigint generated always as identity primary key,
            like census.cohort_day including comments
        );
        comment on table census.cohort_entry is 'Local queue. Net changes of cohort_day: what in this week is more or less.';
        comment on column census.cohort_entry.entry_number is 'Tells entries apart; no order.';

        -- Who holds two kinds.

        create table census.overlap_day (
            app_number integer not null,
            day date not null,
            surface text not null,
            kind text not null,
            other_kind text not null,
            devices bigint not null,
            primary key (app_number, day, surface, kind, other_kind),
            constraint overlap_day_kinds_are_ordered check (kind collate "C" < other_kind collate "C"),
            constraint overlap_day_counts check (devices >= 0)
        );
        comment on table census.overlap_day is 'Local aggregate. Devices that certainly held two kinds when each closed day ended, one of which was ever marked legacy.';
        comment on column census.overlap_day.app_number is 'The app.';
        comment on column census.overlap_day.day is 'In the app''s zone.';
        comment on column census.overlap_day.surface is 'widget, control, live_activity or today.';
        comment on column census.overlap_day.kind is 'One of the kinds, the first by its bytes.';
        comment on column census.overlap_day.other_kind is 'The other one.';
        comment on column census.overlap_day.devices is 'Distinct devices.';

        create table census.overlap_entry (
            entry_number bigint generated always as identity primary key,
            like census.overlap_day including comments
        );
        comment on table census.overlap_entry is 'Local queue. Net changes of overlap_day: what from this day on is more or less.';
        comment on column census.overlap_entry.entry_number is 'Tells entries apart; no order.';

        insert into census.app_night (app_number, is_doubted)
        select app_number, true from census.app
        on conflict (app_number) do update set is_doubted = true;

        insert into census.pending_device (app_number, device_id)
        select
            app_number,
            device_id
        from census.device
        where folded_through is not null;
        """#)
    static let `0015_rebooted` = Statement(
        "0015_rebooted",
        #"""
        -- Whether a device had restarted since the app's first launch, as the app says it: iOS apps may not send the time of the boot
        -- (docs/decisions/0046-rebooted.md).

        alter table census.observation add column rebooted boolean;
        comment on column census.observation.rebooted is 'Whether the device had restarted since the app''s first launch in this installation; null when not sent.';
        """#)
    static let `0016_warnings` = Statement(
        "0016_warnings",
        #"""
        -- What the door took and is probably a mistake of the app, and keys whose events never count.

        create table census.warned (
            device_id uuid not null,
            warned_on date not null,
            code text not null,
            app_number integer not null,
            occurred_at timestamptz not null,
            received_at timestamptz not null,
            app_version text not null,
            pointer text not null,
            message text not null,
            primary key (device_id, warned_on, code)
        );
        create index warned_app on census.warned (app_number, warned_on, code, app_version);
        comment on table census.warned is 'Device. The newest of each day''s warnings, by device and code.';
        comment on column census.warned.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.warned.warned_on is 'The day of receipt, in UTC.';
        comment on column census.warned.code is 'What is probably wrong, as the sender was told.';
        comment on column census.warned.app_number is 'The app.';
        comment on column census.warned.occurred_at is 'When the newest event of the batch that it is about happened, by the device''s clock.';
        comment on column census.warned.received_at is 'When that batch arrived.';
        comment on column census.warned.app_version is 'The version that sent that batch.';
        comment on column census.warned.pointer is 'RFC 6901: the place in that batch.';
        comment on column census.warned.message is 'The sentence that the sender got.';

        alter table census.api_key add column channel text;
        alter table census.api_key add constraint api_key_channel_never_counts check (
            channel is null or (channel <> 'production' and role = 'write'));
        comment on column census.api_key.channel is 'The channel of everything that is sent with it, whatever the batch says; null: as the batch says.';
        """#)
    static let `0017_heartbeats` = Statement(
        "0017_heartbeats",
        #"""
        -- A known device that reports what it reported before changes its row, and adds a day to a month, without writing an index: there is
        -- room on the page for the row's new version.

        alter table census.device set (fillfactor = 80);
        alter table census.device_use set (fillfactor = 80);
        comment on column census.device.due_at is 'When to look again at what time alone changes (silent_at, reporting_until), at the latest when it does; what lies before is entered, null: all of it.';
        comment on column census.device_use.events is 'How many events there were on each of the days; of heard only that there were some.';
        """#)
    static let `0018_distribution` = Statement(
        "0018_distribution",
        #"""
        -- On Citus the queue lies beside what it queues: on another node its entries would be seen before the observations that they
        -- were committed with.

        comment on table census.pending_device is 'Device, queue. Devices with observations that the reconciler has not seen; written in the transaction of the observations, so that one committed late is never skipped.';
        """#)
    static let `0019_expired_hashes` = Statement(
        "0019_expired_hashes",
        #"""
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
        """#)
    static let `0020_lists` = Statement(
        "0020_lists",
        #"""
        -- Until when the list of each surface counts as known. A list of controls says nothing about widgets.

        alter table census.device
            add column widgets_until timestamptz,
            add column controls_until timestamptz,
            add column activities_until timestamptz;
        comment on column census.device.widgets_until is 'When its newest successful list of widgets, in this installation, is older than the activity window; null: it sent none.';
        comment on column census.device.controls_until is 'The same for controls.';
        comment on column census.device.activities_until is 'The same for live activities.';

        -- Devices that were folded know it only once they are folded again.
        insert into census.pending_device (app_number, device_id)
        select
            app_number,
            device_id
        from census.device
        where folded_through is not null;
        """#)
    static let `0021_loss_strata` = Statement(
        "0021_loss_strata",
        #"""
        -- Pairs are compared with pairs of like gaps, and losses tell on which OS versions they happened and what came in their place.
        -- Pairs that were taken before count as short ones: how long each gap was is not known any more.

        alter table census.pair_entry
            add column gap text collate "C" not null default 'short',
            add column os_release text collate "C",
            add column gained text[] collate "C" not null default '{}';
        comment on column census.pair_entry.gap is 'How long the time between the reports was: short (up to two days), long (up to 14) or late.';
        comment on column census.pair_entry.os_release is 'The OS version at the second report; null: there was no update of the app, or it is not known.';
        comment on column census.pair_entry.gained is 'Kinds that the second report lists and of which nothing was there before; only of updates that lost the kind.';
        comment on column census.pair_entry.exposed_seconds is 'Time between the reports, summed; each gap counts as an hour at least.';

        alter table census.pair_night
            add column gap text collate "C" not null default 'short',
            add constraint pair_night_gap_is_known check (gap in ('short', 'long', 'late')),
            drop constraint pair_night_pkey,
            add primary key (app_number, surface, kind, to_version, from_version, taken_at, day, is_other_os, gap);
        comment on column census.pair_night.gap is 'How long the time between the reports was: short (up to two days, and all pairs of before version 21 of the schema), long (up to 14) or late, which is no evidence.';
        comment on column census.pair_night.exposed_seconds is 'Time between the reports, summed; each gap counts as an hour at least.';

        alter table census.loss_watch
            add column long_bound double precision,
            add column late bigint not null default 0,
            add column unmatched bigint not null default 0,
            add column unmatched_with_os bigint not null default 0;
        comment on column census.loss_watch.bound is 'How many others lose it in a day at most, by the pairs with short gaps before the first update; null: there were none. Fixed beforehand.';
        comment on column census.loss_watch.long_bound is 'The same by the pairs with long gaps.';
        comment on column census.loss_watch.late is 'Those of upgraders that are no evidence, because they reported again only after 14 days.';
        comment on column census.loss_watch.unmatched is 'Those that are none because no others were there to compare with, and no bound was low enough to show anything.';
        comment on column census.loss_watch.unmatched_with_os is 'The same of those that updated the OS, too.';
        update census.loss_watch set
            long_bound = bound
        where bound is not null;

        create table census.loss_detail (
            app_number integer not null,
            surface text collate "C" not null,
            kind text collate "C" not null,
            to_version text collate "C" not null,
            detail text collate "C" not null,
            value text collate "C" not null,
            upgraders bigint not null,
            lost bigint not null,
            last_day date not null,
            primary key (app_number, surface, kind, to_version, detail, value),
            constraint loss_detail_is_known check (detail in ('os', 'gained')),
            constraint loss_detail_counts check (0 <= lost and lost <= upgraders)
        );
        create index loss_detail_day on census.loss_detail (app_number, last_day);
        comment on table census.loss_detail is 'Local aggregate. What devices that updated have in common: the OS version, and kinds that they reported for the first time in the report that lacks the lost one.';
        comment on column census.loss_detail.app_number is 'The app.';
        comment on column census.loss_detail.surface is 'widget, control, live_activity or today.';
        comment on column census.loss_detail.kind is 'The widget''s kind.';
        comment on column census.loss_detail.to_version is 'The version that was updated to.';
        comment on column census.loss_detail.detail is 'os: an OS version; gained: a kind that was new on them.';
        comment on column census.loss_detail.value is 'The OS version at the second report, or the kind.';
        comment on column census.loss_detail.upgraders is 'Devices that held it for certain, updated and reported again; of a gained kind only those that lost it.';
        comment on column census.loss_detail.lost is 'Those that then listed nothing of it.';
        comment on column census.loss_detail.last_day is 'The day of the newest of these reports.';
        """#)
    static let `0022_keys_by_bytes` = Statement(
        "0022_keys_by_bytes",
        #"""
        -- Texts in keys and indexes sort by their bytes. Under the database's own collation another version of the operating system
        -- sorts them differently, an index then misses rows that it has, and the same cell, event or name is stored a second time.
        --
        -- No table is rewritten: only the indexes on these columns are built again. Views that read them can't stay, and are made again
        -- after the migrations.

        do $$
        declare
            views text;
            tables text;
            altered record;
            copies bigint;
            is_doubted boolean := false;
        begin
            -- One index may already have missed rows: nothing here trusts any of them.
            perform set_config('enable_indexscan', 'off', true);
            perform set_config('enable_indexonlyscan', 'off', true);
            perform set_config('enable_bitmapscan', 'off', true);

            select string_agg(oid::regclass::text, ', ') into views
            from pg_class
            where relnamespace in (to_regnamespace('census'), to_regnamespace('report'))
                and relkind = 'v';
            if views is not null then
                execute 'drop view ' || views;
            end if;

            create temporary table altered_table on commit drop as
            select
                pg_class.oid,
                pg_class.relname,
                string_agg(
                    distinct format('alter column %I type %s collate "C"', attname, format_type(atttypid, atttypmod)), ', ') as columns
            from pg_index
            join pg_class
                on pg_class.oid = pg_index.indrelid
            join pg_attribute
                on pg_attribute.attrelid = pg_class.oid
                and pg_attribute.attnum = any(pg_index.indkey::smallint[])
            where pg_class.relnamespace in ('census'::regnamespace, 'census_schema'::regnamespace)
                and not pg_class.relispartition
                and pg_attribute.attcollation not in (0, 'pg_catalog."C"'::regcollation)
            group by
                pg_class.oid,
                pg_class.relname;

            -- All at once, and first the one that phones' events are written to: whoever holds it takes no other lock that is waited for here.
            select string_agg(oid::regclass::text, ', ' order by relname <> 'observation', relname) into tables
            from altered_table;
            if tables is null then
                return;
            end if;
            execute 'lock table ' || tables || ' in access exclusive mode';

            for altered in
                select
                    altered_table.oid::regclass as name,
                    altered_table.relname,
                    altered_table.columns,
                    (
                        select string_agg(format('%I%s', attname, case when attcollation <> 0 then ' collate "C"' else '' end), ', ')
                        from pg_index
                        join pg_attribute
                            on attrelid = indrelid
                            and attnum = any(indkey::smallint[])
                        where indrelid = altered_table.oid
                            and indisprimary
                    ) as key,
                    exists (
                        select 1
                        from pg_attribute
                        where attrelid = altered_table.oid
                            and attname = 'received_at') as is_received,
                    exists (
                        select 1
                        from pg_attribute
                        where attrelid = altered_table.oid
                            and attname = 'app_number') as is_of_app
                from altered_table
                order by altered_table.relname
            loop
                begin
                    execute format('alter table %s %s', altered.name, altered.columns);
                exception when unique_violation then
                    if altered.relname = 'app' then
                        raise exception 'two apps have the same id: rename or remove one in census.app, and migrate again'
                            using errcode = 'unique_violation';
                    end if;
                    -- Of equal keys the first to arrive stands. What is counted from them is counted again.
                    if altered.is_of_app then
                        execute format(
                            'insert into census.app_night (app_number, is_doubted) '
                            'select app_number, true from (select app_number from %s group by app_number, %s having count(*) > 1) as twice '
                            'group by app_number order by app_number '
                            'on conflict (app_number) do update set is_doubted = excluded.is_doubted',
                            altered.name, altered.key);
                        is_doubted := true;
                    end if;
                    execute format(
                        'delete from %1$s as copy using ('
                        'select tableoid, ctid, row_number() over (partition by %2$s order by %3$s ctid) as copy_number from %1$s) as ranked '
                        'where ranked.copy_number > 1 and ranked.tableoid = copy.tableoid and ranked.ctid = copy.ctid',
                        altered.name, altered.key, case when altered.is_received then 'received_at, ' else '' end);
                    get diagnostics copies = row_count;
                    raise notice '% rows of % stood twice', copies, altered.name;
                    execute format('alter table %s %s', altered.name, altered.columns);
                end;
            end loop;

            -- Devices of doubted apps are folded from their observations first, as nights do that find wrong numbers.
            if is_doubted then
                insert into census.pending_device (app_number, device_id)
                select
                    app_number,
                    device_id
                from census.device
                where app_number in (
                    select app_night.app_number
                    from census.app_night
                    where app_night.is_doubted);
            end if;

            perform set_config('enable_indexscan', 'on', true);
            perform set_config('enable_indexonlyscan', 'on', true);
            perform set_config('enable_bitmapscan', 'on', true);
        end $$;
        """#)
    static let `0023_locks` = Statement(
        "0023_locks",
        #"""
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
        """#)
    static let all: [Statement] = [
        `0001_census`,
        `0002_all_rules`,
        `0003_ledger`,
        `0004_forgetting`,
        `0005_stored_states`,
        `0006_no_night_stops`,
        `0007_what_events_leave_open`,
        `0008_implausible_devices`,
        `0009_manifests`,
        `0010_decision`,
        `0011_losses`,
        `0012_webhooks`,
        `0013_setting_acts`,
        `0014_activity`,
        `0015_rebooted`,
        `0016_warnings`,
        `0017_heartbeats`,
        `0018_distribution`,
        `0019_expired_hashes`,
        `0020_lists`,
        `0021_loss_strata`,
        `0022_keys_by_bytes`,
        `0023_locks`,
    ]
}

/// The views of `sql/views` and `sql/reports`, each after those that it reads: replaced when their text changes.
enum Views {
    static let `counted_device` = Statement(
        "counted_device",
        #"""
        -- counted_device: every device as the ledger counts it, with only those changes by time alone that were entered.
        --
        -- Grain    one row per device_id that was counted since the ledger began
        -- Reads    device
        -- Caveat   what lies at due_at or later has not been entered: until then a device that fell silent still counts
        -- Read by  counted_span, counted_phase
        create or replace view census.counted_device as
        select
            device_id,
            app_number,
            zone,
            case when due_at is null or silent_at < due_at then silent_at end as silent_at,
            case when due_at is null or reporting_until < due_at then reporting_until end as lapsed_at,
            due_at
        from census.device
        where zone is not null;

        comment on view census.counted_device is 'Every device as the ledger counts it.';
        comment on column census.counted_device.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.counted_device.app_number is 'The app.';
        comment on column census.counted_device.zone is 'The zone by whose days it is counted.';
        comment on column census.counted_device.silent_at is 'When it left every count; null: it has not.';
        comment on column census.counted_device.lapsed_at is 'When its last successful report ceased to count; null: it still does, or there was none.';
        comment on column census.counted_device.due_at is 'What time alone changes from then on is not entered yet; null: all of it is.';
        """#)
    static let `counted_phase` = Statement(
        "counted_phase",
        #"""
        -- counted_phase: every phase with the end by which the ledger counts it.
        --
        -- Grain    one row per phase of a counted_device
        -- Reads    phase, counted_device
        -- Read by  the ledger's checks (sql/ledger)
        create or replace view census.counted_phase as
        select
            phase.device_id,
            phase.app_number,
            counted_device.zone,
            phase.from_at,
            least(phase.to_at, counted_device.silent_at) as to_at,
            phase.platform,
            phase.os_version,
            phase.app_version,
            phase.gallery_policy,
            phase.is_reporting,
            -- Only for the phase that lasts: one that has ended says it itself.
            case when phase.to_at is null then counted_device.lapsed_at end as lapsed_at,
            phase.is_cloned,
            counted_device.due_at
        from census.phase
        join census.counted_device
            on counted_device.device_id = phase.device_id;

        comment on view census.counted_phase is 'Every phase with the end by which the ledger counts it.';
        comment on column census.counted_phase.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.counted_phase.app_number is 'The app.';
        comment on column census.counted_phase.zone is 'The zone by whose days its device is counted.';
        comment on column census.counted_phase.from_at is 'Since when.';
        comment on column census.counted_phase.to_at is 'Until when, excluded: the phase''s end, or when the device fell silent; null while it lasts.';
        comment on column census.counted_phase.platform is 'ios, ipados, macos, watchos, visionos or android.';
        comment on column census.counted_phase.os_version is 'Major and minor; null when not sent.';
        comment on column census.counted_phase.app_version is 'As sent.';
        comment on column census.counted_phase.gallery_policy is 'The version of the gallery policy that the app last said it had applied; null: none.';
        comment on column census.counted_phase.is_reporting is 'A report had succeeded within the activity window.';
        comment on column census.counted_phase.lapsed_at is 'When that report ceased to count, in the midst of the phase; null: it did not.';
        comment on column census.counted_phase.is_cloned is 'An installation that had ended had gone on sending.';
        comment on column census.counted_phase.due_at is 'What time alone changes from then on is not entered yet; null: all of it is.';
        """#)
    static let `counted_span` = Statement(
        "counted_span",
        #"""
        -- counted_span: every span with the end by which the ledger counts it.
        --
        -- Grain    one row per span of a counted_device
        -- Reads    span, counted_device
        -- Read by  the ledger's checks (sql/ledger)
        create or replace view census.counted_span as
        select
            span.device_id,
            span.app_number,
            counted_device.zone,
            span.surface,
            span.kind,
            span.family,
            span.intent,
            span.configuration,
            span.instance,
            span.from_at,
            least(span.to_at, counted_device.silent_at) as to_at,
            span.certain,
            span.presumed,
            span.suspect,
            span.either,
            span.reported,
            span.still_there,
            span.returned,
            span.claim_platform,
            span.claim_os_version,
            span.claim_rule,
            span.began_cause,
            case when counted_device.silent_at < coalesce(span.to_at, 'infinity') then 'silent' else span.ended_cause end
                as ended_cause
        from census.span
        join census.counted_device
            on counted_device.device_id = span.device_id;

        comment on view census.counted_span is 'Every span with the end by which the ledger counts it.';
        comment on column census.counted_span.device_id is 'Keyed hash of the app and the device id.';
        comment on column census.counted_span.app_number is 'The app.';
        comment on column census.counted_span.zone is 'The zone by whose days it is counted.';
        comment on column census.counted_span.surface is 'widget, control, live_activity or today.';
        comment on column census.counted_span.kind is 'The widget''s kind.';
        comment on column census.counted_span.family is 'systemSmall and so on; null where the app does not send it.';
        comment on column census.counted_span.intent is 'Class name of the configuration intent.';
        comment on column census.counted_span.configuration is 'Digest of the user''s settings.';
        comment on column census.counted_span.instance is 'Android''s appWidgetId or a control''s token digest.';
        comment on column census.counted_span.from_at is 'Since when.';
        comment on column census.counted_span.to_at is 'Until when, excluded: the span''s end, or when the device fell silent; null while it lasts.';
        comment on column census.counted_span.certain is 'Placements that the evidence forces.';
        comment on column census.counted_span.presumed is 'Placements that nothing proves and nothing speaks against: possible, and expected to be real.';
        comment on column census.counted_span.suspect is 'Placements that the OS reports and that may be stale.';
        comment on column census.counted_span.either is 'Placements of which an event left open whether it meant them: possible here, and not counted for the kind.';
        comment on column census.counted_span.reported is 'What the last successful report claimed.';
        comment on column census.counted_span.still_there is 'Of the suspects, how many proved to have been there; null while unknown.';
        comment on column census.counted_span.returned is 'Of the certain ones that came when it began, how many came back from silence.';
        comment on column census.counted_span.claim_platform is 'The platform that first claimed the suspects.';
        comment on column census.counted_span.claim_os_version is 'The OS version that first claimed the suspects.';
        comment on column census.counted_span.claim_rule is 'The rule that doubts the suspects: reinstall or fresh_install.';
        comment on column census.counted_span.began_cause is 'Why it began, in the words of report.changes.';
        comment on column census.counted_span.ended_cause is 'Why it ended; silent when the device fell silent before.';
        """#)
    static let `kind_state` = Statement(
        "kind_state",
        #"""
        -- kind_state: what was last decided about a kind.
        --
        -- Grain    one row per (app_number, surface, kind) that anybody ever decided about
        -- Reads    kind_act
        -- Read by  the retirement report, and the statements of kinds, decisions and losses
        create or replace view census.kind_state as
        select distinct on (app_number, surface, kind)
            app_number,
            surface,
            kind,
            lifecycle,
            replaced_by,
            acted_at,
            devices_possible,
            figures
        from census.kind_act
        order by
            app_number,
            surface,
            kind,
            act_number desc;

        comment on view census.kind_state is 'What was last decided about a kind.';
        comment on column census.kind_state.app_number is 'The app.';
        comment on column census.kind_state.surface is 'widget, control, live_activity or today.';
        comment on column census.kind_state.kind is 'The widget''s kind.';
        comment on column census.kind_state.lifecycle is 'active, legacy or retired.';
        comment on column census.kind_state.replaced_by is 'The kind that people are to use instead, where that act named one.';
        comment on column census.kind_state.acted_at is 'When.';
        comment on column census.kind_state.devices_possible is 'Devices that possibly held it then.';
        comment on column census.kind_state.figures is 'Its readiness then; null for acts from before that was kept.';
        """#)
    static let `suspect_share` = Statement(
        "suspect_share",
        #"""
        -- suspect_share: what became of suspects, by the OS that claimed them and the rule that doubted them.
        --
        -- Grain    one row per (app_number, platform, os_version, claim_rule) with a settled suspect
        -- Units    placements; share: of the settled ones still there, smoothed by one of each, so that it is never 0 or 1
        -- Reads    outcome_day: by a reboot (R6), or by the use of one of them (R7)
        -- Caveat   the widgets of a restored phone (R5) are real where those of a reinstalled app are not: never mix the rules
        -- Read by  live_now, live_kinds
        create or replace view census.suspect_share as
        select
            app_number,
            platform,
            os_version,
            sum(suspects_settled)::bigint as settled,
            sum(suspects_still_there)::bigint as still_there,
            (sum(suspects_still_there) + 1.0) / (sum(suspects_settled) + 2.0) as share,
            claim_rule
        from census.outcome_day
        group by
            app_number,
            platform,
            os_version,
            claim_rule
        having sum(suspects_settled) > 0;

        comment on view census.suspect_share is 'What became of suspects, by the OS that claimed them and the rule that doubted them.';
        comment on column census.suspect_share.app_number is 'The app.';
        comment on column census.suspect_share.platform is 'The platform that first claimed them.';
        comment on column census.suspect_share.os_version is 'The OS version that first claimed them; empty when unknown.';
        comment on column census.suspect_share.settled is 'Suspects of which it became known whether they were there.';
        comment on column census.suspect_share.still_there is 'Of these, those that were.';
        comment on column census.suspect_share.share is 'still_there / settled, smoothed by one of each.';
        comment on column census.suspect_share.claim_rule is 'The rule that doubted them: reinstall or fresh_install.';
        """#)
    static let `unexplained_change` = Statement(
        "unexplained_change",
        #"""
        -- unexplained_change: kinds for which what came and went does not explain what is certain from one closed day to the next.
        --
        -- Grain    one row per (app_number, day, surface, kind) that does not add up; none on a sound database
        -- Units    placements and devices: what came and went, less the difference to the day before
        -- Reads    change_day, move_day, kind_day, closed_day
        -- Read by  the checks of changes and of changes_by_version
        create or replace view census.unexplained_change as
        select
            step.app_number,
            step.day,
            step.surface,
            step.kind,
            sum(step.widgets)::bigint as widgets,
            sum(step.devices)::bigint as devices
        from (
            select
                change_day.app_number,
                change_day.day,
                change_day.surface,
                change_day.kind,
                change_day.widgets_added - change_day.widgets_removed as widgets,
                0 as devices
            from census.change_day
            union all
            select
                move_day.app_number,
                move_day.day,
                move_day.surface,
                move_day.kind,
                0,
                move_day.devices_added - move_day.devices_removed
            from census.move_day
            union all
            select
                kind_day.app_number,
                kind_day.day,
                kind_day.surface,
                kind_day.kind,
                -kind_day.widgets_certain,
                -kind_day.devices_certain
            from census.kind_day
            union all
            select
                kind_day.app_number,
                kind_day.day + 1,
                kind_day.surface,
                kind_day.kind,
                kind_day.widgets_certain,
                kind_day.devices_certain
            from census.kind_day
        ) as step
        join census.closed_day as today
            on today.app_number = step.app_number
            and today.day = step.day
        join census.closed_day as yesterday
            on yesterday.app_number = step.app_number
            and yesterday.day = step.day - 1
        group by
            step.app_number,
            step.day,
            step.surface,
            step.kind
        having sum(step.widgets) <> 0
            or sum(step.devices) <> 0;

        comment on view census.unexplained_change is 'Kinds for which what came and went does not explain what is certain from one closed day to the next.';
        comment on column census.unexplained_change.app_number is 'The app.';
        comment on column census.unexplained_change.day is 'The second of the two days.';
        comment on column census.unexplained_change.surface is 'widget, control, live_activity or today.';
        comment on column census.unexplained_change.kind is 'The widget''s kind.';
        comment on column census.unexplained_change.widgets is 'Placements that came, less those that went and those by which the certain ones grew.';
        comment on column census.unexplained_change.devices is 'The same of devices.';
        """#)
    static let `active` = Statement(
        "active",
        #"""
        -- active: how many devices were active each day, each week and in the window, with and without widgets.
        --
        -- Grain    one row per (app_id, day, platform, surface, kind, family); closed days only
        -- Units    distinct devices
        -- Reads    active_day
        -- Caveat   a device holds what it certainly held when the day ended: a lower bound, so suspects are not in it
        -- Read by  dashboards (installs); `widget-census report active`
        -- Order    app_id, day, platform, surface nulls first, kind nulls first, family nulls first
        -- Empty    no closed day has anything that matches; `widget-census nightly` closes days
        -- Budget   80..400 blocks
        create or replace view report.active as
        select
            app.app_id,
            active_day.day,
            active_day.platform,
            case when active_day.scope <> 'all' then active_day.surface end as surface,
            case when active_day.scope in ('kind', 'kind_family') then active_day.kind end as kind,
            case when active_day.scope in ('family', 'kind_family') then active_day.family end as family,
            active_day.devices_daily,
            active_day.devices_weekly,
            active_day.devices_in_window
        from census.app
        join census.active_day
            on active_day.app_number = app.app_number
        where active_day.devices_in_window > 0;

        comment on view report.active is 'How many devices were active each day, each week and in the window, with and without widgets.';
        comment on column report.active.app_id is 'Bundle id or package name.';
        comment on column report.active.day is 'In the app''s zone.';
        comment on column report.active.platform is 'ios, ipados, macos, watchos, visionos or android.';
        comment on column report.active.surface is 'Of devices that held something there; null: of all devices, whatever they held.';
        comment on column report.active.kind is 'Of devices that held the kind; null: any kind.';
        comment on column report.active.family is 'Of devices that held the family; null: any family, sent or not.';
        comment on column report.active.devices_daily is 'Distinct devices that were heard from on the day.';
        comment on column report.active.devices_weekly is 'Distinct devices that were heard from in the seven days that end with it.';
        comment on column report.active.devices_in_window is 'Distinct devices that were heard from in the activity window that ends with it.';
        """#)
    static let `acts` = Statement(
        "acts",
        #"""
        -- acts: what people decided about kinds, and when.
        --
        -- Grain    one row per (app_id, act)
        -- Units    devices: distinct devices as they were counted at that moment
        -- Reads    kind_act
        -- Caveat   who decided is not in it: `widget-census kinds show` says
        -- Read by  dashboards (decision, installs, losses, quality); `widget-census report acts`
        -- Empty    nobody has decided about a kind that matches; `widget-census kinds mark` does
        -- Spare    reason, replaced_by
        -- Budget   1..20 blocks
        create or replace view report.acts as
        select
            app.app_id,
            kind_act.act_number as act,
            (kind_act.acted_at at time zone app.zone)::date as day,
            kind_act.acted_at,
            kind_act.surface,
            kind_act.kind,
            kind_act.lifecycle,
            kind_act.replaced_by,
            kind_act.devices_certain,
            kind_act.devices_possible,
            kind_act.reason
        from census.app
        join census.kind_act
            on kind_act.app_number = app.app_number;

        comment on view report.acts is 'What people decided about kinds, and when.';
        comment on column report.acts.app_id is 'Bundle id or package name.';
        comment on column report.acts.act is 'Its number, which is the version of the gallery policy from then on; later ones are higher.';
        comment on column report.acts.day is 'In the app''s zone.';
        comment on column report.acts.acted_at is 'When.';
        comment on column report.acts.surface is 'widget, control, live_activity or today.';
        comment on column report.acts.kind is 'The widget''s kind.';
        comment on column report.acts.lifecycle is 'What the kind was from then on: active, legacy or retired.';
        comment on column report.acts.replaced_by is 'The kind that people are to use instead; null: none was named.';
        comment on column report.acts.devices_certain is 'Devices that certainly held it then.';
        comment on column report.acts.devices_possible is 'Devices that certainly or possibly held it then.';
        comment on column report.acts.reason is 'Why, in the words of the person; null: not said.';
        """#)
    static let `adoption` = Statement(
        "adoption",
        #"""
        -- adoption: which share of the devices holds any widget at all, by the version of app and OS.
        --
        -- Grain    one row per (app_id, day, app_version, os_version); closed days only
        -- Units    devices heard from in the activity window that ended with the day; share 0..1
        -- Reads    device_day
        -- Caveat   certain placements on the home screen (surfaces widget and today) only: a lower bound; versions as the day ended
        -- Read by  dashboards (decision, installs, losses, quality); `widget-census report adoption`
        -- Order    app_id, day, app_version, os_version nulls first
        -- Empty    no closed day has anything that matches; `widget-census nightly` closes days
        -- Budget   20..90 blocks
        create or replace view report.adoption as
        select
            app.app_id,
            counted.day,
            counted.app_version,
            nullif(counted.os_version, '') as os_version,
            counted.devices_active,
            counted.devices_with_any_widget,
            round(counted.devices_with_any_widget::numeric / counted.devices_active, 4) as share
        from census.app
        cross join lateral (
            select
                device_day.day,
                device_day.app_version,
                device_day.os_version,
                sum(device_day.devices_active)::bigint as devices_active,
                sum(device_day.devices_with_widget)::bigint as devices_with_any_widget
            from census.device_day
            where device_day.app_number = app.app_number
            group by
                device_day.day,
                device_day.app_version,
                device_day.os_version
            having sum(device_day.devices_active) > 0
        ) as counted;

        comment on view report.adoption is 'Which share of the devices holds any widget at all, by the version of app and OS.';
        comment on column report.adoption.app_id is 'Bundle id or package name.';
        comment on column report.adoption.day is 'In the app''s zone.';
        comment on column report.adoption.app_version is 'The version of the app that the device ran when the day ended.';
        comment on column report.adoption.os_version is 'Its OS version, major and minor; null when not sent.';
        comment on column report.adoption.devices_active is 'Devices heard from in the activity window that ended with the day.';
        comment on column report.adoption.devices_with_any_widget is 'Of these, certainly held a placement on the surface widget or today.';
        comment on column report.adoption.share is 'devices_with_any_widget / devices_active.';
        """#)
    static let `changes` = Statement(
        "changes",
        #"""
        -- changes: which widgets came and went on each day, and why.
        --
        -- Grain    one row per (app_id, day, surface, kind, family, cause); closed days only
        -- Units    placements that became certain, or were and no longer are
        -- Reads    change_day
        -- Caveat   gross, not net: a widget that came and went on one day is in both columns; what is only possible is in neither
        -- Read by  dashboards (installs, losses); `widget-census report changes`
        -- Order    app_id, day, surface, kind, family nulls first, cause
        -- Empty    no closed day has anything that matches; `widget-census nightly` closes days
        -- Budget   90..380 blocks
        create or replace view report.changes as
        select
            app.app_id,
            change_day.day,
            change_day.surface,
            change_day.kind,
            nullif(change_day.family, '') as family,
            change_day.cause,
            change_day.widgets_added,
            change_day.widgets_removed
        from census.app
        join census.change_day
            on change_day.app_number = app.app_number
        where change_day.widgets_added > 0
            or change_day.widgets_removed > 0;

        comment on view report.changes is 'Which widgets came and went on each day, and why.';
        comment on column report.changes.app_id is 'Bundle id or package name.';
        comment on column report.changes.day is 'In the app''s zone.';
        comment on column report.changes.surface is 'widget, control, live_activity or today.';
        comment on column report.changes.kind is 'The widget''s kind.';
        comment on column report.changes.family is 'systemSmall and so on; null where the app does not send it.';
        comment on column report.changes.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten.';
        comment on column report.changes.widgets_added is 'Placements that became certain.';
        comment on column report.changes.widgets_removed is 'Placements that were certain and no longer were.';
        """#)
    static let `changes_by_version` = Statement(
        "changes_by_version",
        #"""
        -- changes_by_version: which release and which OS took or brought widgets, day by day.
        --
        -- Grain    one row per (app_id, day, surface, kind, cause, app_version, os_version, platform); closed days only
        -- Units    widgets: placements that became certain, or were; devices: distinct devices that came to hold the kind, or ceased to
        -- Reads    move_day
        -- Caveat   gross, not net; the version is the one from which the change was seen: after an update it is the new one
        -- Read by  dashboards (installs, losses); `widget-census report changes_by_version`
        -- Order    app_id, day, surface, kind, cause, app_version, os_version nulls first, platform
        -- Spare    devices_added, devices_removed, widgets_added
        -- Empty    no closed day has anything that matches; `widget-census nightly` closes days
        -- Budget   90..900 blocks
        create or replace view report.changes_by_version as
        select
            app.app_id,
            move_day.day,
            move_day.surface,
            move_day.kind,
            move_day.cause,
            nullif(move_day.app_version, '') as app_version,
            nullif(move_day.os_version, '') as os_version,
            nullif(move_day.platform, '') as platform,
            move_day.widgets_added,
            move_day.widgets_removed,
            move_day.devices_added,
            move_day.devices_removed
        from census.app
        join census.move_day
            on move_day.app_number = app.app_number
        where move_day.widgets_added > 0
            or move_day.widgets_removed > 0
            or move_day.devices_added > 0
            or move_day.devices_removed > 0;

        comment on view report.changes_by_version is 'Which release and which OS took or brought widgets, day by day.';
        comment on column report.changes_by_version.app_id is 'Bundle id or package name.';
        comment on column report.changes_by_version.day is 'In the app''s zone.';
        comment on column report.changes_by_version.surface is 'widget, control, live_activity or today.';
        comment on column report.changes_by_version.kind is 'The widget''s kind.';
        comment on column report.changes_by_version.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten.';
        comment on column report.changes_by_version.app_version is 'The version of the app from which the change was seen.';
        comment on column report.changes_by_version.os_version is 'The OS version at that time, major and minor; null when not sent.';
        comment on column report.changes_by_version.platform is 'ios, ipados, macos, watchos, visionos or android.';
        comment on column report.changes_by_version.widgets_added is 'Placements that became certain.';
        comment on column report.changes_by_version.widgets_removed is 'Placements that were certain and no longer were.';
        comment on column report.changes_by_version.devices_added is 'Devices that came to hold the kind for certain.';
        comment on column report.changes_by_version.devices_removed is 'Devices on which no placement of the kind was certain any longer.';
        """#)
    static let `coverage` = Statement(
        "coverage",
        #"""
        -- coverage: of how many devices the state is known, day by day.
        --
        -- Grain    one row per (app_id, day), for every closed day
        -- Units    devices heard from in the activity window that ended with the day; reads of the day itself; share 0..1
        -- Reads    closed_day, device_day, read_quarter, kind_act
        -- Caveat   reads count on the day they were made, also those of devices that are not active; the channel production only
        -- Read by  dashboards (decision, installs, losses, quality); `widget-census report coverage`
        -- Empty    no closed day has anything that matches; `widget-census nightly` closes days
        -- Budget   90..380 blocks
        create or replace view report.coverage as
        select
            app.app_id,
            closed_day.day,
            coalesce(active.devices, 0) as devices_active,
            coalesce(active.reporting, 0) as devices_reporting,
            round(active.reporting::numeric / nullif(active.devices, 0), 4) as share_reporting,
            coalesce(read.reads, 0) as reads,
            coalesce(read.reads_failed, 0) as reads_failed,
            coalesce(active.cloned, 0) as devices_cloned,
            case when policy.version is not null then coalesce(active.applied, 0) end as policy_applied
        from census.app
        join census.closed_day
            on closed_day.app_number = app.app_number
        -- In every zone a quarter of an hour lies within one day, so this holds after the app's zone was changed. Where midnight
        -- comes twice, only the quarter itself says which day it is in.
        cross join lateral (
            select
                sum(read_quarter.reads)::bigint as reads,
                sum(read_quarter.reads_failed)::bigint as reads_failed
            from census.read_quarter
            where read_quarter.app_number = closed_day.app_number
                and read_quarter.quarter_at >= (closed_day.day::timestamp at time zone app.zone) - interval '2 hours'
                and read_quarter.quarter_at < ((closed_day.day + 1)::timestamp at time zone app.zone) + interval '2 hours'
                and (read_quarter.quarter_at at time zone app.zone)::date = closed_day.day
        ) as read
        -- The policy in force when the day ended. A device's clock may put a newer one into the day; a number past the newest was never
        -- issued.
        cross join lateral (
            select
                max(kind_act.act_number) filter (
                    where kind_act.acted_at < ((closed_day.day + 1)::timestamp at time zone app.zone)) as version,
                max(kind_act.act_number) as newest
            from census.kind_act
            where kind_act.app_number = app.app_number
        ) as policy
        cross join lateral (
            select
                sum(device_day.devices_active)::bigint as devices,
                sum(device_day.devices_reporting)::bigint as reporting,
                sum(device_day.devices_cloned)::bigint as cloned,
                sum(device_day.devices_active) filter (
                    where device_day.gallery_policy between policy.version and policy.newest)::bigint as applied
            from census.device_day
            where device_day.app_number = closed_day.app_number
                and device_day.day = closed_day.day
        ) as active;

        comment on view report.coverage is 'Of how many devices the state is known, day by day.';
        comment on column report.coverage.app_id is 'Bundle id or package name.';
        comment on column report.coverage.day is 'In the app''s zone.';
        comment on column report.coverage.devices_active is 'Devices heard from in the activity window that ended with the day.';
        comment on column report.coverage.devices_reporting is 'Of these, sent a successful report within the window.';
        comment on column report.coverage.share_reporting is 'devices_reporting / devices_active; null if no device was active.';
        comment on column report.coverage.reads is 'How often apps read the list of widgets on the day.';
        comment on column report.coverage.reads_failed is 'Of these, reads that failed.';
        comment on column report.coverage.devices_cloned is 'Of the active devices, known to exist twice: an installation that had ended went on sending.';
        comment on column report.coverage.policy_applied is 'Of the active devices, had applied the gallery policy in force when the day ended; null before the first.';
        """#)
    static let `ghosts` = Statement(
        "ghosts",
        #"""
        -- ghosts: how many widgets that the OS reported may have been stale, and what became of them.
        --
        -- Grain    one row per (app_id, day, surface, kind) with a suspect in the count at the day's end; closed days only
        -- Units    placements
        -- Reads    kind_day
        -- Caveat   a level, not a flow: a suspect is in every day until it is settled; what is in neither outcome is not known yet
        -- Read by  dashboards (quality); `widget-census report ghosts`
        -- Order    app_id, day, surface, widgets_suspect desc, kind
        -- Empty    on no closed day that matches was a widget suspect: that takes a new installation that reports
        -- Budget   60..260 blocks
        create or replace view report.ghosts as
        select
            app.app_id,
            kind_day.day,
            kind_day.surface,
            kind_day.kind,
            kind_day.widgets_suspect,
            kind_day.widgets_gone,
            kind_day.widgets_still_there
        from census.app
        join census.kind_day
            on kind_day.app_number = app.app_number
        where kind_day.widgets_suspect > 0;

        comment on view report.ghosts is 'How many widgets that the OS reported may have been stale, and what became of them.';
        comment on column report.ghosts.app_id is 'Bundle id or package name.';
        comment on column report.ghosts.day is 'The day at whose end was counted, in the app''s zone.';
        comment on column report.ghosts.surface is 'widget, control, live_activity or today.';
        comment on column report.ghosts.kind is 'The widget''s kind.';
        comment on column report.ghosts.widgets_suspect is 'Placements that the OS reported and that might have been stale.';
        comment on column report.ghosts.widgets_gone is 'Of these, proved later to have been gone: ghosts.';
        comment on column report.ghosts.widgets_still_there is 'Of these, proved later to have been there.';
        """#)
    static let `live_installs` = Statement(
        "live_installs",
        #"""
        -- live_installs: where the widgets live, by everything that tells installs apart.
        --
        -- Grain    one row per (app_id, day, surface, kind, family, app_version, os_version, platform); closed days only
        -- Units    devices: distinct devices within the row; widgets: placements, a lower bound
        -- Reads    install_day
        -- Caveat   a device may hold several families: devices don't add up over them, live_kinds has the count of a kind
        -- Read by  dashboards (decision, installs); `widget-census report live_installs`
        -- Order    app_id, day, surface, kind, family nulls first, app_version, os_version nulls first, platform
        -- Empty    no closed day has anything that matches; `widget-census nightly` closes days
        -- Budget   250..1000 blocks
        create or replace view report.live_installs as
        select
            app.app_id,
            install_day.day,
            install_day.surface,
            install_day.kind,
            nullif(install_day.family, '') as family,
            install_day.app_version,
            nullif(install_day.os_version, '') as os_version,
            install_day.platform,
            install_day.devices_certain,
            install_day.devices_possible,
            install_day.widgets_certain,
            install_day.widgets_possible,
            install_day.widgets_reported
        from census.app
        join census.install_day
            on install_day.app_number = app.app_number;

        comment on view report.live_installs is 'Where the widgets live, by everything that tells installs apart.';
        comment on column report.live_installs.app_id is 'Bundle id or package name.';
        comment on column report.live_installs.day is 'The day at whose end was counted, in the app''s zone.';
        comment on column report.live_installs.surface is 'widget, control, live_activity or today.';
        comment on column report.live_installs.kind is 'The widget''s kind.';
        comment on column report.live_installs.family is 'systemSmall and so on; null where the app does not send it.';
        comment on column report.live_installs.app_version is 'The version of the app that the device ran when the day ended.';
        comment on column report.live_installs.os_version is 'Its OS version, major and minor; null when not sent.';
        comment on column report.live_installs.platform is 'ios, ipados, macos, watchos, visionos or android.';
        comment on column report.live_installs.devices_certain is 'Devices that certainly held it: the lower bound.';
        comment on column report.live_installs.devices_possible is 'Devices that certainly or possibly held it: the upper bound.';
        comment on column report.live_installs.widgets_certain is 'Placements that were certain.';
        comment on column report.live_installs.widgets_possible is 'Placements that were certain or possible.';
        comment on column report.live_installs.widgets_reported is 'Placements that the OS claimed: the naive number.';
        """#)
    static let `live_kinds` = Statement(
        "live_kinds",
        #"""
        -- live_kinds: on how many devices each widget kind lived, day by day.
        --
        -- Grain    one row per (app_id, day, surface, kind); closed days only
        -- Units    devices: distinct devices; widgets: placements, a lower bound
        -- Reads    kind_day, kind_day_unsettled, suspect_share
        -- Caveat   a device silent for more than the activity window is absent, not zero
        -- Read by  dashboards (decision, installs, quality); `widget-census report live_kinds`
        -- Order    app_id, day, surface, devices_possible desc, kind
        -- Empty    no closed day has anything that matches; `widget-census nightly` closes days
        -- Budget   120..400 blocks
        create or replace view report.live_kinds as
        select
            app.app_id,
            counted.day,
            counted.surface,
            counted.kind,
            counted.devices_certain,
            counted.devices_possible,
            counted.devices_expected,
            counted.widgets_certain,
            counted.widgets_possible,
            counted.widgets_reported,
            counted.devices_certain_first_known,
            counted.devices_possible_first_known
        from census.app
        -- One app at a time, with levels and weights side by side: a reader's filter on app and day reaches the keys of both.
        cross join lateral (
            select
                part.day,
                part.surface,
                part.kind,
                sum(part.devices_certain)::bigint as devices_certain,
                sum(part.devices_possible)::bigint as devices_possible,
                round(sum(part.devices_expected), 1) as devices_expected,
                sum(part.widgets_certain)::bigint as widgets_certain,
                sum(part.widgets_possible)::bigint as widgets_possible,
                sum(part.widgets_reported)::bigint as widgets_reported,
                sum(part.devices_certain_first_known)::bigint as devices_certain_first_known,
                sum(part.devices_possible_first_known)::bigint as devices_possible_first_known
            from (
                select
                    kind_day.day,
                    kind_day.surface,
                    kind_day.kind,
                    kind_day.devices_certain,
                    kind_day.devices_possible,
                    (kind_day.devices_certain + kind_day.devices_still_there)::numeric as devices_expected,
                    kind_day.widgets_certain,
                    kind_day.widgets_possible,
                    kind_day.widgets_reported,
                    kind_day.devices_certain_first_known,
                    kind_day.devices_possible_first_known
                from census.kind_day
                where kind_day.app_number = app.app_number
                    -- Not a row that is there for its silent devices alone.
                    and (
                        kind_day.devices_possible <> 0
                        or kind_day.widgets_reported <> 0
                        or kind_day.devices_possible_first_known <> 0
                    )
                union all
                select
                    unsettled.day,
                    unsettled.surface,
                    unsettled.kind,
                    0,
                    0,
                    unsettled.devices * coalesce(known.share, 0.5),
                    0,
                    0,
                    0,
                    0,
                    0
                from census.kind_day_unsettled as unsettled
                left join (
                    select
                        suspect_share.platform,
                        suspect_share.os_version,
                        suspect_share.claim_rule,
                        suspect_share.share
                    from census.suspect_share
                    where suspect_share.app_number = app.app_number
                ) as known
                    on known.platform = unsettled.platform
                    and known.os_version = unsettled.os_version
                    and known.claim_rule = unsettled.claim_rule
                where unsettled.app_number = app.app_number
            ) as part
            group by
                part.day,
                part.surface,
                part.kind
        ) as counted;

        comment on view report.live_kinds is 'On how many devices each widget kind lived, day by day.';
        comment on column report.live_kinds.app_id is 'Bundle id or package name.';
        comment on column report.live_kinds.day is 'The day at whose end was counted, in the app''s zone.';
        comment on column report.live_kinds.surface is 'widget, control, live_activity or today.';
        comment on column report.live_kinds.kind is 'The widget''s kind.';
        comment on column report.live_kinds.devices_certain is 'Devices that certainly held it: the lower bound.';
        comment on column report.live_kinds.devices_possible is 'Devices that certainly or possibly held it: the upper bound.';
        comment on column report.live_kinds.devices_expected is 'The estimate between the bounds: by a suspect''s outcome if that is known, else by the share of its OS version''s suspects that were still there, or one half while nothing is known.';
        comment on column report.live_kinds.widgets_certain is 'Placements that were certain.';
        comment on column report.live_kinds.widgets_possible is 'Placements that were certain or possible.';
        comment on column report.live_kinds.widgets_reported is 'Placements that the OS claimed: the naive number.';
        comment on column report.live_kinds.devices_certain_first_known is 'devices_certain when the day was first closed.';
        comment on column report.live_kinds.devices_possible_first_known is 'devices_possible when the day was first closed.';
        """#)
    static let `live_now` = Statement(
        "live_now",
        #"""
        -- live_now: on how many devices each widget kind lives, as of the last reconciled event.
        --
        -- Grain    one row per (app_id, surface, kind) that a device may hold or an OS claims
        -- Units    devices: distinct devices; widgets: placements, a lower bound
        -- Reads    kind_day, kind_day_unsettled, kind_entry, kind_unsettled_entry, closed_day, suspect_share, reconciled
        -- Caveat   a device silent for more than the activity window is absent, not zero; it falls silent when the reconciler or a
        --          night next processes it
        -- Read by  dashboards (decision, installs, losses, quality); retirement; kind_act; `widget-census report live_now`
        -- Order    app_id, surface, devices_possible desc, kind
        -- Empty    no device that matches reported within the activity window
        -- Spare    as_of, widgets_reported, widgets_possible, widgets_certain
        -- Budget   85..350 blocks
        create or replace view report.live_now as
        select
            app.app_id,
            counted.surface,
            counted.kind,
            counted.devices_certain,
            counted.devices_possible,
            counted.devices_expected,
            counted.widgets_certain,
            counted.widgets_possible,
            counted.widgets_reported,
            reconciled.as_of
        from census.app
        -- The level of the last closed day, and every net change that no night has taken yet.
        cross join lateral (
            select
                part.surface,
                part.kind,
                sum(part.devices_certain)::bigint as devices_certain,
                sum(part.devices_possible)::bigint as devices_possible,
                round(sum(part.devices_expected), 1) as devices_expected,
                sum(part.widgets_certain)::bigint as widgets_certain,
                sum(part.widgets_possible)::bigint as widgets_possible,
                sum(part.widgets_reported)::bigint as widgets_reported
            from (
                select
                    kind_day.surface,
                    kind_day.kind,
                    kind_day.devices_certain,
                    kind_day.devices_possible,
                    (kind_day.devices_certain + kind_day.devices_still_there)::numeric as devices_expected,
                    kind_day.widgets_certain,
                    kind_day.widgets_possible,
                    kind_day.widgets_reported
                from census.kind_day
                where kind_day.app_number = app.app_number
                    and kind_day.day = (select max(day) from census.closed_day where closed_day.app_number = app.app_number)
                union all
                -- Summed here, where the planner knows how few kinds there are.
                select
                    kind_entry.surface,
                    kind_entry.kind,
                    sum(kind_entry.devices_certain)::bigint,
                    sum(kind_entry.devices_possible)::bigint,
                    sum(kind_entry.devices_certain + kind_entry.devices_still_there),
                    sum(kind_entry.widgets_certain)::bigint,
                    sum(kind_entry.widgets_possible)::bigint,
                    sum(kind_entry.widgets_reported)::bigint
                from census.kind_entry
                where kind_entry.app_number = app.app_number
                    and kind_entry.day <= (now() at time zone app.zone)::date
                group by
                    kind_entry.surface,
                    kind_entry.kind
                union all
                select
                    unsettled.surface,
                    unsettled.kind,
                    0,
                    0,
                    unsettled.devices * coalesce(known.share, 0.5),
                    0,
                    0,
                    0
                from (
                    select
                        kind_day_unsettled.surface,
                        kind_day_unsettled.kind,
                        kind_day_unsettled.platform,
                        kind_day_unsettled.os_version,
                        kind_day_unsettled.claim_rule,
                        kind_day_unsettled.devices
                    from census.kind_day_unsettled
                    where kind_day_unsettled.app_number = app.app_number
                        and kind_day_unsettled.day = (
                            select max(day) from census.closed_day where closed_day.app_number = app.app_number)
                    union all
                    select
                        kind_unsettled_entry.surface,
                        kind_unsettled_entry.kind,
                        kind_unsettled_entry.platform,
                        kind_unsettled_entry.os_version,
                        kind_unsettled_entry.claim_rule,
                        sum(kind_unsettled_entry.devices)::bigint
                    from census.kind_unsettled_entry
                    where kind_unsettled_entry.app_number = app.app_number
                        and kind_unsettled_entry.day <= (now() at time zone app.zone)::date
                    group by
                        kind_unsettled_entry.surface,
                        kind_unsettled_entry.kind,
                        kind_unsettled_entry.platform,
                        kind_unsettled_entry.os_version,
                        kind_unsettled_entry.claim_rule
                ) as unsettled
                left join (
                    select
                        suspect_share.platform,
                        suspect_share.os_version,
                        suspect_share.claim_rule,
                        suspect_share.share
                    from census.suspect_share
                    where suspect_share.app_number = app.app_number
                ) as known
                    on known.platform = unsettled.platform
                    and known.os_version = unsettled.os_version
                    and known.claim_rule = unsettled.claim_rule
            ) as part
            group by
                part.surface,
                part.kind
        ) as counted
        left join census.reconciled
            on reconciled.app_number = app.app_number
        where counted.devices_possible <> 0
            or counted.widgets_reported <> 0;

        comment on view report.live_now is 'On how many devices each widget kind lives, as of the last reconciled event.';
        comment on column report.live_now.app_id is 'Bundle id or package name.';
        comment on column report.live_now.surface is 'widget, control, live_activity or today.';
        comment on column report.live_now.kind is 'The widget''s kind.';
        comment on column report.live_now.devices_certain is 'Devices that certainly hold it: the lower bound.';
        comment on column report.live_now.devices_possible is 'Devices that certainly or possibly hold it: the upper bound.';
        comment on column report.live_now.devices_expected is 'The estimate between the bounds, as in live_kinds.';
        comment on column report.live_now.widgets_certain is 'Placements that are certain.';
        comment on column report.live_now.widgets_possible is 'Placements that are certain or possible.';
        comment on column report.live_now.widgets_reported is 'Placements that the OS claims: the naive number.';
        comment on column report.live_now.as_of is 'Time of the app''s last reconciled event.';
        """#)
    static let `mass_losses` = Statement(
        "mass_losses",
        #"""
        -- mass_losses: whether updates take a kind away, per version that devices updated to, and from.
        --
        -- Grain    one row per (app_id, surface, kind, from_version, to_version); from_version null: all of them, which decides
        -- Units    devices: pairs of successive reports, the later one under another version; z: standard deviations
        -- Reads    loss_watch, loss_origin
        -- Caveat   as of the last night; versions are watched for 180 days, kinds with 20 holders and more. Evidence decides (an e-value
        --          that may be looked at every night); z is description only
        -- Read by  dashboards (decision, installs, losses, quality); `widget-census report mass_losses`;
        --          `widget-census losses show KIND`
        -- Empty    no update is watched yet: it takes 20 devices that hold a kind, update and report again
        -- Spare    z, ordinary_rate, evidence, loss_rate, opened_on
        -- Budget   5..200 blocks
        create or replace view report.mass_losses as
        select
            app.app_id,
            watched.surface,
            watched.kind,
            watched.from_version,
            watched.to_version,
            watched.upgraders,
            watched.lost,
            round(watched.lost::numeric / nullif(watched.upgraders, 0), 6) as loss_rate,
            -- Too few others tell too little: as the evidence has it.
            case
                when watched.others_seconds >= 0.05 * watched.exposed_seconds then
                    round(
                        least(
                            1,
                            (watched.others_lost::numeric / nullif(watched.others_seconds, 0))
                            * watched.exposed_seconds / nullif(watched.upgraders, 0)),
                        6)
            end as ordinary_rate,
            round(watched.z::numeric, 2) as z,
            -- Four digits tell enough.
            to_char(watched.evidence, '9.999EEEE')::double precision as evidence,
            watched.devices_at_risk,
            watched.state,
            watched.opened_on
        from (
            select
                app_number,
                surface,
                kind,
                null as from_version,
                to_version,
                upgraders,
                lost,
                exposed_seconds,
                others_lost,
                others_seconds,
                z,
                evidence,
                devices_at_risk,
                state,
                opened_on
            from census.loss_watch
            where judged_on is not null
            union all
            select
                loss_origin.app_number,
                loss_origin.surface,
                loss_origin.kind,
                loss_origin.from_version,
                loss_origin.to_version,
                loss_origin.upgraders,
                loss_origin.lost,
                loss_origin.exposed_seconds,
                loss_origin.others_lost,
                loss_origin.others_seconds,
                loss_origin.z,
                loss_origin.evidence,
                loss_origin.devices_at_risk,
                loss_watch.state,
                loss_watch.opened_on
            from census.loss_origin
            join census.loss_watch
                on loss_watch.app_number = loss_origin.app_number
                and loss_watch.surface = loss_origin.surface
                and loss_watch.kind = loss_origin.kind
                and loss_watch.to_version = loss_origin.to_version
        ) as watched
        join census.app
            on app.app_number = watched.app_number;

        comment on view report.mass_losses is 'Whether updates take a kind away, per version that devices updated to, and from.';
        comment on column report.mass_losses.app_id is 'Bundle id or package name.';
        comment on column report.mass_losses.surface is 'widget, control, live_activity or today.';
        comment on column report.mass_losses.kind is 'The widget''s kind.';
        comment on column report.mass_losses.from_version is 'The app''s version before the update; null: any.';
        comment on column report.mass_losses.to_version is 'The app''s version after it.';
        comment on column report.mass_losses.upgraders is 'Devices that held it for certain, updated and reported again.';
        comment on column report.mass_losses.lost is 'Those that then listed nothing of it.';
        comment on column report.mass_losses.loss_rate is 'lost / upgraders.';
        comment on column report.mass_losses.ordinary_rate is 'The share of them that would have lost it in the same time without the update, by the others of the same nights; null: there were too few.';
        comment on column report.mass_losses.z is 'Standard deviations between the lost and what the others'' rate lets expect; null: nothing was lost.';
        comment on column report.mass_losses.evidence is 'How much speaks for a loss: an e-value, 1 to begin with. An incident opens at 2 / (its share of the budget of false alarms).';
        comment on column report.mass_losses.devices_at_risk is 'Devices that still held it for certain on the version before; from_version null: on any older version.';
        comment on column report.mass_losses.state is 'Of the incident: watched (none), open, acknowledged or closed.';
        comment on column report.mass_losses.opened_on is 'The day whose pairs were enough for an incident; null: none was.';
        """#)
    static let `os_quirks` = Statement(
        "os_quirks",
        #"""
        -- os_quirks: on which versions of an OS the list names widgets that are gone.
        --
        -- Grain    one row per (app_id, platform, os_version) whose suspects were settled; the version that claimed them first
        -- Units    placements of known devices that were suspect after a reinstall (R4); shares 0..1; 95 % interval by Wilson's score
        -- Reads    outcome_day, change_day, kind_day
        -- Caveat   people remove widgets, too: only a share whose interval lies above ordinary_removal_share is a bug of the OS
        -- Read by  dashboards (quality); `widget-census report os_quirks`
        -- Empty    no suspect was settled yet: that takes a reinstall, a boot, and a report after it
        -- Budget   800..3200 blocks
        create or replace view report.os_quirks as
        select
            app.app_id,
            settled.platform,
            settled.os_version,
            settled.suspects::bigint as suspects_settled,
            settled.gone::bigint as gone,
            (settled.suspects - settled.gone)::bigint as still_there,
            round((settled.gone / settled.suspects)::numeric, 4) as gone_share,
            round(greatest(0, (settled.gone + 1.9208 - 1.96 * sqrt(
                settled.gone * (settled.suspects - settled.gone) / settled.suspects + 0.9604)) / (settled.suspects + 3.8416)
            )::numeric, 4) as low,
            round(least(1, (settled.gone + 1.9208 + 1.96 * sqrt(
                settled.gone * (settled.suspects - settled.gone) / settled.suspects + 0.9604)) / (settled.suspects + 3.8416)
            )::numeric, 4) as high,
            round((1 - exp(-coalesce(settled.removals_expected, 0)))::numeric, 4) as ordinary_removal_share
        from census.app
        -- How fast people remove widgets that are certain.
        cross join lateral (
            select sum(change_day.widgets_removed)::double precision as widgets
            from census.change_day
            where change_day.app_number = app.app_number
                and change_day.cause = 'removed'
        ) as removed
        cross join lateral (
            select sum(kind_day.widgets_certain)::double precision * 86400 as widget_seconds
            from census.kind_day
            where kind_day.app_number = app.app_number
        ) as held
        cross join lateral (
            select
                outcome_day.platform,
                outcome_day.os_version,
                sum(outcome_day.suspects_settled)::double precision as suspects,
                sum(outcome_day.suspects_settled - outcome_day.suspects_still_there)::double precision as gone,
                -- For one widget, over the time for which these were suspect. Computed here, so that the rate is taken only once.
                removed.widgets / nullif(held.widget_seconds, 0)
                    * sum(outcome_day.suspect_seconds)::double precision
                    / nullif(sum(outcome_day.suspects_settled), 0)::double precision as removals_expected
            from census.outcome_day
            where outcome_day.app_number = app.app_number
                and outcome_day.claim_rule = 'reinstall'
            group by
                outcome_day.platform,
                outcome_day.os_version
            having sum(outcome_day.suspects_settled) > 0
        ) as settled;

        comment on view report.os_quirks is 'On which versions of an OS the list names widgets that are gone.';
        comment on column report.os_quirks.app_id is 'Bundle id or package name.';
        comment on column report.os_quirks.platform is 'The platform that claimed them first.';
        comment on column report.os_quirks.os_version is 'The OS version that claimed them first, major and minor; empty when unknown.';
        comment on column report.os_quirks.suspects_settled is 'Suspects of known devices (R4) whose outcome is known.';
        comment on column report.os_quirks.gone is 'Of these, no longer claimed after a boot.';
        comment on column report.os_quirks.still_there is 'Of these, still claimed after a boot, or used before one.';
        comment on column report.os_quirks.gone_share is 'gone / suspects_settled.';
        comment on column report.os_quirks.low is 'Lower end of the 95 % interval of gone_share (Wilson''s score).';
        comment on column report.os_quirks.high is 'Upper end of the 95 % interval of gone_share (Wilson''s score).';
        comment on column report.os_quirks.ordinary_removal_share is 'The share that would have gone because people remove widgets: 1 - exp(-rate * time suspect), the rate being removals of certain widgets per widget and second.';
        """#)
    static let `overlap` = Statement(
        "overlap",
        #"""
        -- overlap: how many devices that hold a legacy kind hold another one, too, day by day.
        --
        -- Grain    one row per (app_id, day, surface, kind, other_kind); closed days only
        -- Units    distinct devices that certainly held both when the day ended
        -- Reads    overlap_day, kind_day
        -- Caveat   pairs in which one kind is, or was, marked legacy, each in both orders; no row means that no device held both
        -- Read by  dashboards (decision); `widget-census report overlap`
        -- Empty    no device holds a kind that was ever marked legacy and another one, or no night has come since one was marked
        -- Budget   150..1400 blocks
        create or replace view report.overlap as
        select
            app.app_id,
            pair.day,
            pair.surface,
            pair.kind,
            pair.other_kind,
            pair.devices as devices_with_both,
            kind_day.devices_certain as devices_with_kind
        from census.app
        cross join lateral (
            select
                day,
                surface,
                kind,
                other_kind,
                devices
            from census.overlap_day
            where app_number = app.app_number
            union all
            select
                day,
                surface,
                other_kind,
                kind,
                devices
            from census.overlap_day
            where app_number = app.app_number
        ) as pair
        join census.kind_day
            on kind_day.app_number = app.app_number
            and kind_day.day = pair.day
            and kind_day.surface = pair.surface
            and kind_day.kind = pair.kind
        where pair.devices > 0;

        comment on view report.overlap is 'How many devices that hold a legacy kind hold another one, too, day by day.';
        comment on column report.overlap.app_id is 'Bundle id or package name.';
        comment on column report.overlap.day is 'In the app''s zone.';
        comment on column report.overlap.surface is 'widget, control, live_activity or today.';
        comment on column report.overlap.kind is 'A kind; it or the other one is, or was, marked legacy.';
        comment on column report.overlap.other_kind is 'The other kind, on the same surface.';
        comment on column report.overlap.devices_with_both is 'Devices that certainly held both when the day ended.';
        comment on column report.overlap.devices_with_kind is 'Devices that certainly held kind, as in live_kinds.';
        """#)
    static let `refused` = Statement(
        "refused",
        #"""
        -- refused: how many events were refused at the door, and for what.
        --
        -- Grain    one row per (app_id, day, code); the day of receipt, in UTC whatever the app's zone
        -- Units    events; a redelivery on the same day is one
        -- Reads    refused
        -- Caveat   includes today; batches refused as a whole are not kept, /metrics counts them
        -- Read by  dashboards (quality); `widget-census report refused`
        -- Order    app_id, day, events desc, code
        -- Empty    no event that matches was refused
        -- Budget   35..350 blocks
        create or replace view report.refused as
        select
            app.app_id,
            refused.refused_on as day,
            refused.code,
            count(*) as events,
            -- By bytes: the same one under every collation.
            min(refused.message collate "C") as example
        -- A plain join, though a lateral one is twice as fast: Citus supports no other on a distributed table.
        from census.refused
        join census.app
            on app.app_number = refused.app_number
        group by
            app.app_number,
            app.app_id,
            refused.refused_on,
            refused.code;

        comment on view report.refused is 'How many events were refused at the door, and for what.';
        comment on column report.refused.app_id is 'Bundle id or package name.';
        comment on column report.refused.day is 'The day of receipt, in UTC.';
        comment on column report.refused.code is 'Why, as the sender was told: too_old, invalid_widget and so on.';
        comment on column report.refused.events is 'Events that were refused; a redelivery on the same day adds nothing.';
        comment on column report.refused.example is 'The sentence that one of the senders got; the same one at every reading.';
        """#)
    static let `unknown_device` = Statement(
        "unknown_device",
        #"""
        -- unknown_device: devices that were heard from but are not among the active ones, as far as their reports were read.
        --
        -- Grain    one row per device_id that waits for the reconciler, was set aside, or had an event refused within 28 days, and is not
        --          counted as active
        -- Reads    pending_device, set_aside, refused, counted_device
        -- Read by  the coverage that verdicts and preflight rest on: what such a device holds is not known
        create or replace view census.unknown_device as
        select
            heard.app_number,
            heard.device_id
        from (
            select
                app_number,
                device_id
            from census.pending_device
            union
            select
                app_number,
                device_id
            from census.set_aside
            union
            select
                app_number,
                device_id
            from census.refused
            where refused_on > (now() at time zone 'UTC')::date - 28
        ) as heard
        where not exists (
            select 1
            from census.counted_device
            where counted_device.device_id = heard.device_id
                and coalesce(counted_device.silent_at, 'infinity') > now());

        comment on view census.unknown_device is 'Devices that were heard of and are not counted as active: nobody knows what they hold.';
        comment on column census.unknown_device.app_number is 'The app.';
        comment on column census.unknown_device.device_id is 'Keyed hash of the app and the device id.';
        """#)
    static let `retention` = Statement(
        "retention",
        #"""
        -- retention: of the devices that placed a kind in one week, how many still hold it week after week.
        --
        -- Grain    one row per (app_id, surface, kind, cohort_week, week)
        -- Units    distinct devices; week 0 is the week in which they placed the kind, as it ended
        -- Reads    cohort_day, closed_day
        -- Caveat   a device that falls silent leaves; one that listed the kind in its first list is in no cohort
        -- Read by  dashboards (installs); `widget-census report retention`
        -- Empty    in no week that has ended did a device place a kind that matches; `widget-census nightly` closes days
        -- Budget   80..700 blocks
        create or replace view report.retention as
        select
            app.app_id,
            counted.surface,
            counted.kind,
            counted.cohort_week,
            counted.week,
            counted.devices_placed,
            counted.devices_still_certain,
            counted.devices_still_possible
        from census.app
        cross join lateral (
            select
                cohort.surface,
                cohort.kind,
                cohort.cohort_week,
                (week_end.day - 6 - cohort.cohort_week) / 7 as week,
                cohort.devices_placed,
                sum(coalesce(changed.devices_certain, 0)) over so_far::bigint as devices_still_certain,
                sum(coalesce(changed.devices_possible, 0)) over so_far::bigint as devices_still_possible
            from (
                select
                    cohort_day.surface,
                    cohort_day.kind,
                    cohort_day.week as cohort_week,
                    sum(cohort_day.devices_placed)::bigint as devices_placed
                from census.cohort_day
                where cohort_day.app_number = app.app_number
                group by
                    cohort_day.surface,
                    cohort_day.kind,
                    cohort_day.week
                having sum(cohort_day.devices_placed) > 0
            ) as cohort
            join census.closed_day as week_end
                on week_end.app_number = app.app_number
                and extract(isodow from week_end.day) = 7
                and week_end.day > cohort.cohort_week
            -- A week in which nothing changed has no row.
            left join census.cohort_day as changed
                on changed.app_number = app.app_number
                and changed.surface = cohort.surface
                and changed.kind = cohort.kind
                and changed.week = cohort.cohort_week
                and changed.day = week_end.day
            window so_far as (
                partition by
                    cohort.surface,
                    cohort.kind,
                    cohort.cohort_week
                order by week_end.day)
        ) as counted;

        comment on view report.retention is 'Of the devices that placed a kind in one week, how many still hold it week after week.';
        comment on column report.retention.app_id is 'Bundle id or package name.';
        comment on column report.retention.surface is 'widget, control, live_activity or today.';
        comment on column report.retention.kind is 'The widget''s kind.';
        comment on column report.retention.cohort_week is 'The Monday of the week in which the devices placed the kind for the first time, in the app''s zone.';
        comment on column report.retention.week is 'How many weeks later: 0 is the end of that week itself.';
        comment on column report.retention.devices_placed is 'Devices in the cohort, the same in every week.';
        comment on column report.retention.devices_still_certain is 'Of these, certainly held the kind when the week ended.';
        comment on column report.retention.devices_still_possible is 'Of these, certainly or possibly held it.';
        """#)
    static let `retirement` = Statement(
        "retirement",
        #"""
        -- retirement: may a legacy kind be dropped? Each condition with its figure and its limit.
        --
        -- Grain    one row per (app_id, surface, kind) that is legacy or retired
        -- Units    devices: distinct devices
        -- Reads    kind_state, readiness, closed_day
        -- Caveat   as of the last verdict, which a night and every decision make; one that is older than the last day that has ended
        --          is shown as unknown
        -- Read by  dashboards (decision); `widget-census report retirement`
        -- Empty    no kind was marked; `widget-census kinds mark KIND --legacy --app APP_ID` does
        -- Spare    reason, half_life_low, half_life_high, ready_on_earliest, ready_on_latest, devices_with_replacement,
        --          half_life_days, lifecycle, devices_silent, devices_certain
        -- Budget   5..60 blocks
        create or replace view report.retirement as
        select
            app.app_id,
            act.surface,
            act.kind,
            case when act.lifecycle = 'legacy' and judged.verdict = 'ready' then 'retire_ready' else act.lifecycle end
                as lifecycle,
            newest.devices_certain,
            newest.devices_possible,
            round(newest.devices_expected::numeric, 1) as devices_expected,
            newest.devices_silent,
            newest.devices_with_replacement,
            newest.limit_devices,
            newest.half_life_days,
            newest.half_life_low,
            newest.half_life_high,
            newest.ready_on,
            newest.ready_on_earliest,
            newest.ready_on_latest,
            judged.verdict,
            judged.reason
        from census.kind_state as act
        join census.app
            on app.app_number = act.app_number
        left join lateral (
            select readiness.*
            from census.readiness
            where readiness.app_number = act.app_number
                and readiness.surface = act.surface
                and readiness.kind = act.kind
            order by readiness.day desc
            limit 1
        ) as newest
            on true
        cross join lateral (
            select (now() at time zone app.zone)::date - 1 as last_ended
        ) as today
        cross join lateral (
            select
                case
                    when act.lifecycle = 'retired' then 'retired'
                    when newest.day is null or newest.day < today.last_ended then 'unknown'
                    else newest.verdict
                end as verdict,
                case
                    when act.lifecycle = 'retired' then 'A person retired it.'
                    when newest.day is null then 'No night has judged it; run `widget-census nightly`.'
                    when newest.day < today.last_ended then
                        format('The last verdict is of %s, and later days have ended; run `widget-census nightly`.', newest.day)
                    else newest.reason
                end as reason
        ) as judged
        where act.lifecycle <> 'active';

        comment on view report.retirement is 'May a legacy kind be dropped? Each condition with its figure and its limit.';
        comment on column report.retirement.app_id is 'Bundle id or package name.';
        comment on column report.retirement.surface is 'widget, control, live_activity or today.';
        comment on column report.retirement.kind is 'The widget''s kind.';
        comment on column report.retirement.lifecycle is 'legacy, retire_ready (computed) or retired.';
        comment on column report.retirement.devices_certain is 'Active devices that certainly hold it.';
        comment on column report.retirement.devices_possible is 'Active devices that certainly or possibly hold it.';
        comment on column report.retirement.devices_expected is 'The best estimate between the bounds.';
        comment on column report.retirement.devices_silent is 'Devices that fell silent with it at most a year ago.';
        comment on column report.retirement.devices_with_replacement is 'Possible holders that certainly hold the replacing kind; null: none was named.';
        comment on column report.retirement.limit_devices is 'devices_possible + devices_silent must not exceed it: the app''s limit or its share of the active devices, whichever is smaller, but at least 3 of the share.';
        comment on column report.retirement.half_life_days is 'Days in which half of the holders leave, at the rate of the last weeks; null: it can''t be told.';
        comment on column report.retirement.half_life_low is 'Low end of its 80 % interval.';
        comment on column report.retirement.half_life_high is 'High end of its 80 % interval; null: open.';
        comment on column report.retirement.ready_on is 'When it will be ready at this rate; null: never, or it can''t be told.';
        comment on column report.retirement.ready_on_earliest is 'Earliest day of the 80 % interval.';
        comment on column report.retirement.ready_on_latest is 'Latest day of the 80 % interval; null: open.';
        comment on column report.retirement.verdict is 'ready, not ready, unknown or retired.';
        comment on column report.retirement.reason is 'Every condition that fails, with its figure and its limit; or the figures that make it ready.';
        """#)
    static let `usage` = Statement(
        "usage",
        #"""
        -- usage: how often widgets of a kind were opened, configured and rendered, and on how many devices, day by day.
        --
        -- Grain    one row per (app_id, day, surface, kind, event); closed days only
        -- Units    distinct devices; events, each counted once however often it was delivered
        -- Reads    use_day
        -- Caveat   what apps send, and no more: on iOS a tap reaches the app only if it opens it; no row means that no event came
        -- Read by  dashboards (installs); `widget-census report usage`
        -- Empty    no closed day has anything that matches, or no app sends these events; docs/contract.md names them
        -- Budget   60..300 blocks
        create or replace view report.usage as
        select
            app.app_id,
            use_day.day,
            use_day.surface,
            use_day.kind,
            use_day.use as event,
            use_day.devices,
            use_day.events
        from census.app
        join census.use_day
            on use_day.app_number = app.app_number
        where use_day.events > 0;

        comment on view report.usage is 'How often widgets of a kind were opened, configured and rendered, and on how many devices, day by day.';
        comment on column report.usage.app_id is 'Bundle id or package name.';
        comment on column report.usage.day is 'In the app''s zone.';
        comment on column report.usage.surface is 'widget, control, live_activity or today.';
        comment on column report.usage.kind is 'The widget''s kind.';
        comment on column report.usage.event is 'opened, configured or rendered.';
        comment on column report.usage.devices is 'Distinct devices that sent such an event.';
        comment on column report.usage.events is 'How many such events there were.';
        """#)
    static let `warned` = Statement(
        "warned",
        #"""
        -- warned: on how many devices the door took what is probably a mistake of the app, by the version that sends it.
        --
        -- Grain    one row per (app_id, day, code, app_version); the day of receipt, in UTC whatever the app's zone
        -- Units    devices: distinct on a day and code; one that ran several versions counts with the one of its newest events
        -- Reads    warned
        -- Caveat   includes today; what manifests do not declare is warned of and not kept: `report zombies` counts it
        -- Read by  dashboards (quality); `widget-census report warned`
        -- Order    app_id, day, devices desc, code, app_version
        -- Empty    nothing that matches was warned of
        -- Budget   20..350 blocks
        create or replace view report.warned as
        select
            app.app_id,
            warned.warned_on as day,
            warned.code,
            warned.app_version,
            count(*) as devices,
            -- By bytes: the same one under every collation.
            min(warned.message collate "C") as example
        from census.warned
        join census.app
            on app.app_number = warned.app_number
        group by
            app.app_number,
            app.app_id,
            warned.warned_on,
            warned.code,
            warned.app_version;

        comment on view report.warned is 'On how many devices the door took what is probably a mistake of the app, by the version that sends it.';
        comment on column report.warned.app_id is 'Bundle id or package name.';
        comment on column report.warned.day is 'The day of receipt, in UTC.';
        comment on column report.warned.code is 'What is probably wrong, as the sender was told: unknown_field, os_version and so on.';
        comment on column report.warned.app_version is 'The version that sent it.';
        comment on column report.warned.devices is 'Distinct devices; however often each of them sent it.';
        comment on column report.warned.example is 'The sentence that one of the senders got; the same one at every reading.';
        """#)
    static let `zombies` = Statement(
        "zombies",
        #"""
        -- zombies: which kinds live on versions whose manifest does not declare them, day by day.
        --
        -- Grain    one row per (app_id, day, surface, kind, app_version); closed days only
        -- Units    devices: distinct devices; widgets: placements, a lower bound
        -- Reads    version_day, manifest, manifest_kind
        -- Caveat   versions without a manifest declare nothing and are left out; certain or possible placements: an upper bound
        -- Read by  dashboards (quality); `widget-census report zombies`
        -- Empty    no version with a manifest holds a kind that it does not declare; `widget-census manifests list` shows those known
        -- Budget   10..400 blocks
        create or replace view report.zombies as
        select
            app.app_id,
            counted.day,
            counted.surface,
            counted.kind,
            counted.app_version,
            counted.devices,
            counted.widgets
        from census.app
        cross join lateral (
            select
                version_day.day,
                version_day.surface,
                version_day.kind,
                version_day.app_version,
                sum(version_day.devices_possible)::bigint as devices,
                sum(version_day.widgets_possible)::bigint as widgets
            from census.version_day
            where version_day.app_number = app.app_number
                and exists (
                    select 1
                    from census.manifest
                    where manifest.app_number = version_day.app_number
                        and manifest.app_version = version_day.app_version)
                and not exists (
                    select 1
                    from census.manifest_kind
                    where manifest_kind.app_number = version_day.app_number
                        and manifest_kind.app_version = version_day.app_version
                        and manifest_kind.surface = version_day.surface
                        and manifest_kind.kind = version_day.kind)
            group by
                version_day.day,
                version_day.surface,
                version_day.kind,
                version_day.app_version
            having sum(version_day.devices_possible) > 0
        ) as counted;

        comment on view report.zombies is 'Which kinds live on versions whose manifest does not declare them, day by day.';
        comment on column report.zombies.app_id is 'Bundle id or package name.';
        comment on column report.zombies.day is 'In the app''s zone.';
        comment on column report.zombies.surface is 'widget, control, live_activity or today.';
        comment on column report.zombies.kind is 'The widget''s kind.';
        comment on column report.zombies.app_version is 'The version that the device ran when the day ended; it has a manifest, without the kind.';
        comment on column report.zombies.devices is 'Devices that certainly or possibly held it.';
        comment on column report.zombies.widgets is 'Placements that were certain or possible.';
        """#)
    static let all: [Statement] = [
        `counted_device`,
        `counted_phase`,
        `counted_span`,
        `kind_state`,
        `suspect_share`,
        `unexplained_change`,
        `active`,
        `acts`,
        `adoption`,
        `changes`,
        `changes_by_version`,
        `coverage`,
        `ghosts`,
        `live_installs`,
        `live_kinds`,
        `live_now`,
        `mass_losses`,
        `os_quirks`,
        `overlap`,
        `refused`,
        `unknown_device`,
        `retention`,
        `retirement`,
        `usage`,
        `warned`,
        `zombies`,
    ]
}

/// The reports of `sql/reports`, in the order of docs/reports.md.
enum Reports {
    static let `live_now` = ReportDescription(
        name: "live_now",
        answer: "on how many devices each widget kind lives, as of the last reconciled event",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("devices_certain", "Devices that certainly hold it: the lower bound."),
            .init("devices_possible", "Devices that certainly or possibly hold it: the upper bound."),
            .init("devices_expected", "The estimate between the bounds, as in live_kinds."),
            .init("widgets_certain", "Placements that are certain."),
            .init("widgets_possible", "Placements that are certain or possible."),
            .init("widgets_reported", "Placements that the OS claims: the naive number."),
            .init("as_of", "Time of the app's last reconciled event."),
        ],
        hasDays: false,
        hasKinds: true,
        order: ["app_id", "surface", "devices_possible", "kind"],
        spare: ["as_of", "widgets_reported", "widgets_possible", "widgets_certain"],
        whenEmpty: "no device that matches reported within the activity window",
        query: Statement(
            "live_now",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (not used), $4 kind or null
            select
                app_id,
                surface,
                kind,
                devices_certain,
                devices_possible,
                devices_expected,
                widgets_certain,
                widgets_possible,
                widgets_reported,
                to_char(as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as as_of
            from report.live_now
            where ($1::text is null or app_id = $1)
                and ($2::date is null or true)
                and ($3::date is null or true)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                surface,
                devices_possible desc,
                kind
            """#),
        checks: Statement(
            "live_now",
            #"""
            -- What holds of live_now on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, surface, kind' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    surface,
                    kind
                from report.live_now
                group by
                    app_id,
                    surface,
                    kind
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'devices_certain <= devices_expected <= devices_possible' as claim,
                count(*) as found
            from report.live_now
            where not (0 <= devices_certain and devices_certain <= devices_expected and devices_expected <= devices_possible)
            union all
            select
                'fail' as severity,
                'widgets_certain <= widgets_possible, and none is negative' as claim,
                count(*) as found
            from report.live_now
            where not (0 <= widgets_certain and widgets_certain <= widgets_possible and 0 <= widgets_reported)
            union all
            select
                'fail' as severity,
                'every device holds a widget' as claim,
                count(*) as found
            from report.live_now
            where devices_certain > widgets_certain
                or devices_possible > widgets_possible
            union all
            select
                'fail' as severity,
                'as_of is known' as claim,
                count(*) as found
            from report.live_now
            where as_of is null
            union all
            select
                'warn' as severity,
                'the last reconciled event is at most two days old' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    max(as_of) as as_of
                from report.live_now
                group by app_id
            ) as newest
            where as_of < now() - interval '2 days'
            """#))
    static let `live_kinds` = ReportDescription(
        name: "live_kinds",
        answer: "on how many devices each widget kind lived, day by day",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "The day at whose end was counted, in the app's zone."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("devices_certain", "Devices that certainly held it: the lower bound."),
            .init("devices_possible", "Devices that certainly or possibly held it: the upper bound."),
            .init("devices_expected", "The estimate between the bounds: by a suspect's outcome if that is known, else by the share of its OS version's suspects that were still there, or one half while nothing is known."),
            .init("widgets_certain", "Placements that were certain."),
            .init("widgets_possible", "Placements that were certain or possible."),
            .init("widgets_reported", "Placements that the OS claimed: the naive number."),
            .init("devices_certain_first_known", "devices_certain when the day was first closed."),
            .init("devices_possible_first_known", "devices_possible when the day was first closed."),
        ],
        hasDays: true,
        hasKinds: true,
        order: ["app_id", "day", "surface", "devices_possible", "kind"],
        spare: [],
        whenEmpty: "no closed day has anything that matches; `widget-census nightly` closes days",
        query: Statement(
            "live_kinds",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
            select
                app_id,
                day,
                surface,
                kind,
                devices_certain,
                devices_possible,
                devices_expected,
                widgets_certain,
                widgets_possible,
                widgets_reported,
                devices_certain_first_known,
                devices_possible_first_known
            from report.live_kinds
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                day,
                surface,
                devices_possible desc,
                kind
            """#),
        checks: Statement(
            "live_kinds",
            #"""
            -- What holds of live_kinds on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, surface, kind' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    surface,
                    kind
                from report.live_kinds
                group by
                    app_id,
                    day,
                    surface,
                    kind
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'only closed days are counted' as claim,
                count(*) as found
            from report.live_kinds
            join census.app
                on app.app_id = live_kinds.app_id
            where not exists (
                select
                from census.closed_day
                where closed_day.app_number = app.app_number
                    and closed_day.day = live_kinds.day)
            union all
            select
                'fail' as severity,
                'devices_certain <= devices_expected <= devices_possible' as claim,
                count(*) as found
            from report.live_kinds
            where not (0 <= devices_certain and devices_certain <= devices_expected and devices_expected <= devices_possible)
            union all
            select
                'fail' as severity,
                'widgets_certain <= widgets_possible, and none is negative' as claim,
                count(*) as found
            from report.live_kinds
            where not (0 <= widgets_certain and widgets_certain <= widgets_possible and 0 <= widgets_reported)
            union all
            select
                'fail' as severity,
                'every device holds a widget' as claim,
                count(*) as found
            from report.live_kinds
            where devices_certain > widgets_certain
                or devices_possible > widgets_possible
            union all
            select
                'fail' as severity,
                'what was first known is ordered, too' as claim,
                count(*) as found
            from report.live_kinds
            where not (
                0 <= devices_certain_first_known
                and devices_certain_first_known <= devices_possible_first_known)
            """#))
    static let `live_installs` = ReportDescription(
        name: "live_installs",
        answer: "where the widgets live, by everything that tells installs apart",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "The day at whose end was counted, in the app's zone."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("family", "systemSmall and so on; null where the app does not send it."),
            .init("app_version", "The version of the app that the device ran when the day ended."),
            .init("os_version", "Its OS version, major and minor; null when not sent."),
            .init("platform", "ios, ipados, macos, watchos, visionos or android."),
            .init("devices_certain", "Devices that certainly held it: the lower bound."),
            .init("devices_possible", "Devices that certainly or possibly held it: the upper bound."),
            .init("widgets_certain", "Placements that were certain."),
            .init("widgets_possible", "Placements that were certain or possible."),
            .init("widgets_reported", "Placements that the OS claimed: the naive number."),
        ],
        hasDays: true,
        hasKinds: true,
        order: ["app_id", "day", "surface", "kind", "family", "app_version", "os_version", "platform"],
        spare: [],
        whenEmpty: "no closed day has anything that matches; `widget-census nightly` closes days",
        query: Statement(
            "live_installs",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
            select
                app_id,
                day,
                surface,
                kind,
                family,
                app_version,
                os_version,
                platform,
                devices_certain,
                devices_possible,
                widgets_certain,
                widgets_possible,
                widgets_reported
            from report.live_installs
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                day,
                surface,
                kind,
                family nulls first,
                app_version,
                os_version nulls first,
                platform
            """#),
        checks: Statement(
            "live_installs",
            #"""
            -- What holds of live_installs on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, surface, kind, family, app_version, os_version, platform' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    surface,
                    kind,
                    family,
                    app_version,
                    os_version,
                    platform
                from report.live_installs
                group by
                    app_id,
                    day,
                    surface,
                    kind,
                    family,
                    app_version,
                    os_version,
                    platform
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'only closed days are counted' as claim,
                count(*) as found
            from report.live_installs
            join census.app
                on app.app_id = live_installs.app_id
            where not exists (
                select
                from census.closed_day
                where closed_day.app_number = app.app_number
                    and closed_day.day = live_installs.day)
            union all
            select
                'fail' as severity,
                'certain <= possible, of devices and of widgets' as claim,
                count(*) as found
            from report.live_installs
            where not (
                0 <= devices_certain and devices_certain <= devices_possible
                and 0 <= widgets_certain and widgets_certain <= widgets_possible and 0 <= widgets_reported)
            union all
            select
                'fail' as severity,
                'every device holds a widget' as claim,
                count(*) as found
            from report.live_installs
            where devices_certain > widgets_certain
                or devices_possible > widgets_possible
            union all
            select
                'fail' as severity,
                'widgets add up to those of live_kinds, of possible ones to as many at least' as claim,
                count(*) as found
            from (
                select
                    part.app_number,
                    part.day,
                    part.surface,
                    part.kind
                from (
                    select
                        app_number,
                        day,
                        surface,
                        kind,
                        widgets_certain,
                        widgets_possible,
                        widgets_reported
                    from census.kind_day
                    union all
                    select
                        app_number,
                        day,
                        surface,
                        kind,
                        -widgets_certain,
                        -widgets_possible,
                        -widgets_reported
                    from census.install_day
                ) as part
                group by
                    part.app_number,
                    part.day,
                    part.surface,
                    part.kind
                having sum(part.widgets_certain) <> 0
                    -- An event without a family may have taken one of several families.
                    or sum(part.widgets_possible) > 0
                    or sum(part.widgets_reported) <> 0
            ) as different
            union all
            select
                'fail' as severity,
                'live_kinds has as many devices as the largest row of a kind, and at most as many as all' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    surface,
                    kind,
                    max(devices_certain) as certain_at_least,
                    sum(devices_certain) as certain_at_most,
                    max(devices_possible) as possible_at_least,
                    sum(devices_possible) as possible_at_most
                from report.live_installs
                group by
                    app_id,
                    day,
                    surface,
                    kind
            ) as installs
            join report.live_kinds
                on live_kinds.app_id = installs.app_id
                and live_kinds.day = installs.day
                and live_kinds.surface = installs.surface
                and live_kinds.kind = installs.kind
            where not (
                live_kinds.devices_certain between installs.certain_at_least and installs.certain_at_most
                and live_kinds.devices_possible between installs.possible_at_least and installs.possible_at_most)
            """#))
    static let `changes` = ReportDescription(
        name: "changes",
        answer: "which widgets came and went on each day, and why",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "In the app's zone."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("family", "systemSmall and so on; null where the app does not send it."),
            .init("cause", "installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten."),
            .init("widgets_added", "Placements that became certain."),
            .init("widgets_removed", "Placements that were certain and no longer were."),
        ],
        hasDays: true,
        hasKinds: true,
        order: ["app_id", "day", "surface", "kind", "family", "cause"],
        spare: [],
        whenEmpty: "no closed day has anything that matches; `widget-census nightly` closes days",
        query: Statement(
            "changes",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
            select
                app_id,
                day,
                surface,
                kind,
                family,
                cause,
                widgets_added,
                widgets_removed
            from report.changes
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                day,
                surface,
                kind,
                family nulls first,
                cause
            """#),
        checks: Statement(
            "changes",
            #"""
            -- What holds of changes on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, surface, kind, family, cause' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    surface,
                    kind,
                    family,
                    cause
                from report.changes
                group by
                    app_id,
                    day,
                    surface,
                    kind,
                    family,
                    cause
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'only closed days are counted' as claim,
                count(*) as found
            from report.changes
            join census.app
                on app.app_id = changes.app_id
            where not exists (
                select
                from census.closed_day
                where closed_day.app_number = app.app_number
                    and closed_day.day = changes.day)
            union all
            select
                'fail' as severity,
                'every cause is a known one' as claim,
                count(*) as found
            from report.changes
            where cause not in (
                'installed', 'removed', 'configured', 'reinstalled', 'upgrade_loss', 'silent', 'returned', 'forgotten')
            union all
            select
                'fail' as severity,
                'nothing negative came or went' as claim,
                count(*) as found
            from report.changes
            where widgets_added < 0
                or widgets_removed < 0
            union all
            select
                'fail' as severity,
                'what came and went explains widgets_certain of live_kinds from each day to the next' as claim,
                count(*) as found
            from census.unexplained_change
            where widgets <> 0
            """#))
    static let `changes_by_version` = ReportDescription(
        name: "changes_by_version",
        answer: "which release and which OS took or brought widgets, day by day",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "In the app's zone."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("cause", "installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten."),
            .init("app_version", "The version of the app from which the change was seen."),
            .init("os_version", "The OS version at that time, major and minor; null when not sent."),
            .init("platform", "ios, ipados, macos, watchos, visionos or android."),
            .init("widgets_added", "Placements that became certain."),
            .init("widgets_removed", "Placements that were certain and no longer were."),
            .init("devices_added", "Devices that came to hold the kind for certain."),
            .init("devices_removed", "Devices on which no placement of the kind was certain any longer."),
        ],
        hasDays: true,
        hasKinds: true,
        order: ["app_id", "day", "surface", "kind", "cause", "app_version", "os_version", "platform"],
        spare: ["devices_added", "devices_removed", "widgets_added"],
        whenEmpty: "no closed day has anything that matches; `widget-census nightly` closes days",
        query: Statement(
            "changes_by_version",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
            select
                app_id,
                day,
                surface,
                kind,
                cause,
                app_version,
                os_version,
                platform,
                widgets_added,
                widgets_removed,
                devices_added,
                devices_removed
            from report.changes_by_version
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                day,
                surface,
                kind,
                cause,
                app_version,
                os_version nulls first,
                platform
            """#),
        checks: Statement(
            "changes_by_version",
            #"""
            -- What holds of changes_by_version on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, surface, kind, cause, app_version, os_version, platform' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    surface,
                    kind,
                    cause,
                    app_version,
                    os_version,
                    platform
                from report.changes_by_version
                group by
                    app_id,
                    day,
                    surface,
                    kind,
                    cause,
                    app_version,
                    os_version,
                    platform
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'only closed days are counted' as claim,
                count(*) as found
            from report.changes_by_version
            join census.app
                on app.app_id = changes_by_version.app_id
            where not exists (
                select
                from census.closed_day
                where closed_day.app_number = app.app_number
                    and closed_day.day = changes_by_version.day)
            union all
            select
                'fail' as severity,
                'over all versions as many widgets came and went as in changes' as claim,
                count(*) as found
            from (
                select
                    app_number,
                    day,
                    surface,
                    kind,
                    cause,
                    sum(widgets_added) as widgets_added,
                    sum(widgets_removed) as widgets_removed
                from census.move_day
                where widgets_added > 0
                    or widgets_removed > 0
                group by
                    app_number,
                    day,
                    surface,
                    kind,
                    cause
            ) as by_version
            full join (
                select
                    app_number,
                    day,
                    surface,
                    kind,
                    cause,
                    sum(widgets_added) as widgets_added,
                    sum(widgets_removed) as widgets_removed
                from census.change_day
                where widgets_added > 0
                    or widgets_removed > 0
                group by
                    app_number,
                    day,
                    surface,
                    kind,
                    cause
            ) as by_family
                using (app_number, day, surface, kind, cause)
            where (by_version.widgets_added, by_version.widgets_removed)
                is distinct from (by_family.widgets_added, by_family.widgets_removed)
            union all
            select
                'fail' as severity,
                'what came and went explains devices_certain of live_kinds from each day to the next' as claim,
                count(*) as found
            from census.unexplained_change
            where devices <> 0
            """#))
    static let `ghosts` = ReportDescription(
        name: "ghosts",
        answer: "how many widgets that the OS reported may have been stale, and what became of them",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "The day at whose end was counted, in the app's zone."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("widgets_suspect", "Placements that the OS reported and that might have been stale."),
            .init("widgets_gone", "Of these, proved later to have been gone: ghosts."),
            .init("widgets_still_there", "Of these, proved later to have been there."),
        ],
        hasDays: true,
        hasKinds: true,
        order: ["app_id", "day", "surface", "widgets_suspect", "kind"],
        spare: [],
        whenEmpty: "on no closed day that matches was a widget suspect: that takes a new installation that reports",
        query: Statement(
            "ghosts",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
            select
                app_id,
                day,
                surface,
                kind,
                widgets_suspect,
                widgets_gone,
                widgets_still_there
            from report.ghosts
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                day,
                surface,
                widgets_suspect desc,
                kind
            """#),
        checks: Statement(
            "ghosts",
            #"""
            -- What holds of ghosts on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, surface, kind' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    surface,
                    kind
                from report.ghosts
                group by
                    app_id,
                    day,
                    surface,
                    kind
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'only closed days are counted' as claim,
                count(*) as found
            from report.ghosts
            join census.app
                on app.app_id = ghosts.app_id
            where not exists (
                select
                from census.closed_day
                where closed_day.app_number = app.app_number
                    and closed_day.day = ghosts.day)
            union all
            select
                'fail' as severity,
                'widgets_gone + widgets_still_there <= widgets_suspect' as claim,
                count(*) as found
            from report.ghosts
            where not (
                0 <= widgets_gone and 0 <= widgets_still_there and widgets_gone + widgets_still_there <= widgets_suspect)
            union all
            select
                'fail' as severity,
                'suspects are possible and not certain in live_kinds' as claim,
                count(*) as found
            from report.ghosts
            left join report.live_kinds
                on live_kinds.app_id = ghosts.app_id
                and live_kinds.day = ghosts.day
                and live_kinds.surface = ghosts.surface
                and live_kinds.kind = ghosts.kind
            where ghosts.widgets_suspect > coalesce(live_kinds.widgets_possible - live_kinds.widgets_certain, 0)
            """#))
    static let `os_quirks` = ReportDescription(
        name: "os_quirks",
        answer: "on which versions of an OS the list names widgets that are gone",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("platform", "The platform that claimed them first."),
            .init("os_version", "The OS version that claimed them first, major and minor; empty when unknown."),
            .init("suspects_settled", "Suspects of known devices (R4) whose outcome is known."),
            .init("gone", "Of these, no longer claimed after a boot."),
            .init("still_there", "Of these, still claimed after a boot, or used before one."),
            .init("gone_share", "gone / suspects_settled."),
            .init("low", "Lower end of the 95 % interval of gone_share (Wilson's score)."),
            .init("high", "Upper end of the 95 % interval of gone_share (Wilson's score)."),
            .init("ordinary_removal_share", "The share that would have gone because people remove widgets: 1 - exp(-rate * time suspect), the rate being removals of certain widgets per widget and second."),
        ],
        hasDays: false,
        hasKinds: false,
        order: ["app_id", "platform", "os_version"],
        spare: [],
        whenEmpty: "no suspect was settled yet: that takes a reinstall, a boot, and a report after it",
        query: Statement(
            "os_quirks",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (not used), $4 kind (not used)
            select
                app_id,
                platform,
                os_version,
                suspects_settled,
                gone,
                still_there,
                gone_share,
                low,
                high,
                ordinary_removal_share
            from report.os_quirks
            where ($1::text is null or app_id = $1)
                and ($2::date is null or true)
                and ($3::date is null or true)
                and ($4::text is null or true)
            order by
                app_id,
                platform,
                os_version
            """#),
        checks: Statement(
            "os_quirks",
            #"""
            -- What holds of os_quirks on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, platform, os_version' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    platform,
                    os_version
                from report.os_quirks
                group by
                    app_id,
                    platform,
                    os_version
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'gone + still_there = suspects_settled' as claim,
                count(*) as found
            from report.os_quirks
            where not (0 <= gone and 0 <= still_there and suspects_settled > 0 and gone + still_there = suspects_settled)
            union all
            select
                'fail' as severity,
                'gone_share = gone / suspects_settled' as claim,
                count(*) as found
            from report.os_quirks
            where gone_share <> round(gone::numeric / suspects_settled, 4)
            union all
            select
                'fail' as severity,
                '0 <= low <= gone_share <= high <= 1' as claim,
                count(*) as found
            from report.os_quirks
            where not (0 <= low and low <= gone_share and gone_share <= high and high <= 1)
            union all
            select
                'fail' as severity,
                'ordinary_removal_share is a share' as claim,
                count(*) as found
            from report.os_quirks
            where not (ordinary_removal_share between 0 and 1)
            """#))
    static let `coverage` = ReportDescription(
        name: "coverage",
        answer: "of how many devices the state is known, day by day",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "In the app's zone."),
            .init("devices_active", "Devices heard from in the activity window that ended with the day."),
            .init("devices_reporting", "Of these, sent a successful report within the window."),
            .init("share_reporting", "devices_reporting / devices_active; null if no device was active."),
            .init("reads", "How often apps read the list of widgets on the day."),
            .init("reads_failed", "Of these, reads that failed."),
            .init("devices_cloned", "Of the active devices, known to exist twice: an installation that had ended went on sending."),
            .init("policy_applied", "Of the active devices, had applied the gallery policy in force when the day ended; null before the first."),
        ],
        hasDays: true,
        hasKinds: false,
        order: ["app_id", "day"],
        spare: [],
        whenEmpty: "no closed day has anything that matches; `widget-census nightly` closes days",
        query: Statement(
            "coverage",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind (not used)
            select
                app_id,
                day,
                devices_active,
                devices_reporting,
                share_reporting,
                reads,
                reads_failed,
                devices_cloned,
                policy_applied
            from report.coverage
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or true)
            order by
                app_id,
                day
            """#),
        checks: Statement(
            "coverage",
            #"""
            -- What holds of coverage on any database; found: violations.
            select
                'fail' as severity,
                'one row per closed day' as claim,
                count(*) as found
            from (
                select
                    app.app_id,
                    closed_day.day
                from census.closed_day
                join census.app
                    on app.app_number = closed_day.app_number
                left join report.coverage
                    on coverage.app_id = app.app_id
                    and coverage.day = closed_day.day
                group by
                    app.app_id,
                    closed_day.day
                having count(coverage.day) <> 1
            ) as different
            union all
            select
                'fail' as severity,
                'every number is within devices_active' as claim,
                count(*) as found
            from report.coverage
            where not (
                devices_reporting between 0 and devices_active
                and devices_cloned between 0 and devices_active
                and coalesce(policy_applied, 0) between 0 and devices_active)
            union all
            select
                'fail' as severity,
                'share_reporting = devices_reporting / devices_active' as claim,
                count(*) as found
            from report.coverage
            where share_reporting is distinct from round(devices_reporting::numeric / nullif(devices_active, 0), 4)
            union all
            select
                'fail' as severity,
                'no more devices hold a kind than are active' as claim,
                count(*) as found
            from report.coverage
            join report.live_kinds
                on live_kinds.app_id = coverage.app_id
                and live_kinds.day = coverage.day
            where live_kinds.devices_possible > coverage.devices_active
            union all
            select
                'fail' as severity,
                '0 <= reads_failed <= reads' as claim,
                count(*) as found
            from report.coverage
            where not (0 <= reads_failed and reads_failed <= reads)
            union all
            select
                'warn' as severity,
                'of a day with 20 reads or more, at most half failed' as claim,
                count(*) as found
            from report.coverage
            where reads >= 20
                and reads_failed > reads / 2.0
            """#))
    static let `usage` = ReportDescription(
        name: "usage",
        answer: "how often widgets of a kind were opened, configured and rendered, and on how many devices, day by day",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "In the app's zone."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("event", "opened, configured or rendered."),
            .init("devices", "Distinct devices that sent such an event."),
            .init("events", "How many such events there were."),
        ],
        hasDays: true,
        hasKinds: true,
        order: ["app_id", "day", "surface", "kind", "event"],
        spare: [],
        whenEmpty: "no closed day has anything that matches, or no app sends these events; docs/contract.md names them",
        query: Statement(
            "usage",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
            select
                app_id,
                day,
                surface,
                kind,
                event,
                devices,
                events
            from report.usage
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                day,
                surface,
                kind,
                event
            """#),
        checks: Statement(
            "usage",
            #"""
            -- What holds of usage on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, surface, kind, event' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    surface,
                    kind,
                    event
                from report.usage
                group by
                    app_id,
                    day,
                    surface,
                    kind,
                    event
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'only closed days are counted' as claim,
                count(*) as found
            from report.usage
            join census.app
                on app.app_id = usage.app_id
            where not exists (
                select
                from census.closed_day
                where closed_day.app_number = app.app_number
                    and closed_day.day = usage.day)
            union all
            select
                'fail' as severity,
                'every device that is counted sent an event' as claim,
                count(*) as found
            from report.usage
            where not (devices between 1 and events)
            union all
            select
                'fail' as severity,
                'every event is a known one' as claim,
                count(*) as found
            from report.usage
            where event not in ('opened', 'configured', 'rendered')
            """#))
    static let `active` = ReportDescription(
        name: "active",
        answer: "how many devices were active each day, each week and in the window, with and without widgets",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "In the app's zone."),
            .init("platform", "ios, ipados, macos, watchos, visionos or android."),
            .init("surface", "Of devices that held something there; null: of all devices, whatever they held."),
            .init("kind", "Of devices that held the kind; null: any kind."),
            .init("family", "Of devices that held the family; null: any family, sent or not."),
            .init("devices_daily", "Distinct devices that were heard from on the day."),
            .init("devices_weekly", "Distinct devices that were heard from in the seven days that end with it."),
            .init("devices_in_window", "Distinct devices that were heard from in the activity window that ends with it."),
        ],
        hasDays: true,
        hasKinds: true,
        order: ["app_id", "day", "platform", "surface", "kind", "family"],
        spare: [],
        whenEmpty: "no closed day has anything that matches; `widget-census nightly` closes days",
        query: Statement(
            "active",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
            select
                app_id,
                day,
                platform,
                surface,
                kind,
                family,
                devices_daily,
                devices_weekly,
                devices_in_window
            from report.active
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                day,
                platform,
                surface nulls first,
                kind nulls first,
                family nulls first
            """#),
        checks: Statement(
            "active",
            #"""
            -- What holds of active on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, platform, surface, kind, family' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    platform,
                    surface,
                    kind,
                    family
                from report.active
                group by
                    app_id,
                    day,
                    platform,
                    surface,
                    kind,
                    family
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'only closed days are counted' as claim,
                count(*) as found
            from report.active
            join census.app
                on app.app_id = active.app_id
            where not exists (
                select
                from census.closed_day
                where closed_day.app_number = app.app_number
                    and closed_day.day = active.day)
            union all
            select
                'fail' as severity,
                'who was heard from on a day was in the week, and who was in the week is in the window' as claim,
                count(*) as found
            from report.active
            where not (0 <= devices_daily and devices_daily <= devices_weekly and devices_weekly <= devices_in_window)
            union all
            select
                'fail' as severity,
                'all devices in the window are devices_active of coverage' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    sum(devices_in_window) as devices_in_window
                from report.active
                where surface is null
                group by
                    app_id,
                    day
            ) as everyone
            full join (
                select
                    app_id,
                    day,
                    devices_active
                from report.coverage
                where devices_active > 0
            ) as covered
                using (app_id, day)
            where everyone.devices_in_window is distinct from covered.devices_active
            union all
            select
                'fail' as severity,
                'the holders of a kind in the window are devices_certain of live_kinds' as claim,
                count(*) as found
            from (
                select
                    app_number,
                    day,
                    surface,
                    kind,
                    sum(devices_in_window) as devices_in_window
                from census.active_day
                where scope = 'kind'
                group by
                    app_number,
                    day,
                    surface,
                    kind
                having sum(devices_in_window) > 0
            ) as active
            full join (
                select
                    app_number,
                    day,
                    surface,
                    kind,
                    devices_certain
                from census.kind_day
                where devices_certain > 0
            ) as held
                using (app_number, day, surface, kind)
            where active.devices_in_window is distinct from held.devices_certain
            union all
            select
                'fail' as severity,
                'no family of a kind has more devices than the kind, and no kind more than its surface' as claim,
                count(*) as found
            from census.active_day as part
            join census.active_day as whole
                on whole.app_number = part.app_number
                and whole.day = part.day
                and whole.platform = part.platform
                and whole.scope = case part.scope when 'kind_family' then 'kind' when 'surface' then 'all' else 'surface' end
                and whole.surface = case part.scope when 'surface' then '' else part.surface end
                and whole.kind = case part.scope when 'kind_family' then part.kind else '' end
                and whole.family = ''
            where part.scope <> 'all'
                and (
                    part.devices_daily > whole.devices_daily
                    or part.devices_weekly > whole.devices_weekly
                    or part.devices_in_window > whole.devices_in_window
                )
            """#))
    static let `retention` = ReportDescription(
        name: "retention",
        answer: "of the devices that placed a kind in one week, how many still hold it week after week",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("cohort_week", "The Monday of the week in which the devices placed the kind for the first time, in the app's zone."),
            .init("week", "How many weeks later: 0 is the end of that week itself."),
            .init("devices_placed", "Devices in the cohort, the same in every week."),
            .init("devices_still_certain", "Of these, certainly held the kind when the week ended."),
            .init("devices_still_possible", "Of these, certainly or possibly held it."),
        ],
        hasDays: false,
        hasKinds: true,
        order: ["app_id", "surface", "kind", "cohort_week", "week"],
        spare: [],
        whenEmpty: "in no week that has ended did a device place a kind that matches; `widget-census nightly` closes days",
        query: Statement(
            "retention",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (not used), $4 kind or null
            select
                app_id,
                surface,
                kind,
                cohort_week,
                week,
                devices_placed,
                devices_still_certain,
                devices_still_possible
            from report.retention
            where ($1::text is null or app_id = $1)
                and ($2::date is null or true)
                and ($3::date is null or true)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                surface,
                kind,
                cohort_week,
                week
            """#),
        checks: Statement(
            "retention",
            #"""
            -- What holds of retention on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, surface, kind, cohort_week, week' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    surface,
                    kind,
                    cohort_week,
                    week
                from report.retention
                group by
                    app_id,
                    surface,
                    kind,
                    cohort_week,
                    week
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                '0 <= devices_still_certain <= devices_still_possible <= devices_placed' as claim,
                count(*) as found
            from report.retention
            where not (
                0 <= devices_still_certain
                and devices_still_certain <= devices_still_possible
                and devices_still_possible <= devices_placed)
            union all
            select
                'fail' as severity,
                'all cohorts of a kind hold no more devices than live_kinds' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    surface,
                    kind,
                    cohort_week + week::integer * 7 + 6 as day,
                    sum(devices_still_certain) as devices_certain,
                    sum(devices_still_possible) as devices_possible
                from report.retention
                group by
                    app_id,
                    surface,
                    kind,
                    cohort_week + week::integer * 7 + 6
            ) as cohorts
            left join report.live_kinds
                using (app_id, day, surface, kind)
            where cohorts.devices_certain > coalesce(live_kinds.devices_certain, 0)
                or cohorts.devices_possible > coalesce(live_kinds.devices_possible, 0)
            """#))
    static let `overlap` = ReportDescription(
        name: "overlap",
        answer: "how many devices that hold a legacy kind hold another one, too, day by day",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "In the app's zone."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "A kind; it or the other one is, or was, marked legacy."),
            .init("other_kind", "The other kind, on the same surface."),
            .init("devices_with_both", "Devices that certainly held both when the day ended."),
            .init("devices_with_kind", "Devices that certainly held kind, as in live_kinds."),
        ],
        hasDays: true,
        hasKinds: true,
        order: ["app_id", "day", "surface", "kind", "other_kind"],
        spare: [],
        whenEmpty: "no device holds a kind that was ever marked legacy and another one, or no night has come since one was marked",
        query: Statement(
            "overlap",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
            select
                app_id,
                day,
                surface,
                kind,
                other_kind,
                devices_with_both,
                devices_with_kind
            from report.overlap
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                day,
                surface,
                kind,
                other_kind
            """#),
        checks: Statement(
            "overlap",
            #"""
            -- What holds of overlap on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, surface, kind, other_kind' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    surface,
                    kind,
                    other_kind
                from report.overlap
                group by
                    app_id,
                    day,
                    surface,
                    kind,
                    other_kind
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'only closed days are counted' as claim,
                count(*) as found
            from report.overlap
            join census.app
                on app.app_id = overlap.app_id
            where not exists (
                select
                from census.closed_day
                where closed_day.app_number = app.app_number
                    and closed_day.day = overlap.day)
            union all
            select
                'fail' as severity,
                'no more devices hold both than hold one' as claim,
                count(*) as found
            from report.overlap
            where not (devices_with_both between 1 and devices_with_kind)
            union all
            select
                'fail' as severity,
                'each pair is there in both orders' as claim,
                count(*) as found
            from (
                select 1
                from report.overlap
                group by
                    app_id,
                    day,
                    surface,
                    least(kind, other_kind),
                    greatest(kind, other_kind)
                having count(*) <> 2
                    or min(devices_with_both) <> max(devices_with_both)
            ) as pair
            """#))
    static let `adoption` = ReportDescription(
        name: "adoption",
        answer: "which share of the devices holds any widget at all, by the version of app and OS",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "In the app's zone."),
            .init("app_version", "The version of the app that the device ran when the day ended."),
            .init("os_version", "Its OS version, major and minor; null when not sent."),
            .init("devices_active", "Devices heard from in the activity window that ended with the day."),
            .init("devices_with_any_widget", "Of these, certainly held a placement on the surface widget or today."),
            .init("share", "devices_with_any_widget / devices_active."),
        ],
        hasDays: true,
        hasKinds: false,
        order: ["app_id", "day", "app_version", "os_version"],
        spare: [],
        whenEmpty: "no closed day has anything that matches; `widget-census nightly` closes days",
        query: Statement(
            "adoption",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind (not used)
            select
                app_id,
                day,
                app_version,
                os_version,
                devices_active,
                devices_with_any_widget,
                share
            from report.adoption
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or true)
            order by
                app_id,
                day,
                app_version,
                os_version nulls first
            """#),
        checks: Statement(
            "adoption",
            #"""
            -- What holds of adoption on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, app_version, os_version' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    app_version,
                    os_version
                from report.adoption
                group by
                    app_id,
                    day,
                    app_version,
                    os_version
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'only closed days are counted' as claim,
                count(*) as found
            from report.adoption
            join census.app
                on app.app_id = adoption.app_id
            where not exists (
                select
                from census.closed_day
                where closed_day.app_number = app.app_number
                    and closed_day.day = adoption.day)
            union all
            select
                'fail' as severity,
                'devices_with_any_widget <= devices_active' as claim,
                count(*) as found
            from report.adoption
            where not (0 <= devices_with_any_widget and devices_with_any_widget <= devices_active)
            union all
            select
                'fail' as severity,
                'share = devices_with_any_widget / devices_active' as claim,
                count(*) as found
            from report.adoption
            where share is distinct from round(devices_with_any_widget::numeric / devices_active, 4)
            union all
            select
                'fail' as severity,
                'devices add up to devices_active of coverage' as claim,
                count(*) as found
            from report.coverage
            left join (
                select
                    app_id,
                    day,
                    sum(devices_active) as devices_active
                from report.adoption
                group by
                    app_id,
                    day
            ) as adopted
                on adopted.app_id = coverage.app_id
                and adopted.day = coverage.day
            where coverage.devices_active <> coalesce(adopted.devices_active, 0)
            """#))
    static let `zombies` = ReportDescription(
        name: "zombies",
        answer: "which kinds live on versions whose manifest does not declare them, day by day",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "In the app's zone."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("app_version", "The version that the device ran when the day ended; it has a manifest, without the kind."),
            .init("devices", "Devices that certainly or possibly held it."),
            .init("widgets", "Placements that were certain or possible."),
        ],
        hasDays: true,
        hasKinds: true,
        order: ["app_id", "day", "surface", "kind", "app_version"],
        spare: [],
        whenEmpty: "no version with a manifest holds a kind that it does not declare; `widget-census manifests list` shows those known",
        query: Statement(
            "zombies",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
            select
                app_id,
                day,
                surface,
                kind,
                app_version,
                devices,
                widgets
            from report.zombies
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                day,
                surface,
                kind,
                app_version
            """#),
        checks: Statement(
            "zombies",
            #"""
            -- What holds of zombies on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, surface, kind, app_version' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    surface,
                    kind,
                    app_version
                from report.zombies
                group by
                    app_id,
                    day,
                    surface,
                    kind,
                    app_version
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'only closed days are counted' as claim,
                count(*) as found
            from report.zombies
            join census.app
                on app.app_id = zombies.app_id
            where not exists (
                select
                from census.closed_day
                where closed_day.app_number = app.app_number
                    and closed_day.day = zombies.day)
            union all
            select
                'fail' as severity,
                'every device holds a widget' as claim,
                count(*) as found
            from report.zombies
            where not (0 < devices and devices <= widgets)
            union all
            select
                'fail' as severity,
                'no kind is a zombie on a version that declares it, or that has no manifest' as claim,
                count(*) as found
            from report.zombies
            join census.app
                on app.app_id = zombies.app_id
            where exists (
                    select 1
                    from census.manifest_kind
                    where manifest_kind.app_number = app.app_number
                        and manifest_kind.app_version = zombies.app_version
                        and manifest_kind.surface = zombies.surface
                        and manifest_kind.kind = zombies.kind)
                or not exists (
                    select 1
                    from census.manifest
                    where manifest.app_number = app.app_number
                        and manifest.app_version = zombies.app_version)
            union all
            select
                'fail' as severity,
                'no more devices hold it on one version than on all' as claim,
                count(*) as found
            from report.zombies
            join report.live_kinds
                on live_kinds.app_id = zombies.app_id
                and live_kinds.day = zombies.day
                and live_kinds.surface = zombies.surface
                and live_kinds.kind = zombies.kind
            where zombies.devices > live_kinds.devices_possible
                or zombies.widgets > live_kinds.widgets_possible
            """#))
    static let `retirement` = ReportDescription(
        name: "retirement",
        answer: "may a legacy kind be dropped? Each condition with its figure and its limit",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("lifecycle", "legacy, retire_ready (computed) or retired."),
            .init("devices_certain", "Active devices that certainly hold it."),
            .init("devices_possible", "Active devices that certainly or possibly hold it."),
            .init("devices_expected", "The best estimate between the bounds."),
            .init("devices_silent", "Devices that fell silent with it at most a year ago."),
            .init("devices_with_replacement", "Possible holders that certainly hold the replacing kind; null: none was named."),
            .init("limit_devices", "devices_possible + devices_silent must not exceed it: the app's limit or its share of the active devices, whichever is smaller, but at least 3 of the share."),
            .init("half_life_days", "Days in which half of the holders leave, at the rate of the last weeks; null: it can't be told."),
            .init("half_life_low", "Low end of its 80 % interval."),
            .init("half_life_high", "High end of its 80 % interval; null: open."),
            .init("ready_on", "When it will be ready at this rate; null: never, or it can't be told."),
            .init("ready_on_earliest", "Earliest day of the 80 % interval."),
            .init("ready_on_latest", "Latest day of the 80 % interval; null: open."),
            .init("verdict", "ready, not ready, unknown or retired."),
            .init("reason", "Every condition that fails, with its figure and its limit; or the figures that make it ready."),
        ],
        hasDays: false,
        hasKinds: true,
        order: ["app_id", "surface", "kind"],
        spare: ["reason", "half_life_low", "half_life_high", "ready_on_earliest", "ready_on_latest", "devices_with_replacement", "half_life_days", "lifecycle", "devices_silent", "devices_certain"],
        whenEmpty: "no kind was marked; `widget-census kinds mark KIND --legacy --app APP_ID` does",
        query: Statement(
            "retirement",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (not used), $4 kind or null
            select
                app_id,
                surface,
                kind,
                lifecycle,
                devices_certain,
                devices_possible,
                devices_expected,
                devices_silent,
                devices_with_replacement,
                limit_devices,
                half_life_days,
                half_life_low,
                half_life_high,
                ready_on,
                ready_on_earliest,
                ready_on_latest,
                verdict,
                reason
            from report.retirement
            where ($1::text is null or app_id = $1)
                and ($2::date is null or true)
                and ($3::date is null or true)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                surface,
                kind
            """#),
        checks: Statement(
            "retirement",
            #"""
            -- What holds of retirement on any database; found: violations.
            select
                'fail' as severity,
                'one row per app_id, surface, kind' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    surface,
                    kind
                from report.retirement
                group by
                    app_id,
                    surface,
                    kind
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'a verdict is ready, not ready, unknown or retired' as claim,
                count(*) as found
            from report.retirement
            where verdict not in ('ready', 'not ready', 'unknown', 'retired')
                or verdict is null
                or reason is null
            union all
            select
                'fail' as severity,
                'a kind is ready only with no more holders than the limit' as claim,
                count(*) as found
            from report.retirement
            where verdict = 'ready'
                and devices_possible + devices_silent > limit_devices
            union all
            select
                'fail' as severity,
                'devices_certain <= devices_expected <= devices_possible' as claim,
                count(*) as found
            from report.retirement
            where not (0 <= devices_certain and devices_certain <= devices_expected and devices_expected <= devices_possible)
            union all
            select
                'fail' as severity,
                'ready_on and half_life_days lie within their intervals' as claim,
                count(*) as found
            from report.retirement
            where ready_on not between ready_on_earliest and coalesce(ready_on_latest, 'infinity')
                or half_life_days not between half_life_low and coalesce(half_life_high, 'infinity')
            union all
            select
                'fail' as severity,
                'a verdict that is older than the last day that has ended is unknown' as claim,
                count(*) as found
            from report.retirement
            join census.app
                on app.app_id = retirement.app_id
            where retirement.verdict in ('ready', 'not ready')
                and not exists (
                    select 1
                    from census.readiness
                    where readiness.app_number = app.app_number
                        and readiness.surface = retirement.surface
                        and readiness.kind = retirement.kind
                        and readiness.day >= (now() at time zone app.zone)::date - 1)
            union all
            select
                'fail' as severity,
                'every kind that is legacy or retired has a row' as claim,
                count(*) as found
            from (
                select distinct on (app_number, surface, kind)
                    app_number,
                    surface,
                    kind,
                    lifecycle
                from census.kind_act
                order by
                    app_number,
                    surface,
                    kind,
                    act_number desc
            ) as act
            join census.app
                on app.app_number = act.app_number
            left join report.retirement
                on retirement.app_id = app.app_id
                and retirement.surface = act.surface
                and retirement.kind = act.kind
            where (act.lifecycle <> 'active') <> (retirement.kind is not null)
            """#))
    static let `acts` = ReportDescription(
        name: "acts",
        answer: "what people decided about kinds, and when",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("act", "Its number, which is the version of the gallery policy from then on; later ones are higher."),
            .init("day", "In the app's zone."),
            .init("acted_at", "When."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("lifecycle", "What the kind was from then on: active, legacy or retired."),
            .init("replaced_by", "The kind that people are to use instead; null: none was named."),
            .init("devices_certain", "Devices that certainly held it then."),
            .init("devices_possible", "Devices that certainly or possibly held it then."),
            .init("reason", "Why, in the words of the person; null: not said."),
        ],
        hasDays: true,
        hasKinds: true,
        order: ["app_id", "act"],
        spare: ["reason", "replaced_by"],
        whenEmpty: "nobody has decided about a kind that matches; `widget-census kinds mark` does",
        query: Statement(
            "acts",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
            select
                app_id,
                act,
                day,
                to_char(acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as acted_at,
                surface,
                kind,
                lifecycle,
                replaced_by,
                devices_certain,
                devices_possible,
                reason
            from report.acts
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                act
            """#),
        checks: Statement(
            "acts",
            #"""
            -- What holds of acts on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per act' as claim,
                count(*) as found
            from (
                select act
                from report.acts
                group by act
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'every act makes a kind active, legacy or retired' as claim,
                count(*) as found
            from report.acts
            where lifecycle not in ('active', 'legacy', 'retired')
            union all
            select
                'fail' as severity,
                'bounds are ordered' as claim,
                count(*) as found
            from report.acts
            where not (0 <= devices_certain and devices_certain <= devices_possible)
            """#))
    static let `mass_losses` = ReportDescription(
        name: "mass_losses",
        answer: "whether updates take a kind away, per version that devices updated to, and from",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("surface", "widget, control, live_activity or today."),
            .init("kind", "The widget's kind."),
            .init("from_version", "The app's version before the update; null: any."),
            .init("to_version", "The app's version after it."),
            .init("upgraders", "Devices that held it for certain, updated and reported again."),
            .init("lost", "Those that then listed nothing of it."),
            .init("loss_rate", "lost / upgraders."),
            .init("ordinary_rate", "The share of them that would have lost it in the same time without the update, by the others of the same nights; null: there were too few."),
            .init("z", "Standard deviations between the lost and what the others' rate lets expect; null: nothing was lost."),
            .init("evidence", "How much speaks for a loss: an e-value, 1 to begin with. An incident opens at 2 / (its share of the budget of false alarms)."),
            .init("devices_at_risk", "Devices that still held it for certain on the version before; from_version null: on any older version."),
            .init("state", "Of the incident: watched (none), open, acknowledged or closed."),
            .init("opened_on", "The day whose pairs were enough for an incident; null: none was."),
        ],
        hasDays: false,
        hasKinds: true,
        order: ["app_id", "surface", "kind", "from_version", "to_version"],
        spare: ["z", "ordinary_rate", "evidence", "loss_rate", "opened_on"],
        whenEmpty: "no update is watched yet: it takes 20 devices that hold a kind, update and report again",
        query: Statement(
            "mass_losses",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (not used), $4 kind or null
            select
                app_id,
                surface,
                kind,
                from_version,
                to_version,
                upgraders,
                lost,
                loss_rate,
                ordinary_rate,
                z,
                evidence,
                devices_at_risk,
                state,
                opened_on
            from report.mass_losses
            where ($1::text is null or app_id = $1)
                and ($2::date is null or true)
                and ($3::date is null or true)
                and ($4::text is null or kind = $4)
            order by
                app_id,
                surface,
                kind,
                from_version,
                to_version
            """#),
        checks: Statement(
            "mass_losses",
            #"""
            -- What holds of mass_losses on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, surface, kind, from_version, to_version' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    surface,
                    kind,
                    from_version,
                    to_version
                from report.mass_losses
                group by
                    app_id,
                    surface,
                    kind,
                    from_version,
                    to_version
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'what all lost is what they lost who came from each version' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    surface,
                    kind,
                    to_version
                from report.mass_losses
                group by
                    app_id,
                    surface,
                    kind,
                    to_version
                having sum(lost) filter (where from_version is null) <> sum(lost) filter (where from_version is not null)
                    or sum(upgraders) filter (where from_version is null) <> sum(upgraders) filter (where from_version is not null)
            ) as differing
            union all
            select
                'fail' as severity,
                'an incident has a day on which it opened, and what is only watched has none' as claim,
                count(*) as found
            from report.mass_losses
            where (state = 'watched') <> (opened_on is null)
            union all
            select
                'fail' as severity,
                'no more were lost from a version than the nights took' as claim,
                count(*) as found
            from (
                select
                    app_number,
                    surface,
                    kind,
                    to_version,
                    from_version,
                    upgraders,
                    lost
                from census.loss_origin
            ) as origin
            join census.loss_version
                on loss_version.app_number = origin.app_number
                and loss_version.to_version = origin.to_version
            cross join lateral (
                select
                    coalesce(sum(pair_night.pairs), 0) as pairs,
                    coalesce(sum(pair_night.lost), 0) as lost
                from census.pair_night
                where pair_night.app_number = origin.app_number
                    and pair_night.surface = origin.surface
                    and pair_night.kind = origin.kind
                    and pair_night.to_version = origin.to_version
                    and pair_night.from_version = origin.from_version
            ) as taken
            where loss_version.first_day > current_date - 180
                and (origin.upgraders > taken.pairs or origin.lost > taken.lost)
            """#))
    static let `refused` = ReportDescription(
        name: "refused",
        answer: "how many events were refused at the door, and for what",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "The day of receipt, in UTC."),
            .init("code", "Why, as the sender was told: too_old, invalid_widget and so on."),
            .init("events", "Events that were refused; a redelivery on the same day adds nothing."),
            .init("example", "The sentence that one of the senders got; the same one at every reading."),
        ],
        hasDays: true,
        hasKinds: false,
        order: ["app_id", "day", "events", "code"],
        spare: [],
        whenEmpty: "no event that matches was refused",
        query: Statement(
            "refused",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind (not used)
            select
                app_id,
                day,
                code,
                events,
                example
            from report.refused
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or true)
            order by
                app_id,
                day,
                events desc,
                code
            """#),
        checks: Statement(
            "refused",
            #"""
            -- What holds of refused on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, code' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    code
                from report.refused
                group by
                    app_id,
                    day,
                    code
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'every row has events and an example' as claim,
                count(*) as found
            from report.refused
            where events < 1
                or coalesce(example, '') = ''
            union all
            select
                'fail' as severity,
                'every code is one that docs/contract.md names' as claim,
                count(*) as found
            from report.refused
            where code not in (
                'invalid_id', 'invalid_time', 'too_old', 'in_future', 'unknown_type', 'invalid_widget', 'invalid_report',
                'too_long', 'too_many_kinds')
            union all
            select
                'fail' as severity,
                'the day is that of the receipt, in UTC' as claim,
                count(*) as found
            from census.refused
            where refused_on <> (received_at at time zone 'UTC')::date
            union all
            select
                'warn' as severity,
                'on no day were more than 1000 events refused as unknown or invalid' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day
                from report.refused
                where code not in ('too_old', 'in_future')
                group by
                    app_id,
                    day
                having sum(events) > 1000
            ) as broken
            """#))
    static let `warned` = ReportDescription(
        name: "warned",
        answer: "on how many devices the door took what is probably a mistake of the app, by the version that sends it",
        columns: [
            .init("app_id", "Bundle id or package name."),
            .init("day", "The day of receipt, in UTC."),
            .init("code", "What is probably wrong, as the sender was told: unknown_field, os_version and so on."),
            .init("app_version", "The version that sent it."),
            .init("devices", "Distinct devices; however often each of them sent it."),
            .init("example", "The sentence that one of the senders got; the same one at every reading."),
        ],
        hasDays: true,
        hasKinds: false,
        order: ["app_id", "day", "devices", "code", "app_version"],
        spare: [],
        whenEmpty: "nothing that matches was warned of",
        query: Statement(
            "warned",
            #"""
            -- Made by scripts/generate-sql from view.sql: edit that.
            -- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind (not used)
            select
                app_id,
                day,
                code,
                app_version,
                devices,
                example
            from report.warned
            where ($1::text is null or app_id = $1)
                and ($2::date is null or day >= $2)
                and ($3::date is null or day <= $3)
                and ($4::text is null or true)
            order by
                app_id,
                day,
                devices desc,
                code,
                app_version
            """#),
        checks: Statement(
            "warned",
            #"""
            -- What holds of warned on any database, beside what its grain says; found: violations.
            select
                'fail' as severity,
                'one row per app_id, day, code, app_version' as claim,
                count(*) as found
            from (
                select
                    app_id,
                    day,
                    code,
                    app_version
                from report.warned
                group by
                    app_id,
                    day,
                    code,
                    app_version
                having count(*) > 1
            ) as repeated
            union all
            select
                'fail' as severity,
                'every row has devices and an example' as claim,
                count(*) as found
            from report.warned
            where devices < 1
                or coalesce(example, '') = ''
            union all
            select
                'fail' as severity,
                'every code is one that docs/contract.md names' as claim,
                count(*) as found
            from report.warned
            where code not in (
                'unknown_field', 'misplaced_field', 'shared_device', 'os_version', 'family', 'future_time', 'same_instant',
                'boot_time', 'channel')
            union all
            select
                'fail' as severity,
                'the day is that of the receipt, in UTC' as claim,
                count(*) as found
            from census.warned
            where warned_on <> (received_at at time zone 'UTC')::date
            """#))
    static let all: [ReportDescription] = [
        `live_now`,
        `live_kinds`,
        `live_installs`,
        `changes`,
        `changes_by_version`,
        `ghosts`,
        `os_quirks`,
        `coverage`,
        `usage`,
        `active`,
        `retention`,
        `overlap`,
        `adoption`,
        `zombies`,
        `retirement`,
        `acts`,
        `mass_losses`,
        `refused`,
        `warned`,
    ]
}
