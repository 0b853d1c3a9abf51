import shutil
import subprocess
import time

from harness.postgres import account
from harness.proxy import Proxy
from harness.service import accepts, free_port
from harness.verdict import Skipped


def cut_connections(world):
    """connections to PostgreSQL are reset in the middle of a statement, black-holed and refused"""
    world.postgres.settings.append("log_checkpoints=off")
    proxy = Proxy(world.postgres.port, world.setting.seed)
    world.proxies.append(proxy)
    world.postgres.copy(world.setting.template)
    world.postgres.start()
    service = world.serve(world.postgres.url(proxy.port))
    load = world.drive()
    chance = load.journal.random
    wanted = world.count(6, 200)
    deadline = time.monotonic() + world.size(60, 600)
    while proxy.cuts < wanted and time.monotonic() < deadline:
        proxy.cut_after(int(10 ** chance.uniform(0, 5)))
        before = proxy.cuts
        while proxy.cuts == before and time.monotonic() < deadline:
            time.sleep(0.005)
        world.fault()
        begun = time.monotonic()
        time.sleep(chance.uniform(0, 0.1))
        if proxy.cuts % 10 == 0:
            world.recovered(begun, 10)
    world.verdict.expect(proxy.cuts >= wanted, f"only {proxy.cuts} cuts of {wanted} in time")
    for misbehave in [proxy.stall, proxy.refuse] * world.count(1, 5):
        misbehave()
        world.fault()
        begun = time.monotonic()
        time.sleep(world.size(2.6, 10))
        away = [answer for answer in load.answers if answer.begun > begun + 1 and answer.status not in (0, 503)]
        world.verdict.expect(not away, "a batch was acknowledged while PostgreSQL was unreachable")
        world.verdict.expect(service.status("/livez") == 200, "/livez was not 200")
        proxy.forward()
        world.recovered(time.monotonic(), 10)
    for _ in range(world.count(1, 10)):
        time.sleep(chance.uniform(0.5, 1))
        # Like a router that forgot the connections: only our own deadlines end the wait.
        proxy.silence()
        world.fault()
        world.recovered(time.monotonic(), 10, "healed max")
    for _ in range(world.count(1, 5)):
        time.sleep(chance.uniform(0.5, 1))
        # Both committers wait for the answer to a commit that never arrives.
        proxy.commits = 2
        while proxy.commits > 0 and time.monotonic() < deadline:
            time.sleep(0.005)
        world.fault()
        world.recovered(time.monotonic(), 10, "healed max")
    slowest = max(answer.took for answer in load.answers)
    world.verdict.at_most("slowest answer", slowest, 3.5)
    world.finish()


def pgbouncer(world):
    """pgbouncer between the service and PostgreSQL is killed and started again"""
    path = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if path is None:
        raise Skipped("pgbouncer is not installed: scripts/setup pgbouncer")
    world.postgres.copy(world.setting.template)
    world.postgres.start()
    port, folder = free_port(), world.folder
    with open(folder + "/users", "w") as file:
        file.write('"census" ""\n')
    with open(folder + "/pgbouncer.ini", "w") as file:
        # Statements are prepared once a session, so the pool must be by session.
        file.write(f"""[databases]
census = host=127.0.0.1 port={world.postgres.port} dbname=census
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
pool_mode = session
default_pool_size = 40
ignore_startup_parameters = extra_float_digits,options
""")
    processes = []

    def start():
        with open(folder + "/pgbouncer.log", "ab") as log:
            processes.append(subprocess.Popen([path, folder + "/pgbouncer.ini"], stdin=subprocess.DEVNULL, stdout=log,
                                              stderr=log, cwd="/", start_new_session=True, **account()))

    def end():
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()

    world.cleanups.append(end)
    start()
    while not accepts(port):
        time.sleep(0.05)
    service = world.serve(world.postgres.url(port))
    load = world.drive()
    for number in range(world.count(2, 20)):
        time.sleep(load.journal.random.uniform(0.5, 1))
        end()
        world.fault()
        time.sleep(0.5)
        start()
        world.recovered(time.monotonic(), 10)
    world.verdict.expect(service.is_running, "the service exited")
    world.finish()
