"""A client that talks to clangd: opens files, waits for what is said of them, asks for quick-fixes and applies them."""
import json
import os
import subprocess
import threading
import queue
import urllib.parse


def uri_of(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


def offset_of(text, position):
    """UTF-16 columns, as the protocol has them."""
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[: position["line"]])
    line = lines[position["line"]] if position["line"] < len(lines) else ""
    return before + len(line.encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le", "ignore"))


def apply_edits(text, edits):
    places = sorted(((offset_of(text, e["range"]["start"]), offset_of(text, e["range"]["end"]), i, e["newText"]) for i, e in enumerate(edits)))
    out, at = "", 0
    for begin, end, _, new in places:
        assert begin >= at, "edits overlap"
        out += text[at:begin] + new
        at = end
    return out + text[at:]


class Client:
    """workspace: capabilities of the client. takes_edits: what it answers where the server asks it to change a text.

    tells: it is this project's server, and tells when all that it has to say of a text is said.
    """

    def __init__(self, command, timeout=300, workspace=None, takes_edits=True, tells=True):
        self.timeout, self.takes_edits = timeout, takes_edits
        self.messages, self.edits = queue.Queue(), queue.Queue()  # window/showMessage; workspace/applyEdit, whatever the answer was
        # The index of the database is built by a thread that runs where a core has nothing else to do, and the end waits for it.
        command = command + ["--background-index=false"] + (["--say-when-said"] if tells else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.answers, self.said, self.log, self.id, self.versions = {}, queue.Queue(), [], 0, {}
        self.came, self.sending = threading.Condition(), threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()
        self.logger = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
        self.logger.start()
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {
            "workspace": workspace or {},
            "textDocument": {"publishDiagnostics": {"codeActionsInline": False, "relatedInformation": True},
                             "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}}})
        self.notify("initialized", {})

    def _read(self):
        out = self.process.stdout
        while True:
            length = 0
            while True:
                line = out.readline()
                if not line:
                    with self.came:
                        self.answers[None] = None
                        self.came.notify_all()
                    self.said.put(None)
                    return
                if line == b"\r\n":
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(out.read(length))
            if "method" in message and "id" not in message:
                if message["method"] == "textDocument/publishDiagnostics":
                    self.said.put(message["params"])
                elif message["method"] == "$/cuda-pipeline/said":
                    self.said.put(dict(message["params"], all=True))
                elif message["method"] == "window/showMessage":
                    self.messages.put(message["params"])
            elif message.get("method") == "workspace/applyEdit":
                self.edits.put(message["params"]["edit"])
                self._send({"id": message["id"], "result": {"applied": self.takes_edits, **({} if self.takes_edits else {"failureReason": "read-only"})}})
            elif "method" not in message:
                with self.came:
                    self.answers[message["id"]] = message
                    self.came.notify_all()

    def _send(self, message):
        body = json.dumps(dict(message, jsonrpc="2.0")).encode()
        with self.sending:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()

    def notify(self, method, params):
        self._send({"method": method, "params": params})

    def request(self, method, params):
        self.id += 1
        self._send({"id": self.id, "method": method, "params": params})
        with self.came:
            if not self.came.wait_for(lambda: self.id in self.answers or None in self.answers, self.timeout):
                raise RuntimeError("no answer to " + method)
            if self.id not in self.answers:
                raise RuntimeError("the server has ended: " + b"".join(self.log[-20:]).decode(errors="replace"))
            answer = self.answers.pop(self.id)
        if "error" in answer:
            raise RuntimeError("%s: %s" % (method, answer["error"]))
        return answer["result"]

    def diagnostics(self, path, text):
        """Opens the file, or gives it another text, and waits for all that is said of this very text."""
        self.send_text(path, text)
        return self.all_said(path)

    def send_text(self, path, text):
        uri = uri_of(path)
        version = self.versions[path] = self.versions.get(path, 0) + 1
        if version == 1:
            self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cuda-cpp", "version": version, "text": text}})
        else:
            self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}], "wantDiagnostics": True})

    def next_said(self):
        """What the server publishes next, or that it has said all (`all`)."""
        said = self.said.get(timeout=self.timeout)
        if said is None:
            raise RuntimeError("the server has ended: " + b"".join(self.log[-20:]).decode(errors="replace"))
        return said

    def all_said(self, path):
        """Of the newest text of the file."""
        version, last = self.versions[path], None
        while True:
            said = self.next_said()
            if urllib.parse.unquote(said["uri"]) != urllib.parse.unquote(uri_of(path)) or int(said.get("version", version)) != version:
                continue
            if said.get("all"):
                return last
            last = said["diagnostics"]

    def fixes(self, path, diagnostic):
        """Quick-fixes of the diagnostic: (title, edits of the file)."""
        uri = uri_of(path)
        actions = self.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": diagnostic["range"], "context": {"diagnostics": [diagnostic], "only": ["quickfix"]}})
        edits = lambda e: e["changes"][uri] if "changes" in e else [edit for change in e["documentChanges"] for edit in change["edits"]]
        return [(a["title"], edits(a["edit"])) for a in actions if "edit" in a]

    def commands(self, path, range, only=("quickfix",)):
        """Code actions that are commands: (title, kind, command)."""
        actions = self.request("textDocument/codeAction", {
            "textDocument": {"uri": uri_of(path)}, "range": range, "context": {"diagnostics": [], "only": list(only)}})
        return [(a["title"], a["kind"], a["command"]) for a in actions if "command" in a]

    def execute(self, command):
        return self.request("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})

    def message(self):
        """The next one that the server shows: (type, text)."""
        shown = self.messages.get(timeout=self.timeout)
        return shown["type"], shown["message"]

    def close(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        code = self.process.wait(self.timeout)
        self.logger.join(self.timeout)
        return code
