// Made by scripts/generate-schemas from docs/contract.md. Do not edit.
// swift-format-ignore-file

/// What the service takes and answers, for people.
enum ContractPage {
    static let text = ##"""
        # The contract at the door, v1

        Other people's clients depend on this page. It changes only by addition. For programs: [openapi.yaml](openapi.yaml), every path with its
        headers, bodies and answers. The service serves both to anybody, as `/contract.md` and `/openapi.json`.

        ## POST /v1/events

        `Authorization: Bearer <write key>`, `Content-Type: application/json`, optionally `Content-Encoding: gzip`.

        ```json
        {
          "sent_at": "2026-11-21T10:00:00.250Z",
          "app": {"id": "com.example.weather", "version": "20.12.1", "channel": "production"},
          "device": {"id": "6F1D…", "platform": "ios", "os_version": "14.3"},
          "installation": {"id": "A0C2…", "first_launched_at": "2026-11-20T18:03:10Z", "rebooted": false},
          "gallery_policy": 17,
          "events": [
            {"id": "0193…", "type": "widgets_reported", "at": "2026-11-21T09:59:58Z", "surface": "widget", "source": "app",
             "widgets": [{"kind": "weather", "family": "systemSmall", "intent": "CityIntent", "configuration": "9f2c"},
                         {"kind": "search", "family": "systemMedium", "count": 2}]},
            {"id": "…", "type": "widgets_reported", "at": "…", "error": {"domain": "CHSErrorDomain", "code": 1101}},
            {"id": "…", "type": "widget_installed", "at": "…", "widget": {"kind": "weather", "family": "systemSmall"}}
          ]
        }
        ```

        A batch comes from one installation in one context. These may be absent or null: `channel` (default `production`; anything else is kept
        and never counted), `booted_at`, `rebooted`, `first_launched_at`, `os_version`, `os_build`, `gallery_policy`, `surface` (default `widget`;
        `control`, `live_activity`, `today`), `source`, `family`, `intent`, `configuration`, `instance`, `count` (default 1).
        `count` belongs to the widgets of a report: any other event is about one widget, and a `count` in it is ignored.
        Unknown fields are ignored; if an object repeats a key, the first one wins; `1.0` is the whole number 1.

        | field | how to get it right |
        |---|---|
        | `device.id` | survives a reinstall (iOS: keychain, this device only). Hashed at the door, never stored. No white space at its ends and no control character, so that a header can carry it |
        | `installation.id` | new after every reinstall, and kept out of backups. The same characters are allowed as in a device's |
        | `first_launched_at` | the app's first launch in this installation, not the SDK's (iOS: creation date of the documents folder) |
        | `rebooted` | whether the device has restarted since `first_launched_at`: keep an id of the boot at the first launch (Android: `Settings.Global.BOOT_COUNT`; Darwin: `kern.bootsessionuuid`, where it can be read), and compare. It is noted with each event, when the event happens: events from before and after a restart go into different batches. Unknown: leave it out |
        | `booted_at` | the start of the device, read when sending. **Not from iOS apps**: Apple's required-reason rules (35F9.1, 8FFB.1) let no boot time leave the device; send `rebooted`. Where the two disagree, `rebooted` stands |
        | `sent_at` | stamped again at every attempt |
        | an event's `id` | 1-100 characters, a UUID where possible; the same at every attempt |

        A client that had to drop events, because a phone was offline for too long, may say how many since its last batch that arrived: `"evicted": 50`, beside
        `events`. The door ignores it, like everything that it does not know; it helps people who inspect a phone's traffic. A batch whose answer was lost repeats it.

        Event types: `widgets_reported` with `widgets`, or with `error` when the list could not be read: **a failed read is never an
        empty list**; `widget_installed`, `widget_removed`, `widget_configured`, `widget_opened`, `widget_rendered` with `widget`;
        `widgets_restored` with `"instances": {"old": "new"}`.

        Times are RFC 3339 with a zone. If `sent_at` and the server's clock differ by more than 5 minutes, all times of the batch are
        shifted by the difference. An event is identified by device, `id` and `at` as sent; of several deliveries the first one stands.

        ## Answers

