"""Strings that trouble SQL, COPY, JSON, terminals and hash tables."""

import gzip
import json
import random
import threading
import time

from harness.journal import spelled
from harness.load import Client

from .target import APP

NAUGHTY = [
    "\t", "\n", "\r\n", "\\", "\\N", "\\.", "\n\\.\n", '"', "'", "''", "$1", "$$", "%s", "{}", "null", "NULL", "∅",
    "undefined", "NaN", "-1", "1e400", "0x0", "true", "'; drop table census.observation; --", "' or 1=1 --",
    "') ; create table census.pwned (); --", "$body$; drop schema report cascade; $body$", "E'\\x00'", "U&'\\0000'",
    "\\u0000", "\\x00", "%00", "<script>alert(1)</script>", "=cmd|' /C calc'!A0", "../../../etc/passwd", "${jndi:ldap://x}",
    "{{7*7}}", "\x01\x1f\x7f", "\x80\x9f", "caf\u00e9", "cafe\u0301", "日本語", "🇨🇿👩🏽‍🚀", "עברית", "\u202eabc", "\ufeff",
    "\u2028\u2029", "\ud7ff", "\ue000", "\uffff", "\ufffe", "\U0010ffff", " ", "  x  ", "ﷺ", "İ", "ß", "Z̮̞̠͙͔ͅA", "(other)"]
PLANES = [(1, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF)]
BATCH = 500
# Distinguishes our events from those of other attacks.
VERSION = "strings"


def strings(target, verdict, options):
    """100,000 events with random id, kind and family are read back from PostgreSQL byte for byte, and no object is created"""
    chance, count = random.Random(options.seed), 5_000 if options.quick else 100_000
    objects, sent = target.sql(OBJECTS), []
    errors = target.database_errors()
    # One event per millisecond, so its time identifies it.
    begun = int(time.time() * 1_000) - count
    client = Client(target.service.port)
    while len(sent) < count:
        first = len(sent)
        sent += [(_text(chance, 1, 100), _text(chance, 1, 200), _text(chance, 0, 200)) for _ in range(BATCH)]
        status, text = _post(client, target, chance, sent[first:], begun + first)
        verdict.expect(status == 202 and json.loads(text) == {"accepted": BATCH, "rejected": []},
                       f"{status} {text[:300]}")
    client.close()
    rows = target.sql(EVENTS % (begun, begun + count))
    stored = {int(at): tuple(bytes.fromhex(text) for text in texts) for at, *texts in rows}
    wanted = {begun + number: tuple(text.encode() for text in texts) for number, texts in enumerate(sent)}
    different = sum(stored.get(at) != texts for at, texts in wanted.items())
    names = {(row[0], bytes.fromhex(row[1])) for row in target.sql(NAMES)}
    missing = {("kind", kind) for _, kind, _ in wanted.values()} - names
    missing |= {("family", family) for _, _, family in wanted.values() if family} - names
    verdict.figure("strings", 3 * count)
    verdict.figure("different", different)
    verdict.expect(different == 0 and len(stored) == count, f"{different} of {count} differ, {len(stored)} are stored")
    verdict.expect(not missing, f"{len(missing)} names are not stored with these bytes: {list(missing)[:3]}")
    verdict.expect(target.sql(OBJECTS) == objects, "the database's objects have changed")
    new = target.database_errors()[len(errors):]
    verdict.expect(not new, f"PostgreSQL's log: {new[:3]}")


def look_alikes(target, verdict, options):
    """reports of 1,000 names that Unicode considers equal: decoded as quickly as others, and /livez answers meanwhile"""
    client, watcher, plain = Client(target.service.port), Client(target.service.port), None
    for name, spellings in (("plain", "ab"), ("look-alikes", ("\u00e9", "e\u0301"))):
        kinds = ["".join(spellings[number >> place % 10 & 1] for place in range(60)) for number in range(1_000)]
        now = spelled(time.time())
        widgets = [{"kind": kind} for kind in kinds]
        events = [{"id": f"{name} {number}", "type": "widgets_reported", "at": now, "widgets": widgets}
                  for number in range(2)]
        answers, waited = [], 0
        posting = threading.Thread(target=lambda: answers.append(_send(client, target, name, events)))
        begun = time.monotonic()
        posting.start()
        while posting.is_alive():
            answer, _ = watcher.request("GET", "/livez")
            waited = max(waited, answer.took)
            posting.join(0.01)
        verdict.expect(answers[0][0] == 202, f"{name}: {answers[0]}")
        took = time.monotonic() - begun
        verdict.at_most(name, took, max(1, 5 * plain) if plain else 10)
        verdict.at_most("/livez", waited, 1)
        plain = plain or took
    client.close()
    watcher.close()


def _text(chance, least, most):
    """Mostly short strings, now and then as long as allowed."""
    length = most if chance.random() < 0.01 else min(most, least + int(chance.expovariate(1 / 8)))
    text = ""
    while len(text) < length:
        if chance.random() < 0.2:
            text += chance.choice(NAUGHTY)
        else:
            text += chr(chance.randint(*chance.choice(PLANES)))
    return text[:length]


def _post(client, target, chance, texts, begun):
    events = [
        {"id": id, "type": "widget_opened", "at": spelled((begun + number) / 1_000),
         "widget": {"kind": kind, "family": family}}
        for number, (id, kind, family) in enumerate(texts)]
    # As characters or as \uXXXX.
    return _send(client, target, f"strings-{begun}", events, chance.random() < 0.5, chance.random() < 0.5)


def _send(client, target, device, events, escapes=True, compresses=True):
    batch = {"sent_at": spelled(time.time()), "app": {"id": APP, "version": VERSION}, "events": events,
             "device": {"id": device, "platform": "android"}, "installation": {"id": device}}
    body = json.dumps(batch, ensure_ascii=escapes).encode()
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + target.key}
    if compresses or len(body) > 1 << 20:
        body, headers["Content-Encoding"] = gzip.compress(body, 1), "gzip"
    answer, text = client.request("POST", "/v1/events", body, headers)
    return answer.status, text


EVENTS = """
select round(extract(epoch from occurred_at) * 1000)::bigint, encode(convert_to(event_id, 'UTF8'), 'hex'),
    encode(convert_to(content->'widget'->>'kind', 'UTF8'), 'hex'),
    encode(convert_to(content->'widget'->>'family', 'UTF8'), 'hex')
from census.observation
where app_version = 'strings' and type = 'widget_opened' and occurred_at >= to_timestamp(%d / 1000.0)
    and occurred_at < to_timestamp(%d / 1000.0)
"""
NAMES = """
select dimension, encode(convert_to(name, 'UTF8'), 'hex') from census.known_name where dimension in ('kind', 'family')
"""
# A new day's partition can be created meanwhile.
OBJECTS = """
select 'relation', count(*), md5(string_agg(oid::text || relname, ',' order by oid)) from pg_class
where not relispartition and relname !~ '^pg_(toast|temp)' and relpersistence = 'p'
union all select 'function', count(*), md5(string_agg(oid::text || proname, ',' order by oid)) from pg_proc
union all select 'schema', count(*), null from pg_namespace where nspname !~ '^pg_(toast|temp)'
union all select 'role', count(*), null from pg_roles
"""
