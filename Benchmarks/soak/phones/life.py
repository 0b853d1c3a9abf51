"""One device id's story: what the app recorded, and what was really on the screen."""

from collections import Counter
from dataclasses import dataclass, field

HOUR, DAY = 3_600.0, 86_400.0


@dataclass
class Message:
    """One event as the app recorded it."""
    at: float
    """By a true clock."""
    body: dict
    """The event without `id` and `at`."""
    context: dict
    """The batch's context at this moment: version, installation and so on."""
    id: str
    spelled_at: str = ""


@dataclass
class Mark:
    """What the screen held from a moment on."""
    at: float
    surface: str
    kind: str | None
    """The kind that changed; None if all could have, or if a list was read."""
    held: dict
    """(kind, family, instance) → widgets; family and instance can be None."""
    message: Message | None
    """The message that reports it; None if the app does not know."""


@dataclass
class Life:
    """- judged: whether the bounds must hold the truth; odd phones lie."""
    app: str
    device: str
    judged: bool
    skew: float
    """How far its clock is ahead."""
    hoards: bool
    """Whether it sends only once it has hundreds of events."""
    boots: list
    tells_boot_time: bool
    messages: list
    marks: list = field(default_factory=list)
    erased_at_end: bool = False

    def boot_before(self, at):
        return max((boot for boot in self.boots if boot <= at), default=None)

    @staticmethod
    def read(line, app):
        """- line: as `soak-phones` prints it."""
        messages = [Message(**message) for message in line["messages"]]
        life = Life(app, *(line[name] for name in ("device", "judged", "skew", "hoards", "boots", "tells_boot_time")), messages)
        for mark in line["marks"]:
            held = Counter()
            for model in mark["held"]:
                held[model["kind"], model.get("family"), model.get("instance")] += model["count"]
            message = messages[mark["message"]] if "message" in mark else None
            life.marks.append(Mark(mark["at"], mark["surface"], mark.get("kind"), dict(held), message))
        return life
