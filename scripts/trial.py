"""What the trials beside it share: a census of their own with its service, and packages from PyPI."""
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent
program = pathlib.Path(os.environ.get("CENSUS_PROGRAM", root / ".build/debug/widget-census")).resolve()


def fail(what):
    sys.exit(f"{sys.argv[0]}: {what}")


def install(folder, *packages):
    """Puts packages of PyPI into a folder."""
    subprocess.run([root / "scripts/setup", "python3-pip"], check=True)
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-warn-conflicts",
                    "--no-compile", "--root-user-action", "ignore", "--target", folder, *packages], check=True)


class Census:
    """The program on a private PostgreSQL in a folder, which other users may pass through."""

    def __init__(self, folder, **settings):
        os.chmod(folder, 0o711)
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "DATABASE_URL", "CENSUS_"))}
        self.environment = kept | {"CENSUS_DATA_DIR": f"{folder}/data", "PATH": f"{program.parent}:{os.environ['PATH']}"} | settings
        # The connection of a client that asks the private PostgreSQL itself.
        self.psql = ["psql", "-XAtq", "-h", f"{folder}/data/run", "-U", "census", "-d", "census", "-c"]

    def run(self, *arguments, input=None):
        """What a command prints, with the line ends that it has."""
        done = subprocess.run([program, *arguments], env=self.environment, input=(input or "").encode(), capture_output=True)
        if done.returncode:
            fail(f"{' '.join(arguments)}: {done.stderr.decode()}")
        return done.stdout.decode()

    @contextlib.contextmanager
    def service(self):
        """Runs `serve`, and gives its address."""
        log = pathlib.Path(self.folder, "serve.log")
        with open(log, "w") as output:
            process = subprocess.Popen([program, "serve", "--port", "0"], env=self.environment, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=output)
        try:
            end = time.monotonic() + 300
            while not (listens := re.search(r"listens on (http://127.0.0.1:\d+)", log.read_text())):
                if process.poll() is not None or time.monotonic() > end:
                    fail(f"the service does not start: {log.read_text()}")
                time.sleep(0.1)
            yield listens[1]
        finally:
            process.terminate()
            process.wait(300)
