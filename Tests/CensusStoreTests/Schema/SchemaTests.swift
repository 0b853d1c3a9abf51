import Testing

/// Rules for every table and view, including those of future migrations (docs/decisions/0004-citus.md).
@Suite struct `Schema` {
    /// Tables that hold data of single devices.
    private let deviceTables = [
        "device", "device_base", "device_cohort", "device_use", "observation", "pending_device", "phase", "refused",
        "set_aside", "span",
        "warned",
    ]

    private func expectNone(_ query: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await TestStore.with { test in
            let found = try await test.lines(query)
            #expect(found == [], sourceLocation: sourceLocation)
        }
    }

    @Test func `every table, view and column has a comment`() async throws {
        try await expectNone(
            """
            select
                class.oid::regclass,
                attribute.attname
            from pg_class as class
            join pg_attribute as attribute
                on attribute.attrelid = class.oid
                and not attribute.attisdropped
                and attribute.attnum >= 0
            where class.relnamespace in ('census'::regnamespace, 'report'::regnamespace, 'census_schema'::regnamespace)
                and class.relkind in ('r', 'p', 'v', 'm')
                and not class.relispartition
                and coalesce(col_description(class.oid, attribute.attnum), '') = ''
            union all
            select
                oid::regclass,
                'the table itself'
            from pg_class
            where relnamespace in ('census'::regnamespace, 'report'::regnamespace, 'census_schema'::regnamespace)
                and relkind in ('r', 'p', 'v', 'm')
                and coalesce(obj_description(oid, 'pg_class'), '') = ''
            """)
    }

    @Test func `every table has a primary key`() async throws {
        try await expectNone(
            """
            select oid::regclass
            from pg_class
            where relnamespace in ('census'::regnamespace, 'report'::regnamespace, 'census_schema'::regnamespace)
                and relkind in ('r', 'p')
                and not exists (select 1 from pg_constraint where conrelid = pg_class.oid and contype = 'p')
            """)
    }

    /// Under another collation, a change of the operating system makes an index miss rows, and a key can occur twice.
    @Test func `every text in a key or an index sorts by its bytes`() async throws {
        try await expectNone(
            """
            select
                indexrelid::regclass,
                attname
            from pg_index
            join pg_class
                on pg_class.oid = indrelid
            cross join lateral unnest(indcollation::oid[]) with ordinality as sorted (collation_oid, position)
            join pg_attribute
                on attrelid = indexrelid
                and attnum = position
            where relnamespace in ('census'::regnamespace, 'report'::regnamespace, 'census_schema'::regnamespace)
                and collation_oid not in (0, 'pg_catalog."C"'::regcollation)
            union all
            select
                partrelid::regclass,
                'its partition key'
            from pg_partitioned_table
            cross join lateral unnest(partcollation::oid[]) as collation_oid
            where collation_oid not in (0, 'pg_catalog."C"'::regcollation)
            """)
    }

    @Test func `no table has a trigger of ours or is unlogged`() async throws {
        try await expectNone(
            """
            select
                tgrelid::regclass::text,
                tgname::text
            from pg_trigger
            join pg_class
                on pg_class.oid = tgrelid
            where not tgisinternal
                and relnamespace <> 'pg_catalog'::regnamespace
            union all
            select
                oid::regclass::text,
                'unlogged'
            from pg_class
            where relnamespace = 'census'::regnamespace
                and relpersistence <> 'p'
            """)
    }

    @Test func `every key of device data includes the device, which is never null`() async throws {
        try await TestStore.with { test in
            let keys = try await test.lines(
                """
                select
                    class.relname,
                    bool_and(attribute.attnum = any(index.indkey::int2[])),
                    attribute.attnotnull
                from pg_class as class
                join pg_index as index
                    on index.indrelid = class.oid
                    and index.indisunique
                join pg_attribute as attribute
                    on attribute.attrelid = class.oid
                    and attribute.attname = 'device_id'
                where class.relnamespace = 'census'::regnamespace
                    and class.relname = any($1::text[])
                group by
                    class.relname,
                    attribute.attnotnull
                order by class.relname
                """, [deviceTables])
            #expect(keys == deviceTables.map { "\($0)|t|t" })
        }
    }

    @Test func `every table's comment names its kind, and the device tables are listed here`() async throws {
        try await TestStore.with { test in
            let device = try await test.lines(
                """
                select relname
                from pg_class
                where relnamespace = 'census'::regnamespace
                    and relkind in ('r', 'p')
                    and not relispartition
                    and obj_description(oid, 'pg_class') like 'Device%'
                order by relname
                """)
            #expect(device == deviceTables)
        }
        try await expectNone(
            """
            select relname
            from pg_class
            where relnamespace = 'census'::regnamespace
                and relkind in ('r', 'p')
                and not relispartition
                and obj_description(oid, 'pg_class') !~ '^(Device|Lookup|Local)'
            """)
    }

    /// A view that groups by a primary key alone depends on it, so a restore makes it late, which Citus rejects.
    @Test func `no view depends on a constraint`() async throws {
        try await expectNone(
            """
            select distinct pg_rewrite.ev_class::regclass
            from pg_depend
            join pg_rewrite
                on pg_rewrite.oid = pg_depend.objid
            where pg_depend.classid = 'pg_rewrite'::regclass
                and pg_depend.refclassid = 'pg_constraint'::regclass
            """)
    }

    @Test func `device data has no foreign key`() async throws {
        try await TestStore.with { test in
            let foreign = try await test.lines(
                """
                select conrelid::regclass
                from pg_constraint
                where contype = 'f'
                    and conrelid = any(select ('census.' || name)::regclass from unnest($1::text[]) as name)
                """, [deviceTables])
            #expect(foreign == [])
        }
    }
}
