"""One device id's story: what the app wrote down, and what was really on the screen."""

import itertools
from dataclasses import dataclass, field

MINUTE, HOUR, DAY = 60.0, 3_600.0, 86_400.0


@dataclass
class Message:
    """One event as the app wrote it down."""
    at: float
    """By a true clock."""
    body: dict
    """The event without `id` and `at`."""
    context: dict
    """What is the batch's: version, installation and so on, as of this moment."""
    id: str = ""
    spelled_at: str = ""


@dataclass
class Mark:
    """What the screen held from a moment on."""
    at: float
    surface: str
    kind: str | None
    """What changed; None: all of it may have, or a list was read."""
    held: dict
    """(kind, family, instance) → widgets; family and instance are None where there is none."""
    message: Message | None
    """What tells of it; None: the app does not know."""


@dataclass
class Life:
    """- judged: whether the bounds must hold what the screen held; odd phones lie."""
    app: str
    device: str
    judged: bool = True
    skew: float = 0.0
    """How far its clock is ahead."""
    erased_at_end: bool = False
    hoards: bool = False
    """Sends what it has once it has hundreds."""
    messages: list = field(default_factory=list)
    marks: list = field(default_factory=list)
    boots: list = field(default_factory=list)
    tells_boot_time: bool = False
    numbers: itertools.count = field(default_factory=lambda: itertools.count(1))

    def say(self, at, context, type, **content):
        message = Message(at, {"type": type, **content}, context, f"{self.device}-{next(self.numbers)}")
        self.messages.append(message)
        return message

    def mark(self, at, surface, held, kind=None, message=None):
        self.marks.append(Mark(at, surface, kind, dict(held), message))

    def boot_before(self, at):
        return max((boot for boot in self.boots if boot <= at), default=None)


class Pace:
    """How time goes by between what people do: mostly hours, now and then seconds or weeks."""

    def __init__(self, random, start, end, is_often_silent=False):
        self.random, self.now, self.end = random, start, end
        self.silence = 0.05 if is_often_silent else 0.005

    def pass_by(self):
        """- Returns: whether the story goes on."""
        draw = self.random.random()
        if draw < self.silence:
            self.now += self.random.uniform(8, 36) * DAY
        elif draw < 0.25:
            self.now += self.random.uniform(2, 50)
        elif draw < 0.4:
            self.now += self.random.uniform(2, 60) * MINUTE
        else:
            self.now += self.random.expovariate(1 / (14 * HOUR)) + 5 * MINUTE
        # Tenths: two things never share a millisecond by the spelling alone.
        self.now = round(self.now, 1)
        return self.now < self.end

    def wait(self, low, high):
        self.now = round(self.now + self.random.uniform(low, high), 1)


class News:
    """Kinds since the last list. Nobody here places, uses and takes away one of a kind between two lists: what was used then
    counts as one of those that the next list has (R7 and R10, a known limit)."""

    def __init__(self):
        self._placed, self._used = set(), set()

    def placed(self, kind):
        self._placed.add(kind)

    def used(self, kind):
        self._used.add(kind)

    def may_leave(self, kind):
        return not (kind in self._placed and kind in self._used)
