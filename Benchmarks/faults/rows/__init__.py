"""The rows by name, in the order in which they run. Each is a function of a world; its docstring is its help text."""

from .clock import clock, midnight
from .cut_connections import cut_connections, pgbouncer
from .disconnect import disconnect
from .disk_full import disk_full
from .gallery_away import gallery_away
from .keys import key_rotation, replay
from .kill_postgres import kill_backend, kill_postgres
from .kill_service import kill_service
from .locked import locked
from .migrate import migrate
from .postgres_away import postgres_away
from .rolling import rolling
from .self_check import self_check
from .sigterm import sigterm
from .spool import spool
from .two_nodes import two_nodes

ALL = {
    function.__name__.replace("_", "-"): function
    for function in (
        self_check, kill_service, kill_postgres, kill_backend, postgres_away, gallery_away, spool, locked, cut_connections,
        pgbouncer, disk_full, disconnect, sigterm, clock, midnight, two_nodes, rolling, replay, key_rotation, migrate)
}
