"""Bare servers in Go and Rust that store the same rows as the service, and do nothing else."""

import os
import shutil
import subprocess
import time

HERE = os.path.dirname(os.path.realpath(__file__))

TABLE = """
    drop schema if exists reference cascade;
    create schema reference;
    create table reference.observation (
        like census.observation including defaults including constraints,
        primary key (device_id, event_id, occurred_at));
"""


def go(folder):
    subprocess.run(["go", "build", "-o", f"{folder}/go", "."], cwd=f"{HERE}/reference-go", check=True,
                   env={**os.environ, "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": f"{folder}/cache"})
    return lambda port, database, key: [f"{folder}/go", "-port", port, "-database", database, "-key", key]


def rust(folder):
    shutil.copytree(f"{HERE}/reference-rust", f"{folder}/rust")
    subprocess.run(["cargo", "build", "--release", "--offline", "--quiet"], cwd=f"{folder}/rust", check=True)
    return lambda port, database, key: [f"{folder}/rust/target/release/reference", port, database, key]


# Their names, with the tool that builds each, and a function that builds it in a folder.
REFERENCES = {"Go": ("go", go), "Rust": ("cargo", rust)}


def begin(command, port, database, key, log):
    """Starts one on an empty table.

    - Parameters:
      - command: from REFERENCES.
      - database: a connection string of libpq.
    """
    subprocess.run(["psql", database, "-qXc", TABLE], check=True, stderr=subprocess.DEVNULL)
    process = subprocess.Popen(command(str(port), database, key), stdout=log, stderr=log)
    time.sleep(1)
    return process
