# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A headless Chromium, spoken to through its DevTools pipe: no other package, no port."""

import base64
import fcntl
import json
import os
import tempfile


class Browser:
    def __init__(self, program):
        # The program reads commands from descriptor 3 and answers on 4.
        ends = [*os.pipe(), *os.pipe()]
        to_read, self.to, self.source, from_write = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in ends]
        for end in ends:
            os.close(end)
        self.profile = tempfile.TemporaryDirectory()
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--disable-background-networking", "--no-first-run", "--remote-debugging-pipe",
                     "--user-data-dir=" + self.profile.name, "about:blank"]
        # Scrollbars stay, as on a desk: they take room.
        self.process = os.posix_spawn(program, [program] + arguments, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, to_read, 3), (os.POSIX_SPAWN_DUP2, from_write, 4),
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
        os.close(to_read)
        os.close(from_write)
        self.rest = b""
        self.last = 0
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.source, 1 << 16)
            if not more:
                raise RuntimeError("the browser has gone")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.last += 1
        command = {"id": self.last, "method": method, "params": params}
        if getattr(self, "session", None):
            command["sessionId"] = self.session
        os.write(self.to, json.dumps(command).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width, dark=False, media="screen"):
        """Shows a file; what the page said and asked for meanwhile is in self.events."""
        self.events = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def screenshot(self, path, top=0, height=None):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": top, "width": size["width"], "height": min(height or size["height"], size["height"] - top), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        try:
            session, self.session = self.session, None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        os.close(self.to)
        os.waitpid(self.process, 0)
        os.close(self.source)
        self.profile.cleanup()