        | status | when | what a client does |
        |---|---|---|
        | 202 | `{"accepted": 2, "rejected": [{"index": 1, "id": "…", "code": "too_old", "message": "…"}]}`: the accepted events are durable: committed, or, where the operator has switched on a [spool](runbook.md#a-spool), synced to the node's disk. A redelivered event counts as accepted | drops the batch |
        | 400, 415, 422 | not JSON or not this envelope; wrong type or encoding; no event, or every one refused | drops the batch |
        | 413 | too large or too many | halves it |
        | 401, 403 | no key; a key that is unknown, revoked, another app's, or has another role | keeps it |
        | 408, 503 (`Retry-After`), silence | too slow; the store is away or too slow, the queue is full, or more is being sent than there is room for (`overloaded`): nothing was acknowledged | sends it again |
        | 429 (`Retry-After`) | this key is over its rate: nothing was accepted | sends it again, after that many seconds |
        | 404, 405 (`Allow`) | no such path; no such method | |

        Every answer has a `Request-Id`, but the 400 for what is no proper HTTP (two lengths, say), which has no body either: the request's own `Request-Id` or `X-Request-Id`, if that is 1-64 of `A-Za-z0-9._-`, else a
        fresh one. The server's log names a failed request by it.

        What one key may send in a second is limited in requests, in events (a report counts once for every widget it lists) and in KiB, inflated. Large
        bodies (more than 16 KiB, inflated) wait for their turn, and keys take turns: many small batches are answered sooner than one large one.

        A head has at most 16 KiB and 100 fields. An HTTP/1.1 request without `Host`, one with two, and any `Transfer-Encoding` but `chunked` get 400, and their
        connection is closed. HTTP/1.0 is answered, and its connection is closed after the answer. If more than 16 requests wait for their answers on one
        connection, it is closed after some of the answers; send the rest again. It is also closed after a chunked body of more than 256 parts that
        hold fewer than 32 bytes each (400).

        Errors are `{"code", "message", "pointer"}`; the pointer is an RFC 6901 pointer into the body. A 422 also lists `rejected`.

        One bad event never sinks its neighbours. Codes of refused events: `invalid_id`, `invalid_time`, `too_old` (more than 90 days, or what the operator has set),
        `in_future` (more than an hour), `unknown_type`, `invalid_widget`, `invalid_report`, `too_long`, `too_many_kinds`.

        A gzip body may have several members. Limits: 1 MiB on the wire, 8 MiB inflated; 1-1,000 events a batch; 1,000 widgets a report; `count` 1-1,000; 200 characters
        and 500 bytes of UTF-8 a string, none of them U+0000 (an event with a longer one is refused as `too_long`, a batch with one around its events gets 400); JSON depth 16; 10 s for a whole request from its first byte, after which it gets 408 or its connection ends; 1,000 kinds and 100 families an app. Kinds and families in a [manifest](#post-v1manifests) and WidgetKit's own families don't count against these two. Families and versions are never refused: new families past the limit, and
        new versions past 2,000 of an app and 500 of its OS (major and minor), are stored and counted together as `(other)`.

        ## POST /v1/validate

        For people who integrate, with a write key: answers a batch as `/v1/events` would, and keeps nothing.

        ## Warnings

        Both answers may have `warnings`: what is accepted as sent, but is probably a mistake of the app. `/v1/events` gives at most ten, `/v1/validate`
        a hundred.

        ```json
        {"accepted": 1, "rejected": [], "warnings": [
          {"code": "unknown_field", "message": "`osVersion` is ignored: the field is called `os_version`", "pointer": "/device/osVersion"},
          {"index": 0, "code": "family", "message": "`family` is counted as it is spelled: WidgetKit calls it `systemSmall`",
           "pointer": "/events/0/widget/family"}]}
        ```

        | warning | what is wrong |
        |---|---|
        | `unknown_field`, `misplaced_field` | a field of ours in a different spelling, or in the wrong object: it is ignored |
        | `shared_device` | a device id that many devices send, such as zeros only or `9774d56d682e549c`: all of them count as one |
        | `os_version` | begins with the system's name (`iOS 26.1`): counts as a separate version in every report |
        | `family` | WidgetKit's `systemSmall` in another spelling: counts as a separate family |
        | `future_time` | `booted_at` or `first_launched_at` lies after `sent_at`, and is ignored |
        | `same_instant` | two events of one kind, or two lists of one surface, have the same `at`: their order is unknown, so less is certain; send milliseconds |
        | `boot_time` | `booted_at` from a system whose vendor lets no app send it |
        | `channel` | a version that looks like a test build's and counts, or a channel that was meant to count and does not |
        | `other_family` | the app has used as many families as it may, and this one is new: counts as `(other)` |
        | `undeclared_kind`, `undeclared_family` | no [manifest](#post-v1manifests) of the app declares the kind on that surface, or the family for it |

        For each device and day the newest warning of each code is kept, except `undeclared_…`, and [`report warned`](reports.md#warned) counts them by version.
        `/v1/validate` costs the key's rate as much as sending would.

        ## While you integrate

        - `widget-census keys add --app APP --channel debug` makes a key whose events never count, whatever `channel` the app sends: for development builds.
        - `widget-census tail --app APP` shows events as they come: what the door said, its warnings, and what each event changed by which rule. An event whose `at` is more than
          two days old is shown only with `--device ID`; only the sender learns of a batch that is refused as a whole (400, 403).
        - An app id with a suffix for development (`com.example.weather.debug`) is a separate app: `apps add` it, or send the production id with a debug key.

        ## GET /v1/gallery-policy

        With a write or read key. Without a device: per kind `show`, `hide_unless_installed` (legacy) or `hide` (retired). With the
        header `Census-Device: <id>`: `show` or `hide`; for legacy and retired kinds also the reason, the report that this is based on, and
        how long a `hide` holds:

        ```json
        {"version": 3, "kinds": {"weather": "hide", "forecast": "show"}, "reasons": {"weather": "lacks_it"},
         "report": {"id": "0193…", "at": "2026-11-21T09:59:58Z"}, "valid_until": "2026-12-19T00:00:00Z"}
        ```

        | reason | answer | |
        |---|---|---|
        | `lacks_it` | `hide` | its newest list lacks the kind, and nothing says otherwise |
        | `holds_it` | `show` | it may hold the kind: its list names it, an event about use or change since the list does (not `widget_rendered`), or another surface of the device may hold it |
        | `suspect` | `show` | the list may be wrong, is dated more than five minutes ahead (the phone's clock has been set back since), or the device is known to exist twice |
        | `stale_evidence` | `show` | the newest list is older than the activity window; `valid_until` is absent |
        | `unknown_device` | `show` | this installation never sent a list, or what it sent can't be read |
        | `ios14` | `show` | iOS before 15, or an unknown version |
        | `policy_stale` | `show` | the store is away; then every kind has this reason |

        A kind is hidden only if the device certainly lacked it at its last successful report in this installation, within the
        activity window, and no other surface may hold it by what the device last told of that surface; anything unknown, suspect or stale, and iOS 14, means `show`. Hide only what your own
        fresh list allows, too, and only if `report` is your newest: a list of another channel, one that was refused, or one that waits in the spool of a
        node without its store is not in it; after `valid_until`, and whenever there is no answer, show. Ask again when
        the app, its build or the OS has changed. Answers carry a strong `ETag`, which no two devices share, and `Cache-Control`: an hour at most for a
        device and never beyond `valid_until`, five minutes for the general answer.

        A node reads an app's decisions at most once a second, and what the device sent at every request.

        While the store is away or too slow, answers have `"stale": true` and `read_at`, when this node last read the decisions, and are good for a minute. A
        device is told to show every kind, even if it was told `hide` before: another node may since have accepted a report that lists the kind. The general answer
        is the one that this node read last, for at most 24 hours. Where a node has not read the app's kinds since it started, or not within that time, it
        answers 503: show.

        ## DELETE /v1/device

        With a write key and the header `Census-Device: <id>`: forgets the device. The answer is 204 once all of it is gone, and it repeats the header
        `Census-Device`; an unknown device gets the same answer. The device's events and everything derived from them are deleted; days that are over
        stay counted, without identity, and from that day on there is one device less. Until retention ends (90 days), further events of this device are
        accepted (202) and dropped, including those already under way or waiting in a spool: if the user consents again, the app must use a new device id. Its
        gallery policy is then that of a device never heard from.

        | status | when | what a client does |
        |---|---|---|
        | 204 | forgotten | done |
        | 400 `no_device` | the header is missing, empty or repeated | |
        | 400 `invalid_device` | no device can have this id, so nothing was forgotten: it is too long, or has a control character or white space at its ends | asks with the id from its batches |
        | 401, 403, 429 | as above | as above |
        | 503 (`Retry-After`) | the store is away or busy. The device may not be gone yet | asks again |

        ## POST /v1/manifests

        With a release key: what a version of the app ships. `preflight` compares a coming release with it ([preflight.md](preflight.md)).

        ```json
        {"app": {"id": "com.example.weather", "version": "20.12"},
         "kinds": [
           {"kind": "weather", "families": ["systemSmall", "systemMedium"], "intent": "PlaceIntent", "migrates_from": ["CityIntent"]},
           {"kind": "forecast", "surface": "widget", "intent": null, "replaces": "old.forecast"}]}
        ```

        | field | meaning |
        |---|---|
        | `kind`, `surface` | as in events; `surface` is `widget` if absent. Each pair once |
        | `families` | those that the kind offers. Absent: any. Empty: none, as with a kind that hides from the gallery |
        | `intent` | class name of the configuration intent; absent or null for a static configuration |
        | `migrates_from` | former intents whose settings the intent takes over (`CustomIntentMigratedAppIntent`) |
        | `replaces` | the kind that this one is offered instead of |

        Here unknown and repeated fields are refused: a misspelled `families` would pass for "any". At most 1 MiB, not
        compressed; 1,000 kinds; 100 families and former intents a kind; strings as in events. The format as a JSON Schema:
        [manifest.schema.json](manifest.schema.json), which the service serves to anybody as `GET /v1/manifest.schema.json`.

        | status | when | what a pipeline does |
        |---|---|---|
        | 201 | it is kept, forever and unchanged | goes on |
        | 200 | this version already has the same manifest | goes on |
        | 400, 415, 422 `invalid_manifest` | not JSON; wrong type or encoding; not a manifest: `"problems": [{"pointer": "/kinds/0/famlies", "message": "…"}]` lists everything that is wrong | stops |
        | 409 `other_manifest` | this version has a different manifest; `problems` says how they differ | gives the version another number |
        | 401, 403, 408, 413, 429, 503 | as above | as above |

        ## GET /v1/reports/NAME

        With a read key: the rows of a [report](reports.md) for the key's app, byte for byte as `widget-census report NAME --app APP_ID --format json`
        prints them. Parameters, each at most once: `since` and `until` (days), `kind`, `format` (`json`, or `csv`). Any other, and one that the report does not have,
        gets 400: returning all rows for a filter that was not understood would give a wrong number.

        <!-- run by CI -->
        ```sh
        curl --fail-with-body -H "Authorization: Bearer $READ_KEY" "$ADDRESS/v1/reports/live_kinds?kind=weather&since=2026-11-01&format=csv"
        ```

        | status | when | what a program does |
        |---|---|---|
        | 200 | the rows; if none matches, an empty array or just the line of names | |
        | 400 `invalid_query`, 404 `unknown_report` | the message says what is possible | corrects the address |
        | 422 `too_many_rows` | more than 100,000 | asks for fewer days, or one kind |
        | 401, 403, 429 | as above | as above |
        | 503 (`Retry-After`) `store_away`, `readers_wait` | the store is away or too slow for 8 s; three read at once, two of one key at most, and too many wait | asks again |

        The [console](console.md) under `/console` is for people: its pages are not part of the contract.

        ## Health

        `GET /livez` (also `/healthz`): the process answers. `GET /readyz`: 200 `{"status":"ok"}`, or 503 with the reason: the store is away, or its
        schema is not this program's. On a Citus cluster it has `"distributed":true`. With a spool
        `{"status":"ok","store":"away","spool":{"batches":7,"bytes":5310,"limit":1073741824}}`, or
        `"up"`: while the store is away it is 200 as long as the spool takes batches, and 503 when it is full or its disk fails. `HEAD` is answered as `GET`, without the body.

        """##
}
