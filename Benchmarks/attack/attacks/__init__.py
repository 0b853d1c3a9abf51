"""The attacks by name, and the programs that they need."""

import os

from .flood import (
    crumbs, descriptors, heavy_bodies, held_bodies, silent_connections, strange_bodies, unread_answers, wide_bodies)
from .slow import slow_bodies, slow_heads
from .specification import specification
from .strings import look_alikes, strings

ALL = {"specification": specification, "slow-heads": slow_heads, "slow-bodies": slow_bodies, "strings": strings,
       "look-alikes": look_alikes, "heavy-bodies": heavy_bodies, "wide-bodies": wide_bodies,
       "strange-bodies": strange_bodies, "unread-answers": unread_answers,
       "held-bodies": held_bodies, "silent-connections": silent_connections, "crumbs": crumbs, "descriptors": descriptors}
NEEDS = {"specification": os.environ.get("SCHEMATHESIS", "schemathesis"), "slow-heads": "slowhttptest",
         "slow-bodies": "slowhttptest"}
