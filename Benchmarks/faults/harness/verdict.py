"""One row's figures and whether they are good enough."""


class Skipped(Exception):
    """The row can't run here; the message says why."""


class Verdict:
    def __init__(self, row, quick):
        """`quick`: of the program that is not optimised, beside whatever else a machine does, it tells whether a thing
        happens, and a full run how fast: limits may be used up three times."""
        self.row = row
        self.slack = 3 if quick else 1
        self.figures = {}
        self.failures = []
        self.unexercised = []

    def exercised(self, holds, otherwise):
        """Unless it holds, the fault did not bite, and the row says nothing, for or against."""
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
        """Keeps the largest of several; None is a failure: it never came."""
        self.expect(value is not None, f"{name}: never, within the time given")
        if value is None:
            return
        limit *= self.slack
        before = float(self.figures.get(name, "0").split()[0])
        self.figures[name] = f"{max(before, value):.2f} {unit}"
        self.expect(value <= limit, f"{name}: {value:.2f} {unit}, and {limit} {unit} is the limit")

    @property
    def outcome(self):
        return "PASS" if self.passed else "VOID" if self.says_nothing else "FAIL"

    def line(self):
        figures = "  ".join(f"{name} {value}" for name, value in self.figures.items())
        text = f"{self.outcome} {self.row:<16} {figures}"
        return "\n".join([text] + [f"     {failure}" for failure in self.failures + self.unexercised])
