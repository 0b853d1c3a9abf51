"""iPhones and their like: WidgetKit's lists, ghosts after a reinstall, apps that send their own differences of lists.

Modelled from what is known of the OS (an app that was deleted leaves its widgets in the list until the device boots), not
from the product's rules.
"""

from collections import Counter

from .life import DAY, MINUTE, Life, News, Pace

FAMILIES = ["systemSmall", "systemMedium", "systemLarge", "accessoryCircular"]
KINDS = ["calendar", "radar", "search", "stocks", "weather"]
HAUNTED = {"14.3", "16.4", "17.2"}
BETA = ("14.0", "18A5301v")
VERSIONS = ["14.3", "15.7", "16.4", "17.2", "18.1", "26.1"]


class ApplePhone:
    """One phone: a chain of lives, for it may lose its device id."""

    def __init__(self, random, app, name, start, end, without=frozenset()):
        self.random, self.app, self.name, self.without = random, app, name, without
        self.pace = Pace(random, start + random.uniform(0, 12) * DAY, end,
                         random.random() < 0.25 and "silence" not in without)
        self.platform = random.choice(["ios"] * 6 + ["ipados", "watchos", "visionos", "macos"])
        self.version, self.build = random.choice(VERSIONS), None
        if "betas" not in without and random.random() < 0.06:
            self.version, self.build = BETA
        self.skew = random.choice([0] * 8 + [7_200, -86_400]) if "skews" not in without else 0
        # Where the clock is wrong every batch is shifted by a little more or less: nothing within seconds.
        self.differs = random.choice(["", "after", "before"]) if "differences" not in without and not self.skew else ""
        self.taps = "taps" not in without and not self.skew
        self.names = random.choice(["all", "family", "kind"]) if "names" not in without else "all"
        self.boot_form = random.choice(["rebooted", "booted_at", "both", "none"])
        self.knows_launch = random.random() < 0.85
        self.surfaces = ["widget"] + ["control"] * (self.version >= "18" and "controls" not in without)
        self.screen = {surface: Counter() for surface in self.surfaces}
        self.ghosts = {surface: Counter() for surface in self.surfaces}
        self.today, self.news = set(), News()
        self.has_today = "today" not in without and random.random() < 0.15
        self.app_version, self.policy = "20.1.0", None
        self.boots = [start - random.uniform(1, 20) * DAY]
        self.lives, self.reinstalls = [], 0

    def live(self):
        """- Returns: its lives."""
        self.begin_life()
        while self.pace.pass_by():
            self.random.choices(
                [self.place, self.remove, self.configure, self.open_app, self.tap, self.render, self.restart, self.update_app,
                 self.reinstall, self.change_phone, self.update_system],
                [8, 5, 3, 24, 10, 3, 4, 2, 3, 0.6, 1])[0]()
        if self.random.random() < 0.8:
            self.pace.now = min(self.pace.now, self.pace.end)
        return self.lives

    # The installation.

    def begin_life(self):
        self.life = Life(self.app, f"{self.name}-{len(self.lives)}", skew=self.skew, boots=self.boots)
        self.life.tells_boot_time = self.boot_form in ("booted_at", "both")
        self.lives.append(self.life)
        self.begin_installation()

    def begin_installation(self):
        self.reinstalls += 1
        self.installation = f"{self.name}-i{self.reinstalls}"
        self.launched = self.pace.now
        self.listed = {surface: None for surface in self.surfaces}

    def context(self):
        installation = {"id": self.installation}
        if self.knows_launch:
            installation["first_launched_at"] = self.launched
        if self.boot_form in ("rebooted", "both"):
            installation["rebooted"] = self.boots[-1] > self.launched
        device = {"platform": self.platform, "os_version": self.version}
        if self.build:
            device["os_build"] = self.build
        context = {"version": self.app_version, "device": device, "installation": installation}
        return context if self.policy is None else {**context, "gallery_policy": self.policy}

    def say(self, type, **content):
        return self.life.say(self.pace.now, self.context(), type, **content)

    def held(self, surface):
        held = Counter()
        for widget, count in self.screen[surface].items():
            held[widget[0], widget[1], None] += count
        return held

    def changed(self, surface, kind):
        self.life.mark(self.pace.now, surface, self.held(surface), kind)

    # What people do.

    def place(self):
        if self.has_today and self.random.random() < 0.3:
            return self.use_today()
        surface = self.random.choice(self.surfaces)
        if sum(self.screen[surface].values()) > 6:
            return
        kind = self.random.choice(KINDS)
        family = self.random.choice(FAMILIES) if surface == "widget" else None
        intent = "CityIntent" if kind == "weather" else None
        configuration = self.random.choice(["aa", "bb", None]) if intent else None
        self.screen[surface][(kind, family, intent, configuration)] += self.random.choice([1, 1, 1, 2])
        self.news.placed(kind)
        self.changed(surface, kind)

    def use_today(self):
        """The Today extension has no list: only what is there is rendered."""
        if self.today and self.random.random() < 0.2:
            kind = self.today.pop()
            return self.life.mark(self.pace.now, "today", {(kind, None, None): 1 for kind in self.today}, kind)
        kind = self.random.choice(["today.agenda", "today.tides"])
        self.today.add(kind)
        message = self.say(self.random.choice(["widget_rendered", "widget_opened"]), surface="today", widget={"kind": kind})
        # As told as a list would, of this kind.
        self.life.mark(self.pace.now, "today", {(kind, None, None): 1 for kind in self.today}, kind, message)

    def one(self, surface):
        held = sorted(self.screen[surface].elements(), key=str)
        return self.random.choice(held) if held else None

    def remove(self):
        surface = self.random.choice(self.surfaces)
        widget = self.one(surface)
        if widget and self.news.may_leave(widget[0]):
            self.take(surface, widget)
            self.changed(surface, widget[0])

    def take(self, surface, widget):
        self.screen[surface][widget] -= 1
        self.screen[surface] = +self.screen[surface]
        if self.build:
            # The betas of iOS 14.0 went on listing what was removed.
            self.ghosts[surface][widget] += 1

    def configure(self):
        widget = self.one("widget")
        if widget and widget[2]:
            self.screen["widget"][widget] -= 1
            edited = (*widget[:3], self.random.choice(["aa", "bb", "cc"]))
            self.screen["widget"] = +self.screen["widget"]
            self.screen["widget"][edited] += 1
            self.changed("widget", widget[0])

    def tap(self):
        """Which opens the app; often the widget is a new one."""
        if self.random.random() < 0.2:
            self.place()
            self.pace.wait(1, 90)
        widget = self.one("widget")
        if widget and self.taps:
            self.say("widget_opened", widget=self.named(widget), source="app")
            self.news.used(widget[0])
            if self.random.random() < 0.6:
                self.pace.wait(0.1, 5)
                self.open_app()

    def render(self):
        """Galleries and speculative reloads: proves nothing."""
        self.say("widget_rendered", widget={"kind": self.random.choice(KINDS), "family": self.random.choice(FAMILIES)},
                 source="extension")

    def restart(self):
        self.boots.append(self.pace.now)
        self.ghosts = {surface: Counter() for surface in self.surfaces}
        self.pace.wait(3 * MINUTE, 30 * MINUTE)

    def update_app(self):
        major, minor, patch = map(int, self.app_version.split("."))
        self.app_version = f"{major}.{minor + 1}.{patch}"
        if self.random.random() < 0.15:
            # An update that takes a kind away from its users.
            kind = self.random.choice(KINDS)
            if self.news.may_leave(kind):
                for widget in [widget for widget in self.screen["widget"] if widget[0] == kind]:
                    del self.screen["widget"][widget]
                self.changed("widget", kind)
        self.policy = self.random.choice([None, 1, 2])

    def update_system(self):
        later = [version for version in VERSIONS if version > self.version]
        if later:
            self.version, self.build = self.random.choice(later), None
            self.restart()

    def delete_app(self):
        for surface in self.surfaces:
            if self.version in HAUNTED or self.build:
                self.ghosts[surface] += self.screen[surface]
            self.screen[surface] = Counter()
            self.life.mark(self.pace.now, surface, {})
        self.today.clear()
        self.life.mark(self.pace.now, "today", {})

    def reinstall(self):
        if not self.life.messages:
            # A device of which nothing was heard before is not known: its first list, if it comes late, is believed (R5).
            self.open_app()
        self.delete_app()
        self.pace.wait(MINUTE, self.random.choice([5 * MINUTE, 3 * DAY]))
        if self.random.random() < 0.15:
            # Between the deletion and the first launch, which is no boot since it.
            self.restart()
        if self.pace.now < self.pace.end:
            self.begin_installation()
            if self.random.random() < 0.7:
                self.pace.wait(2, 5 * MINUTE)
                self.open_app()

    def change_phone(self):
        """The id is lost: a restored backup, whose widgets are real, or a keychain that was reset, beside ghosts."""
        screen = {surface: Counter(held) for surface, held in self.screen.items()}
        if self.random.random() < 0.5:
            self.delete_app()
        else:
            for surface in self.surfaces:
                self.life.mark(self.pace.now, surface, {})
            self.screen, self.ghosts = screen, {surface: Counter() for surface in self.surfaces}
            self.boots = [self.pace.now]
            self.pace.wait(5 * MINUTE, 2 * DAY)
        if self.pace.now >= self.pace.end:
            return
        # A device never seen before whose first list comes late is believed (R5, a known limit): this one's comes at once.
        self.knows_launch = True
        self.begin_life()
        self.pace.wait(1, 5 * MINUTE)
        for surface in self.surfaces:
            self.read(surface, fails=False)

    # What the app says.

    def open_app(self):
        for surface in self.surfaces:
            self.read(surface, fails=self.random.random() < 0.08)

    def read(self, surface, fails):
        if fails:
            self.say("widgets_reported", surface=surface, error={"domain": "CHSErrorDomain", "code": 1101})
            return
        listed = self.screen[surface] + self.ghosts[surface]
        before, self.listed[surface] = self.listed[surface], Counter(listed)
        if self.differs == "before":
            self.tell_difference(surface, before, listed)
            self.pace.wait(0.2, 8)
        widgets = [{**self.described(widget, surface), **({"count": count} if count > 1 else {})}
                   for widget, count in sorted(listed.items(), key=str)]
        message = self.say("widgets_reported", surface=surface, source="app", widgets=widgets)
        if surface == "widget":
            self.news = News()
        self.life.mark(self.pace.now, surface, self.held(surface), None, message)
        if self.differs == "after":
            self.pace.wait(0.2, 8)
            self.tell_difference(surface, before, listed)

    def tell_difference(self, surface, before, listed):
        """Some apps take what was not there before the first list for nothing, some for an empty list."""
        if before is None:
            before = Counter() if self.name.endswith(("1", "3", "5", "7", "9")) else listed
        for type, widgets in (("widget_installed", listed - before), ("widget_removed", before - listed)):
            for widget in sorted(widgets.elements(), key=str):
                self.say(type, surface=surface, widget=self.named(widget), source="app")

    def described(self, widget, surface="widget"):
        parts = dict(zip(("kind", "family", "intent", "configuration"), widget))
        if surface == "control":
            # Tokens rotate: no identity.
            parts["instance"] = f"{self.random.getrandbits(32):08x}"
        return {name: part for name, part in parts.items() if part is not None}

    def named(self, widget):
        """As much as this app says of a widget in an event."""
        described = self.described(widget)
        if self.names == "kind":
            return {"kind": described["kind"]}
        if self.names == "family":
            return {name: described[name] for name in ("kind", "family") if name in described}
        return described
