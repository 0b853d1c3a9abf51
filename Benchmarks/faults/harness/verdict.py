"""One row's figures and whether they are good enough."""


class Skipped(Exception):
    """The row can't run here; the message says why."""


class Verdict:
    def __init__(self, row):
        self.row = row
        self.figures = {}
        self.failures = []

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
        before = float(self.figures.get(name, "0").split()[0])
        self.figures[name] = f"{max(before, value):.2f} {unit}"
        self.expect(value <= limit, f"{name}: {value:.2f} {unit}, and {limit} {unit} is the limit")

    def line(self):
        figures = "  ".join(f"{name} {value}" for name, value in self.figures.items())
        text = f"{'FAIL' if self.failures else 'PASS'} {self.row:<16} {figures}"
        return "\n".join([text] + [f"     {failure}" for failure in self.failures])
