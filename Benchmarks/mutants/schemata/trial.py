"""Runs the core's tests against mutants."""

import concurrent.futures
import json
import os
import re
import resource
import subprocess
import tempfile
import time

from schemata import package

TESTS = [str(package.BINARY), "--testing-library", "swift-testing", "--no-parallel"]
# Suites up to this many seconds run first, because most mutants fail in one of them.
QUICK = 0.5


def suites():
    """The names of all suites, and of tests outside of suites."""
    listed = subprocess.run([*TESTS, "--list-tests"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return sorted({match.group() for match in re.finditer(r"^CensusCoreTests\.(?:`[^`]*`|[^/`\n])+", listed, re.MULTILINE)})


def reach(suite):
    """- Returns: which mutants a suite reaches, and how many seconds it takes."""
    with tempfile.NamedTemporaryFile() as file:
        began = time.monotonic()
        subprocess.run(
            [*TESTS, "--filter", pattern([suite])], env=os.environ | {"MUTANTS_REACHED": file.name}, check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        reached = [number for number, mark in enumerate(file.read()) if mark]
        return {"reached": reached, "seconds": time.monotonic() - began}


def all_reach(jobs):
    """The mutants that each suite reaches; cached while the tests are the same."""
    memory, fingerprint = package.FOLDER / "reach.json", package.fingerprint()
    known = json.loads(memory.read_text()) if memory.exists() else {}
    if known.get("fingerprint") != fingerprint:
        names = suites()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            known = {"fingerprint": fingerprint, "suites": dict(zip(names, pool.map(reach, names)))}
        memory.write_text(json.dumps(known))
    return {name: {"reached": set(found["reached"]), "seconds": found["seconds"]} for name, found in known["suites"].items()}


def pattern(names):
    return "^(" + "|".join(re.escape(name) for name in names) + ")/"


def killer(number, reach):
    """- Returns: what noticed the mutant: a test, a crash or the time limit; None if nothing did."""
    mine = [name for name in reach if number in reach[name]["reached"]]
    quick = [name for name in mine if reach[name]["seconds"] <= QUICK]
    for names in (quick, [name for name in mine if name not in quick]):
        if names and (found := first_failure(number, names, sum(reach[name]["seconds"] for name in names))):
            return found
    return None


def first_failure(number, names, seconds):
    limit = int(10 + 5 * seconds)

    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    process = subprocess.Popen(
        [*TESTS, "--filter", pattern(names)], env=os.environ | {"MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=bound)
    for line in process.stdout:
        if "✘" in line[:12]:
            process.kill()
            process.wait()
            return line.split("✘", 1)[1].split(" recorded an issue")[0].strip()
    status = process.wait()
    return None if status == 0 else "the time limit" if status in (-9, -24) else f"a crash ({status})"
