"""Requests with a key that anybody can extract from an app: bodies that are not batches, endless kinds, replays.

Each is a request with its allowed answers; none of them is an internal error.
"""

import gzip
import json

from .life import DAY

AWAY = {0, 429, 503}


def request(random, app, name, now, spelled):
    """- Returns: method, path, headers, body, and the allowed statuses, not counting those of an outage."""
    draw = random.choice(ALL)
    return draw(random, app, name, now, spelled)


def batch(app, name, now, spelled, events, **more):
    return {"sent_at": spelled(now), "app": {"id": app, "version": "1"}, "device": {"id": name, "platform": "ios"},
            "installation": {"id": name + "-i"}, "events": events, **more}


def post(body, allowed, **headers):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return "POST", "/v1/events", {"Content-Type": "application/json", **headers}, body, allowed


def not_json(random, app, name, now, spelled):
    text = json.dumps(batch(app, name, now, spelled, []))
    broken = bytearray(text.encode())
    for _ in range(random.randint(1, 4)):
        broken[random.randrange(len(broken))] = random.randrange(256)
    return post(bytes(broken), {400, 403, 422})


def bomb(random, app, name, now, spelled):
    return post(gzip.compress(b" " * (9 << 20)), {413}, **{"Content-Encoding": "gzip"})


def torn_gzip(random, app, name, now, spelled):
    whole = gzip.compress(json.dumps(batch(app, name, now, spelled, [])).encode())
    return post(whole[:random.randrange(1, len(whole))], {400}, **{"Content-Encoding": "gzip"})


def endless_kinds(random, app, name, now, spelled):
    events = [{"id": f"{name}-{random.getrandbits(40)}", "type": "widgets_reported", "at": spelled(now),
               "widgets": [{"kind": f"k{random.getrandbits(40)}"} for _ in range(20)]}]
    return post(batch(app, name, now, spelled, events), {202, 422})


def odd_times(random, app, name, now, spelled):
    times = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", spelled(now - 400 * DAY), spelled(now + 30 * DAY), "yesterday", 7,
             spelled(now)]
    events = [{"id": f"{name}-{random.getrandbits(40)}", "type": "widgets_reported", "at": random.choice(times), "widgets": []}
              for _ in range(3)]
    return post(batch(app, name, now, spelled, events, sent_at=random.choice([spelled(now), spelled(now + 9 * DAY)])), {202, 422})


def same_id(random, app, name, now, spelled):
    """One id and time with another content each time: the first content stays."""
    at = spelled(now - 3_600 - now % 3_600)
    events = [{"id": f"{name}-same", "type": "widgets_reported", "at": at, "widgets": [{"kind": f"k{random.randrange(4)}"}]}]
    return post(batch(app, name, now, spelled, events), {202, 422})


def wrong_key(random, app, name, now, spelled):
    return post(batch(app, name, now, spelled, []), {401, 403}, Authorization="Bearer nobody's")


def wrong_path(random, app, name, now, spelled):
    return random.choice([("GET", "/v1/events", {}, b"", {405}), ("POST", "/v2/events", {}, b"{}", {404}),
                          ("PUT", "/v1/device", {}, b"", {405}), ("GET", "/", {}, b"", {303})])


def gallery(random, app, name, now, spelled):
    return "GET", "/v1/gallery-policy", {"Census-Device": name}, None, {200}


def forget(random, app, name, now, spelled):
    """An erasure while events of the same device are in progress."""
    return "DELETE", "/v1/device", {"Census-Device": name}, None, {204}


ALL = [not_json, bomb, torn_gzip, endless_kinds, endless_kinds, odd_times, odd_times, same_id, same_id, same_id, wrong_key,
       wrong_path, gallery, forget]
