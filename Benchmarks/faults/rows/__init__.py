"""The rows by name, in the order in which they run. Each is a function of a world; its docstring is its help."""

from .kill_postgres import kill_backend, kill_postgres
from .kill_service import kill_service
from .self_check import self_check
from .sigterm import sigterm

ALL = {
    function.__name__.replace("_", "-"): function
    for function in (self_check, kill_service, kill_postgres, kill_backend, sigterm)
}
