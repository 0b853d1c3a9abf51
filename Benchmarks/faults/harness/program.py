"""The program under test, and CPU times of processes."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
TICKS = os.sysconf("SC_CLK_TCK")


def program(configuration="debug", product="widget-census"):
    """- Returns: the path of CENSUS_PROGRAM, of another product beside it, or of this checkout's, which it builds: debug or release."""
    if named := os.environ.get("CENSUS_PROGRAM"):
        if product == "widget-census":
            return os.path.realpath(named)
        beside = os.path.join(os.path.dirname(os.path.realpath(named)), product)
        if os.path.exists(beside):
            return beside
    # A release build takes minutes and shows its progress.
    quietly = ["--quiet"] if configuration == "debug" else []
    subprocess.run(["swift", "build", *quietly, "-c", configuration, "--product", product], cwd=ROOT, check=True,
                   stdout=sys.stderr)
    return os.path.join(ROOT, f".build/{configuration}/{product}")


def last_words(output):
    """- Returns: the end of a program's output. After a crash, the output before it, and where it crashed."""
    crash = output.find("Program crashed")
    return output.strip()[-500:] if crash < 0 else output[max(crash - 500, 0):crash + 3_000]


def processor_time(pid, with_ended=False):
    """- with_ended: also count children that have ended.
    - Returns: CPU seconds; 0 if the process doesn't exist."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15] if with_ended else fields[11:13])) / TICKS
