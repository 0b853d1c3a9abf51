"""What schemathesis must know beyond docs/reference/openapi.yaml: our app, the present time, and how batches are answered."""

import gzip
import json
import os
import uuid
from datetime import datetime, timedelta, timezone

import schemathesis

APP = os.environ["ATTACK_APP"]
# Every request already has the write key.
KEYS = json.loads(os.environ["ATTACK_KEYS"])
RELEASES = ("/v1/manifests", "/v1/preflight", "/v1/acknowledgements")
BATCHES = ("/v1/events", "/v1/validate")
FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"


def is_valid(case):
    """Whether the case conforms to the specification, including its method."""
    generated = case.meta.generation.mode.is_positive if case.meta else False
    return generated and case.method.upper() == case.operation.method.upper()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Sets the key's app and the time, which a schema can't express."""
    roles = roles_of(case.operation)
    if roles and "write" not in roles:
        kwargs["auth"] = with_key(KEYS[roles[0]])
    if is_valid(case) and case.operation.path == "/v1/preflight" and not isinstance(case.body, dict):
        # Without a manifest, there is a kind to drop, and nothing that only a manifest can have.
        given = {name: value for name, value in (case.query or {}).items() if name not in ("app", "file")}
        if given.get("format") == "sarif":
            del given["format"]
        case.query = {"drop": "weather"} | given
    if is_valid(case) and case.operation.path == "/v1/acknowledgements":
        acknowledge(case)
    if not is_valid(case) or not isinstance(case.body, dict):
        return
    if case.operation.path in RELEASES:
        case.body = releasable(case.body)
    if case.operation.path == "/v1/acknowledgements":
        return
    if case.operation.path in RELEASES:
        # Instead of a manifest, and only of a kind that the app has.
        case.query = {name: value for name, value in (case.query or {}).items() if name not in ("drop", "family", "app")}
        return
    if case.headers and case.headers.get("Content-Encoding") == "gzip":
        kwargs["auth"] = compressed
    if case.operation.path not in BATCHES:
        return
    body, now = fitted(case.body), datetime.now(timezone.utc)
    body["sent_at"] = now.strftime(FORMAT)
    body["app"]["id"] = APP
    for number, event in enumerate(body["events"]):
        event["at"] = (now - timedelta(seconds=number)).strftime(FORMAT)
    case.body = body


def acknowledge(case):
    """Gives the query what belongs together: a day, and either a manifest, a kind to drop with its release, or a withdrawal."""
    query = {name: value for name, value in (case.query or {}).items() if name not in ("drop", "family", "release", "app")}
    query["until"] = (datetime.now(timezone.utc) + timedelta(days=30)).strftime("%Y-%m-%d")
    if not isinstance(case.body, dict):
        query |= {"drop": "weather", "release": "9.9"}
    elif str(query["max_loss"]) == "0":
        query["max_loss"] = 1
    case.query = query


def fitted(value):
    """Cuts texts and keys to 500 bytes, which a schema can't count."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")[:500].decode("utf-8", "ignore")
    if isinstance(value, list):
        return [fitted(element) for element in value]
    if isinstance(value, dict):
        return {fitted(key): fitted(element) for key, element in value.items()}
    return value


def roles_of(operation):
    """The roles of the keys that the operation accepts, by its `security`."""
    return [role for either in operation.definition.raw.get("security", []) for role in either.get("key", [])]


def with_key(key):
    """Replaces a valid key by this one."""
    def change(request):
        if request.headers.get("Authorization", "").startswith("Bearer wc_write_"):
            request.headers["Authorization"] = f"Bearer {key}"
        return request
    return change


def releasable(manifest):
    """A manifest of our app and of a new version, without errors that a schema can't exclude."""
    kinds = {}
    for kind in fitted(manifest)["kinds"]:
        kind["families"] = list(dict.fromkeys(kind.get("families") or []))
        intent = kind.get("intent")
        kind["migrates_from"] = [
            former for former in dict.fromkeys(kind.get("migrates_from") or []) if intent and former != intent]
        if kind.get("replaces") == kind["kind"]:
            kind["replaces"] = None
        kinds.setdefault((kind.get("surface") or "widget", kind["kind"]), kind)
    return {"app": {"id": APP, "version": str(uuid.uuid4())}, "kinds": list(kinds.values())}


def compressed(request):
    request.body = gzip.compress(request.body if isinstance(request.body, bytes) else request.body.encode())
    request.headers["Content-Length"] = str(len(request.body))
    return request


def sent_events(response):
    """How many elements `events` has; None if the body is not JSON with such a list."""
    body = response.request.body or b""
    try:
        if response.request.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        events = json.loads(body)["events"]
    except (ValueError, TypeError, KeyError, OSError, EOFError):
        return None
    return len(events) if isinstance(events, list) else None


@schemathesis.check
def no_event_is_forgotten(context, response, case):
    """Checks that each event of a batch is accepted, or named with its reason."""
    if case.operation.path not in BATCHES or response.status_code not in (202, 422):
        return
    answer, sent = response.json(), sent_events(response)
    assert sent is not None, "a body that is not a batch was accepted"
    refused = [event["index"] for event in answer.get("rejected", [])]
    assert refused == sorted(set(refused)) and all(0 <= index < sent for index in refused), "wrong indices"
    if response.status_code == 202:
        assert answer["accepted"] + len(refused) == sent, "events are missing in the response"
    elif answer["code"] == "all_refused":
        assert len(refused) == sent, "refused events are missing in the response"
    else:
        assert answer["code"] == "no_events" and sent == 0, f"code {answer['code']}"


@schemathesis.check
def what_is_valid_is_taken(context, response, case):
    """Checks that a valid request is not refused."""
    # Pages need a session.
    if not is_valid(case) or case.operation.path.startswith("/console"):
        return
    if case.operation.path == "/":
        assert response.status_code == 303, "/ does not lead to the console"
    elif case.operation.path in BATCHES:
        assert response.status_code == 202, "a valid batch was refused"
        assert response.json()["rejected"] == [], "a valid event was refused"
    elif case.operation.path == "/v1/manifests":
        assert response.status_code == 201, "a valid manifest was refused"
    elif response.status_code == 400 and case.operation.path.startswith("/v1/reports/"):
        # A schema can't say which reports have kinds or days.
        assert {"kind", "since", "until"} & set(case.query or ()), "a report was refused"
        assert response.json()["message"].startswith("this report has no "), "a report was refused"
    elif case.operation.path == "/v1/acknowledgements":
        # A schema can't say what preflight finds.
        assert response.status_code in (200, 201, 404, 409), "a valid acknowledgement was refused"
    elif case.operation.path == "/v1/preflight" and response.status_code == 404:
        # A schema can't say which kinds the app has, and which families they have.
        codes = {"unknown_kind", "unknown_family"}
        assert "drop" in case.query and response.json()["code"] in codes, "a valid request was refused"
    elif not is_blank(response.request.headers.get("Census-Device", "-")):
        assert response.status_code in (200, 204, 304), "a valid request was refused"


def is_blank(value):
    """Whether the value has only spaces, which HTTP strips."""
    return not (value.decode("latin-1") if isinstance(value, bytes) else value).strip(" \t")
