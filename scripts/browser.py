"""Controls a headless Chromium through a pipe with the DevTools protocol, so that it needs no package besides Chromium."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile


class Browser:
    """A browser with one tab. End it with `close`."""

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            raise SystemExit("scripts/browser.py: there is no chromium; run: scripts/setup chromium")
        self.folder = tempfile.mkdtemp(prefix="widget-census-browser-")
        # The browser reads commands from descriptor 3 and writes answers to 4.
        to_browser, from_browser = os.pipe(), os.pipe()

        def place():
            # First to high numbers, because the pipes themselves can have 3 or 4.
            reading, writing = os.dup(to_browser[0]), os.dup(from_browser[1])
            high_reading, high_writing = os.dup2(reading, 60), os.dup2(writing, 61)
            os.dup2(high_reading, 3)
            os.dup2(high_writing, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", "--force-device-scale-factor=1", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder}", "about:blank"],
            preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.commands, self.answers = os.fdopen(to_browser[1], "wb", 0), os.fdopen(from_browser[0], "rb")
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.send(domain + ".enable")

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.commands.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self):
        while b"\0" not in self.buffer:
            if not select.select([self.answers.fileno()], [], [], 120)[0]:
                raise RuntimeError("the browser does not answer: a page does not load")
            piece = os.read(self.answers.fileno(), 1 << 16)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def open(self, address):
        """Opens a page, and returns the status of its response."""
        self.events.clear()
        self.send("Page.navigate", url=address)
        return self.settle()

    def settle(self):
        """Waits until the page has loaded, and returns the status of its response."""
        status = None
        while True:
            event = self.events.pop(0) if self.events else self.receive()
            if event.get("method") == "Network.responseReceived" and event["params"]["type"] == "Document":
                status = event["params"]["response"]["status"]
            if event.get("method") == "Page.loadEventFired":
                return status

    def run(self, script):
        """Evaluates an expression, even on a page that forbids scripts."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "a script failed"))
        return answer["result"].get("value")

    def view(self, width, height=900, dark=False, phone=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def press(self, key):
        code = {"Tab": 9, "Enter": 13, "End": 35, "Home": 36, "ArrowLeft": 37, "Escape": 27}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ["keyDown" if text else "rawKeyDown", "keyUp"]:
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      **(text if kind == "keyDown" else {}))

    def point(self, x, y):
        """Moves the pointer."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def picture(self, path, whole=True):
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def print(self):
        """The page as PDF."""
        return base64.b64decode(self.send("Page.printToPDF", preferCSSPageSize=True, printBackground=False)["data"])

    def close(self):
        try:
            self.send("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
