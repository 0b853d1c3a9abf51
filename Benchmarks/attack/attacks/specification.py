"""Requests made from docs/reference/openapi.yaml."""

import json
import os
import re
import signal
import subprocess

from .target import APP, politely

HERE = os.path.dirname(os.path.realpath(__file__))
SPECIFICATION = os.path.join(HERE, "../../../docs/reference/openapi.yaml")
CASES = {"full": 10_000, "quick": 2_000}
# A round takes a minute or more, a quick one half a minute.
ROUNDS = 10


def specification(target, verdict, options):
    """10,000 requests made from docs/reference/openapi.yaml (--quick: 2,000), valid and invalid: no 5xx, and no undocumented answer"""
    before, cases, rounds = target.answered(), 0, 0
    wanted = CASES["quick" if options.quick else "full"]
    while cases < wanted and rounds < ROUNDS:
        rounds += 1
        # Test health routes in the first round only, or they would take most of the cases.
        status, output = _schemathesis(
            target, options.seed + rounds, 30 if options.quick or rounds == 1 else 75,
            "^/" if rounds == 1 else "^/v1/")
        generated = re.search(r"^\s+([\d,]+) generated", output, re.MULTILINE)
        cases += int(generated[1].replace(",", "")) if generated else 0
        verdict.expect(status == 0 and generated, _failures(output) or output[-3_000:])
        if status != 0:
            break
    after = target.answered()
    answers = {key: count - before.get(key, 0) for key, count in after.items() if count > before.get(key, 0)}
    verdict.figure("cases", f"{cases:,}")
    for status in sorted({status for _, status in answers}):
        verdict.figure(status, sum(count for (_, other), count in answers.items() if other == status))
    server_errors = sum(count for (_, status), count in answers.items() if not status[0] in "234")
    verdict.expect(server_errors == 0, f"{server_errors} answers are 5xx, or have an unknown status")
    verdict.expect(cases >= wanted, f"only {cases} cases")
    # Some requests must reach the store. Don't require a share of the cases, because on a fast machine the first round, which
    # tests everything, makes them all.
    stored = answers.get(("events", "202"), 0) + answers.get(("manifests", "201"), 0)
    verdict.expect(stored >= wanted / 200, f"only {stored} batches and manifests were accepted")
    errors = target.database_errors()
    verdict.expect(not errors, f"PostgreSQL's log: {errors[:3]}")


def _schemathesis(target, seed, seconds, paths):
    command = [
        os.environ.get("SCHEMATHESIS", "schemathesis"), "run", os.path.realpath(SPECIFICATION), "--url", target.url,
        "--header", f"Authorization: Bearer {target.key}", "--phases", "coverage,fuzzing", "--max-time", str(seconds),
        "--seed", str(seed), "--include-path-regex", paths, "--continue-on-failure", "--generation-database",
        ":memory:", "--no-color", "--warnings", "off", "--request-timeout", "15",
        # hooks.py checks batches with errors, because some of their events are accepted.
        "--exclude-checks", "negative_data_rejection,positive_data_acceptance"]
    process = politely(
        command, target.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "SCHEMATHESIS_HOOKS": HERE + "/hooks.py", "ATTACK_APP": APP,
             "ATTACK_KEYS": json.dumps(target.keys)})
    try:
        output, _ = process.communicate(timeout=2 * seconds + 60)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return process.returncode, output


def _failures(output):
    found = re.search(r"^=+ (?:FAILURES|ERRORS) =+$(.*?)^=+ SUMMARY =+$", output, re.MULTILINE | re.DOTALL)
    return found and "\n     ".join(found[1].strip().splitlines()[:80])
