"""One row's figures, and whether they pass."""


class Skipped(Exception):
    """The row can't run here; the message says why."""


class Verdict:
    def __init__(self, row, quick):
        """`quick`: a short run, with a debug build on a busy machine, shows whether something works, not how fast. So limits are
        three times as high."""
        self.row = row
        self.slack = 3 if quick else 1
        self.figures = {}
        self.failures = []
        self.unexercised = []

    def exercised(self, holds, otherwise):
        """Unless this holds, the fault had no effect, and the row proves nothing."""
        if not holds:
            self.unexercised.append(f"the fault was not exercised: {otherwise}")

    @property
    def passed(self):
        return not self.failures and not self.unexercised

    @property
    def says_nothing(self):
        return not self.failures and bool(self.unexercised)

    def expect(self, holds, failure):
        if not holds and failure not in self.failures:
            self.failures.append(failure)

    def figure(self, name, value):
        self.figures[name] = f"{value:.1f}" if isinstance(value, float) else str(value)

    def at_most(self, name, value, limit, unit="s"):
        """Keeps the largest of several values; None is a failure: it never happened."""
        self.expect(value is not None, f"{name}: did not happen in time")
        if value is None:
            return
        limit *= self.slack
        before = float(self.figures.get(name, "0").split()[0])
        self.figures[name] = f"{max(before, value):.2f} {unit}"
        self.expect(value <= limit, f"{name}: {value:.2f} {unit} (limit: {limit} {unit})")

    @property
    def outcome(self):
        return "PASS" if self.passed else "VOID" if self.says_nothing else "FAIL"

    def line(self):
        figures = "  ".join(f"{name} {value}" for name, value in self.figures.items())
        text = f"{self.outcome} {self.row:<16} {figures}"
        return "\n".join([text] + [f"     {failure}" for failure in self.failures + self.unexercised])
