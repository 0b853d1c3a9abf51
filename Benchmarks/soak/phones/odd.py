"""Phones whose story no rule fits: what they say must be counted alike however it comes, and stop nothing.

None of them is judged by a truth: they have none.
"""

import itertools

from .apple import ApplePhone
from .life import DAY, Life, Pace

TYPES = ["widgets_reported"] * 5 + ["widget_installed", "widget_removed", "widget_configured", "widget_opened",
                                    "widget_rendered", "widgets_restored"]
KINDS = ["weather", "search", "weather ", "Weather", "wetter ☂", "'; drop table census.span; --", "a\tb\\n", "e\u0301", "\u00e9"]
# 200 characters in 500 bytes and no repetition: PostgreSQL can't compress them.
LONGEST = 500


def dice(random, app, name, start, end):
    """Any event of any type, surface and platform, from installations that come back, at times that repeat."""
    life = Life(app, name, judged=False)
    pace, instances = Pace(random, start + random.uniform(0, 20) * DAY, end, random.random() < 0.3), itertools.count(1)
    platform = random.choice(["ios", "android", "android", "ios", "watchos"])
    installations = [f"{name}-i{number}" for number in range(random.randint(1, 4))]
    installation, launched, version = installations[0], pace.now, 1
    while pace.pass_by():
        if random.random() < 0.05:
            installation, launched = random.choice(installations), pace.now - random.choice([0, 60, 900, 4 * DAY])
        if random.random() < 0.02:
            platform = random.choice(["ios", "android"])
        version += random.random() < 0.03
        if random.random() < 0.1:
            pace.now -= random.choice([0.1, 30])
        said = {"id": installation}
        if random.random() < 0.8:
            said["first_launched_at"] = launched
        if random.random() < 0.4:
            said["rebooted"] = random.random() < 0.4
        context = {"version": f"1.{version}", "installation": said,
                   "device": {"platform": platform, "os_version": random.choice(["14.3", "17.2", "17.2.1", "16"])}}
        if random.random() < 0.03:
            context["channel"] = "debug"
        life.say(pace.now, context, **dice_event(random, instances))
        if random.random() < 0.05:
            life.boots.append(pace.now + random.choice([-200, 0, 200]))
    life.tells_boot_time = random.random() < 0.7
    return [life]


def dice_event(random, instances):
    type = random.choice(TYPES)
    event = {"type": type}
    if random.random() < 0.25:
        event["surface"] = random.choice(["control", "live_activity", "today"])

    def widget():
        parts = {"kind": random.choice(KINDS)}
        for name, values in (("family", ["systemSmall", "systemMedium"]), ("intent", ["CityIntent", "MapIntent"]),
                             ("configuration", ["aa", "bb"]), ("instance", [str(random.randint(1, 9))])):
            if random.random() < 0.45:
                parts[name] = random.choice(values)
        return parts
    if type == "widgets_restored":
        event["instances"] = {str(random.randint(1, 9)): str(random.randint(1, 12)) for _ in range(random.randint(0, 3))}
    elif type != "widgets_reported":
        event["widget"] = widget()
    elif random.random() < 0.1:
        event["error"] = {"domain": "d", "code": random.randint(-5, 2 ** 40)}
    else:
        event["widgets"] = [{**widget(), "count": random.choice([1, 1, 1, 2, 3, 1000])} for _ in range(random.choice([0, 1, 1, 2, 4]))]
    return event


def clones(random, app, name, start, end):
    """A backup that holds the ids, on two phones: both go on as one device."""
    lives = [phone.live()[0] for phone in (ApplePhone(random, app, name, start, end) for _ in range(2))]
    for number, life in enumerate(lives):
        life.judged = False
        for message in life.messages:
            message.id += "-" + "ab"[number]
    return lives


def liar(random, app, name, start, end):
    """An app that takes a failed read for an empty list."""
    lives = ApplePhone(random, app, name, start, end).live()
    for life in lives:
        life.judged = False
        for message in life.messages:
            if "error" in message.body:
                del message.body["error"]
                message.body["widgets"] = []
    return lives


def giant(random, app, name, start, end):
    """Strings as long as they may be, that do not compress."""
    def long():
        text = "".join(chr(random.choice([random.randint(0x4E00, 0x9FFF), random.randint(0x21, 0x7E)])) for _ in range(200))
        while len(text.encode()) > LONGEST:
            text = text[:-1]
        return text
    life, pace = Life(app, name, judged=False), Pace(random, start + random.uniform(0, 30) * DAY, end)
    kinds, families, version, system = [long(), long()], [long(), long()], long(), long()
    while pace.pass_by():
        context = {"version": version, "installation": {"id": f"{name}-i", "first_launched_at": start},
                   "device": {"platform": "ios", "os_version": system, "os_build": long()}}
        widgets = [{"kind": kind, "family": family, "intent": long(), "configuration": long()}
                   for kind in kinds for family in families if random.random() < 0.7]
        life.say(pace.now, context, "widgets_reported", widgets=widgets, source=long())
        pace.wait(DAY, 5 * DAY)
    return [life]


def hoarder(random, app, name, start, end):
    """Who collects widgets, and sends seldom and much."""
    life = Life(app, name, judged=False, hoards=True)
    pace, shelf = Pace(random, start + random.uniform(0, 20) * DAY, end), []
    context = {"version": "1.0", "device": {"platform": "ipados", "os_version": "18.1"}, "installation": {"id": name + "-i"}}
    while pace.pass_by() and len(life.messages) < 700:
        shelf += [{"kind": f"shelf {random.randrange(40)}", "family": random.choice(["systemSmall", "systemLarge"]),
                   "configuration": f"{random.getrandbits(24):06x}"} for _ in range(random.choice([0, 3, 40]))]
        shelf = random.sample(shelf, min(len(shelf), random.choice([600, 900])))
        life.say(pace.now, context, "widgets_reported", widgets=list(shelf))
        for _ in range(random.choice([0, 40])):
            pace.now += 0.1
            life.say(pace.now, context, "widget_opened", widget={"kind": f"shelf {random.randrange(40)}"})
        pace.wait(0, DAY)
    return [life]
