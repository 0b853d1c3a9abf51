"""A small package with the core and all its mutants, and the core's tests."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

from schemata import sites

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / ".build/mutants"
CORE = "Sources/CensusCore"
# Copied unchanged, in addition to the core.
COPIED = ["Sources/Fleet", "Sources/SeededRandom", "Tests/SchemaTesting", "Tests/SeedTesting", "Tests/CensusCoreTests"]
BINARY = FOLDER / ".build/debug/mutantsPackageTests.xctest"

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let features: [SwiftSetting] = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].map {
    .enableUpcomingFeature($0)
}
let settings = features + [.unsafeFlags(["-O", "-assert-config", "Debug"])]

let package = Package(
    name: "mutants",
    platforms: [.macOS(.v26)],
    targets: [
        .target(name: "CMutants", cSettings: [.unsafeFlags(["-O2"])]),
        .target(name: "Mutants", dependencies: ["CMutants"], swiftSettings: settings),
        .target(name: "CensusCore", dependencies: ["Mutants"], swiftSettings: settings),
        .target(name: "SeededRandom", swiftSettings: settings),
        .target(name: "Fleet", dependencies: ["CensusCore", "SeededRandom"], swiftSettings: settings),
        .target(name: "SchemaTesting", path: "Tests/SchemaTesting", swiftSettings: settings),
        .target(name: "SeedTesting", path: "Tests/SeedTesting", swiftSettings: settings),
        .testTarget(
            name: "CensusCoreTests",
            dependencies: ["CensusCore", "Fleet", "Mutants", "SchemaTesting", "SeedTesting", "SeededRandom"],
            exclude: ["Checkpoints/Golden"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
"""
HEADER = """#include <stdbool.h>
#include <stdint.h>

extern int32_t mutants_chosen;
extern uint8_t mutants_reached[65536];

static inline bool mutants_is(int32_t number) {
    mutants_reached[number] = 1;
    return mutants_chosen == number;
}
"""
SOURCE = """#include "mutants.h"
#include <stdio.h>
#include <stdlib.h>

int32_t mutants_chosen = -1;
uint8_t mutants_reached[65536];

__attribute__((constructor)) static void choose(void) {
    const char *number = getenv("MUTANT");
    if (number) mutants_chosen = atoi(number);
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("MUTANTS_REACHED");
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (file) {
        fwrite(mutants_reached, 1, sizeof mutants_reached, file);
        fclose(file);
    }
}
"""
SWIFT = """public import CMutants

@inlinable public func isMutant(_ number: Int32) -> Bool { mutants_is(number) }

@inlinable public func mutant<Value>(_ number: Int32, _ original: Value, _ changed: Value) -> Value {
    mutants_is(number) ? changed : original
}
"""


def write(path, text):
    """Leaves a file alone if it has this text, because the build depends on modification times."""
    data = text if isinstance(text, bytes) else text.encode()
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def all_sites(parts):
    """Every token of the core's `parts` that can be changed, in a fixed order."""
    found = []
    for part in parts:
        for path in sorted((ROOT / CORE / part).rglob("*.swift")):
            found += sites.sites(str(path.relative_to(ROOT / CORE)), path.read_text())
    return found


def synchronize(numbered):
    """Updates the package with these mutants."""
    write(FOLDER / "Package.swift", MANIFEST)
    write(FOLDER / "Sources/CMutants/include/mutants.h", HEADER)
    write(FOLDER / "Sources/CMutants/mutants.c", SOURCE)
    write(FOLDER / "Sources/Mutants/Mutants.swift", SWIFT)
    if not (FOLDER / "docs").is_symlink():
        (FOLDER / "docs").symlink_to(ROOT / "docs")
    kept = set()
    for copied in [CORE, *COPIED]:
        for path in (ROOT / copied).rglob("*"):
            if not path.is_file():
                continue
            name = path.relative_to(ROOT)
            kept.add(FOLDER / name)
            data = path.read_bytes()
            mine = [(number, site) for number, site in numbered if CORE + "/" + site.path == str(name)]
            write(FOLDER / name, sites.schema(data.decode(), mine) if mine else data)
        for path in list((FOLDER / copied).rglob("*")):
            if path.is_file() and path not in kept:
                path.unlink()


def build(parts):
    """Builds the core with the mutants of its `parts`.

    - Returns: those that compile, by number, and the others: not every token can become a call, such as the number in a pattern.
    """
    found = all_sites(parts)
    memory = FOLDER / "uncompilable.json"
    left_out = set(json.loads(memory.read_text())) if memory.exists() else set()
    for _ in range(20):
        numbered = [(number, site) for number, site in enumerate(found) if site.key not in left_out]
        synchronize(numbered)
        faulty = compile_core(numbered)
        if not faulty:
            break
        left_out |= {site.key for site in faulty}
        write(memory, json.dumps(sorted(left_out), ensure_ascii=False, indent=0))
    else:
        sys.exit("Benchmarks/mutants/run: the mutants do not compile")
    swift("build", "--build-tests", stdout=sys.stderr)
    return dict(numbered), [site for site in found if site.key in left_out]


def swift(*arguments, **options):
    environment = os.environ | {"SWIFT_WARNINGS_AS_ERRORS": "0"}
    return subprocess.run(["swift", *arguments, "--package-path", str(FOLDER)], env=environment, check=True, **options)


def compile_core(numbered):
    """- Returns: the mutants for which the core does not compile."""
    try:
        swift("build", "--target", "CensusCore", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return []
    except subprocess.CalledProcessError as error:
        output = error.stdout
    require_sound_core()
    lines = {(path, int(line)) for path, line in re.findall(CORE + r"/(\S+\.swift):(\d+):\d+: error:", output)}
    print(f"  {len(lines)} lines with a mutant that does not compile", file=sys.stderr)
    for reach in range(8):
        # An error about an expression can name another of its lines.
        faulty = [site for _, site in numbered
                  if any((site.path, site.line + step) in lines for step in range(-reach, reach + 1))]
        if faulty:
            return faulty
    sys.exit(output[-5000:] + "\nBenchmarks/mutants/run: the core does not compile")


def require_sound_core():
    """Ends the run if the core doesn't compile without mutants, because its errors would be attributed to them."""
    features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
    options = [option for name in features for option in ("-enable-upcoming-feature", name)]
    files = [str(path) for path in sorted((ROOT / CORE).rglob("*.swift"))]
    checked = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-package-name", "mutants", "-parse-as-library", *options, *files],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if checked.returncode:
        sys.exit(checked.stdout[-5000:] + "\nBenchmarks/mutants/run: the core does not compile")


def fingerprint():
    return hashlib.sha256(BINARY.read_bytes()).hexdigest()
