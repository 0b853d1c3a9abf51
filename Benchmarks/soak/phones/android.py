"""Android phones: instances, phantoms that no one sees on a screen, restores that rename."""

import itertools

from .life import DAY, MINUTE, Life, News, Pace

KINDS = ["com.example.ForecastWidget", "com.example.ClockWidget", "com.example.ListWidget"]


class AndroidPhone:
    def __init__(self, random, app, name, start, end, without=frozenset()):
        self.random, self.app, self.name, self.without = random, app, name, without
        self.pace = Pace(random, start + random.uniform(0, 12) * DAY, end,
                         random.random() < 0.25 and "silence" not in without)
        self.version = random.choice(["12", "13.0", "14", "16"])
        self.skew = random.choice([0] * 8 + [-7_200]) if "skews" not in without else 0
        self.has_family = random.random() < 0.3
        self.says_instance = random.choice([1, 0.6]) if "names" not in without else 1
        self.hears_callbacks = random.choice([1, 0.9])
        self.boot_form = random.choice(["rebooted", "none"])
        self.ids = itertools.count(random.randint(1, 40))
        # instance → (kind, family)
        self.screen, self.phantoms, self.news = {}, {}, News()
        self.boots = [start - DAY]
        self.app_version, self.lives, self.reinstalls = "20.1.0", [], 0

    def live(self):
        self.begin_life()
        restores = 0 if "android-restores" in self.without else 2
        while self.pace.pass_by():
            self.random.choices(
                [self.place, self.remove, self.cancel, self.open_app, self.tap, self.render, self.restart, self.update_app,
                 self.restore_layout, self.reinstall, self.change_phone],
                [9, 6, 2, 18, 10, 4, 2, 2, restores, 2, 0.6])[0]()
        return self.lives

    def begin_life(self):
        self.life = Life(self.app, f"{self.name}-{len(self.lives)}", skew=self.skew, boots=self.boots)
        self.lives.append(self.life)
        self.begin_installation()

    def begin_installation(self):
        self.reinstalls += 1
        self.installation, self.launched = f"{self.name}-i{self.reinstalls}", self.pace.now

    def say(self, type, **content):
        installation = {"id": self.installation, "first_launched_at": self.launched}
        if self.boot_form == "rebooted":
            installation["rebooted"] = self.boots[-1] > self.launched
        context = {"version": self.app_version, "device": {"platform": "android", "os_version": self.version},
                   "installation": installation}
        return self.life.say(self.pace.now, context, type, **content)

    def held(self):
        return {(kind, family, str(instance)): 1 for instance, (kind, family) in self.screen.items()}

    def changed(self, kind, message):
        self.life.mark(self.pace.now, "widget", self.held(), kind, message)

    def described(self, instance, names_instance=True):
        kind, family = self.screen.get(instance) or self.phantoms[instance]
        described = {"kind": kind}
        if names_instance:
            described["instance"] = str(instance)
        return {**described, "family": family} if family else described

    def callback(self, type, widget):
        """The provider's: some are lost, and the next list tells."""
        return self.say(type, widget=widget) if self.random.random() < self.hears_callbacks else None

    def place(self):
        instance = next(self.ids)
        self.screen[instance] = (self.random.choice(KINDS), "4x2" if self.has_family else None)
        self.news.placed(self.screen[instance][0])
        self.changed(self.screen[instance][0], self.callback("widget_installed", self.described(instance)))

    def remove(self):
        if self.screen:
            instance = self.random.choice(sorted(self.screen))
            if not self.news.may_leave(self.screen[instance][0]):
                return
            described = self.described(instance)
            kind = self.screen.pop(instance)[0]
            self.changed(kind, self.callback("widget_removed", described))

    def cancel(self):
        """A configuration screen that was cancelled leaves its id in the list."""
        self.phantoms[next(self.ids)] = (self.random.choice(KINDS), "4x2" if self.has_family else None)

    def open_app(self):
        if self.random.random() < 0.05:
            self.say("widgets_reported", error={"domain": "DeadObjectException", "code": 1})
            return
        widgets = [self.described(instance) for instance in sorted([*self.screen, *self.phantoms])]
        message = self.say("widgets_reported", widgets=widgets)
        self.news = News()
        self.life.mark(self.pace.now, "widget", self.held(), None, message)

    def tap(self):
        if self.screen:
            instance = self.random.choice(sorted(self.screen))
            names_instance = self.random.random() < self.says_instance
            type = self.random.choice(["widget_opened", "widget_opened", "widget_configured"])
            self.say(type, widget=self.described(instance, names_instance))
            self.news.used(self.screen[instance][0])

    def render(self):
        if self.screen or self.phantoms:
            instance = self.random.choice(sorted([*self.screen, *self.phantoms]))
            self.say("widget_rendered", widget=self.described(instance))

    def restart(self):
        self.boots.append(self.pace.now)
        self.pace.wait(3 * MINUTE, 30 * MINUTE)

    def update_app(self):
        self.app_version = f"20.{int(self.app_version.split('.')[1]) + 1}.0"

    def restore_layout(self):
        """The launcher brings its layout back: every id is another one now."""
        renamed = {instance: next(self.ids) for instance in [*self.screen, *self.phantoms]}
        if renamed:
            self.screen = {renamed[instance]: widget for instance, widget in self.screen.items()}
            self.phantoms = {renamed[instance]: widget for instance, widget in self.phantoms.items()}
            self.say("widgets_restored", instances={str(old): str(new) for old, new in renamed.items()})

    def reinstall(self):
        self.phantoms.update(self.screen if self.random.random() < 0.3 else {})
        self.screen = {}
        self.life.mark(self.pace.now, "widget", {})
        self.pace.wait(MINUTE, 2 * DAY)
        if self.pace.now < self.pace.end:
            self.begin_installation()

    def change_phone(self):
        """A backup on another phone: some of what it brings back is on no screen."""
        if "android-restores" in self.without:
            return
        self.life.mark(self.pace.now, "widget", {})
        old = dict(self.screen)
        self.pace.wait(5 * MINUTE, 2 * DAY)
        if self.pace.now >= self.pace.end:
            return
        self.screen, self.phantoms, renamed = {}, {}, {}
        for instance, widget in old.items():
            renamed[instance] = next(self.ids)
            (self.phantoms if self.random.random() < 0.3 else self.screen)[renamed[instance]] = widget
        # To this phone's first list they are as new as if they had been placed by hand.
        self.news = News()
        for kind, _ in self.screen.values():
            self.news.placed(kind)
        self.boots = [self.pace.now - MINUTE]
        self.begin_life()
        if renamed:
            self.say("widgets_restored", instances={str(old): str(new) for old, new in renamed.items()})
