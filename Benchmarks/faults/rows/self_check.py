def self_check(world):
    """tests the harness itself: it must notice each kind of damage"""
    world.begin()
    load = world.drive(senders=2)
    while load.acknowledged < 300:
        world.fault()
        load.stopping.wait(0.1)
    load.stop()
    world.compare()

    first = "(select ctid from census.observation where tableoid = '{0}'::regclass order by event_id limit 1)"
    table = world.postgres.sql("select tableoid::regclass from census.observation limit 1")[0][0]
    first = f"where ctid = {first.format(table)}"
    insert = f"insert into {table} select (json_populate_record(t, json_build_object({{}}))).* from {table} t {first}"
    for name, harm in (
        ("lost", f"delete from {table} {first}"),
        ("partial", f"delete from {table} {first}"),
        ("unclaimed", insert.format("'event_id', 'nobody''s'")),
        ("duplicates", insert.format("'occurred_at', occurred_at + interval '1 ms'")),
        ("different", f"update {table} set content = '{{\"widgets\":[]}}' {first}"),
        ("different", f"update {table} set device_id = gen_random_uuid() {first}"),
        ("different", f"update {table} set app_version = '0' {first}"),
    ):
        world.postgres.sql(f"create table kept as select * from {table}; {harm}")
        world.verdict.expect(world.reconciliation()[name] > 0, f"{name} was not noticed: {harm}")
        world.postgres.sql(f"truncate {table}; insert into {table} select * from kept; drop table kept")
    world.finish(needs_failures=False)
