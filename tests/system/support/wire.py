"""A keep-alive HTTP/1.1 client on a bare socket that knows exactly which bytes arrived.

Three ends of a connection are distinguished, because crash and drain tests need it: `Gone` (closed before any byte of the
answer), `Cut` (closed in the middle of an answer) and a time-out (`socket.timeout`)."""
import gzip
import json
import os
import socket


SENT_BYTES_NOTED = 100_000  # longer bodies are tests of limits


def note(method, path, sent, answer):
    """Appends the exchange as a line to the file that PARLEY_EXCHANGES names (openapi_test.py reads it)."""
    file = os.environ.get("PARLEY_EXCHANGES")
    if not file:
        return
    body = answer.body
    if answer.headers.get("content-encoding") == "gzip" and body:
        body = gzip.decompress(body)
    line = json.dumps({"method": method, "path": path, "status": answer.status,
                       "type": answer.headers.get("content-type"), "body": body.decode(),
                       "fields": sorted(answer.headers), "sent": text_of(sent)})
    with open(file, "a", encoding="ascii") as out:
        out.write(line + "\n")


def text_of(sent):
    """The body of a request as JSON text; None if it is absent or too long."""
    if isinstance(sent, bytes):
        return sent.decode(errors="replace") if 0 < len(sent) <= SENT_BYTES_NOTED else None
    text = None if sent is None else json.dumps(sent)
    return text if text is None or len(text) <= SENT_BYTES_NOTED else None


class Gone(Exception):
    """The connection ended before the first byte of an answer."""


class Cut(Exception):
    """The connection ended inside an answer."""


class Answer:
    """One response: `status`, `headers` (lower-case names; the last value of each), `fields` (all, in order), `body`."""

    def __init__(self, status, fields, body):
        self.status = status
        self.fields = fields
        self.headers = {name.lower(): value for name, value in fields}
        self.body = body

    def json(self, **options):
        return json.loads(self.body, **options)

    @property
    def closes(self):
        return self.headers.get("connection", "").lower() == "close"

    def __repr__(self):
        return f"<{self.status} {self.body[:600].decode(errors='replace')}>"


class Wire:
    """One connection. Not shared between threads."""

    def __init__(self, address, timeout_s=30):
        self.socket = socket.create_connection(address, timeout=timeout_s)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.kept = b""

    def close(self):
        self.socket.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            # An answer may still be readable: `read` decides.
            pass

    def _more(self, begun):
        try:
            data = self.socket.recv(262144)
        except ConnectionResetError:
            data = b""
        if not data:
            raise Cut(f"closed after {len(self.kept)} bytes") if begun or self.kept else Gone()
        self.kept += data

    def _take(self, count):
        # joined once: appending each part to up to 64 MiB would copy everything again
        parts, length = [self.kept], len(self.kept)
        try:
            while length < count:
                self.kept = b""
                self._more(True)
                parts.append(self.kept)
                length += len(self.kept)
        except Cut:
            raise Cut(f"closed after {length} bytes") from None
        finally:
            self.kept = b"".join(parts)
        data, self.kept = self.kept[:count], self.kept[count:]
        return data

    def _line(self):
        while b"\r\n" not in self.kept:
            self._more(True)
        line, _, self.kept = self.kept.partition(b"\r\n")
        return line

    def _chunks(self):
        body = b""
        while True:
            size = int(self._line().split(b";")[0], 16)
            if size == 0:
                while self._line():
                    pass
                return body
            body += self._take(size)
            self._take(2)

    def read(self, head_only=False):
        """The next final answer; interim answers (1xx) are skipped. `head_only`: the answer to HEAD."""
        while True:
            while b"\r\n\r\n" not in self.kept:
                self._more(False)
            head, _, self.kept = self.kept.partition(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            status = int(lines[0].split(" ")[1])
            fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]
            if 100 <= status < 200:
                continue
            headers = {name.lower(): value for name, value in fields}
            if head_only or status in (204, 304):
                body = b""
            elif headers.get("transfer-encoding", "").lower() == "chunked":
                body = self._chunks()
            elif "content-length" in headers:
                body = self._take(int(headers["content-length"]))
            else:
                body = self.rest()
            return Answer(status, fields, body)

    def rest(self):
        """All bytes until the other side closes or resets the connection, or the time-out."""
        data, self.kept = self.kept, b""
        while True:
            try:
                more = self.socket.recv(262144)
            except (ConnectionResetError, socket.timeout):
                return data
            if not more:
                return data
            data += more

    def is_closed(self, timeout_s=5):
        """Whether the other side closes within the time-out without sending another byte."""
        if self.kept:
            return False
        self.socket.settimeout(timeout_s)
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True
        except socket.timeout:
            return False


class Client:
    """Sends requests with a key over one keep-alive connection, which is reopened after it was closed."""

    def __init__(self, address, key=None, timeout_s=30, prefix=""):
        self.address, self.key, self.timeout_s, self.prefix = address, key, timeout_s, prefix
        self.wire = None

    def close(self):
        if self.wire:
            self.wire.close()
        self.wire = None

    def encoded(self, method, path, body=None, headers=None):
        fields = {"Host": f"{self.address[0]}:{self.address[1]}"}
        if self.key:
            fields["Authorization"] = f"Bearer {self.key}"
        data = b""
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            fields["Content-Type"] = "application/json"
        if body is not None or method in ("POST", "PATCH", "PUT"):
            fields["Content-Length"] = str(len(data))
        fields.update(headers or {})
        lines = [f"{method} {self.prefix}{path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in fields.items() if value is not None]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + data

    def send(self, method, path, body=None, headers=None):
        """One request, one answer. Never retries: the caller handles a lost answer (`Gone`, `Cut`)."""
        if self.wire is None:
            self.wire = Wire(self.address, self.timeout_s)
        try:
            self.wire.send(self.encoded(method, path, body, headers))
            answer = self.wire.read(head_only=method == "HEAD")
        except (Gone, Cut, OSError):
            self.close()
            raise
        note(method, self.prefix + path, body, answer)
        if answer.closes:
            self.close()
        return answer

    def get(self, path, headers=None):
        return self.send("GET", path, None, headers)

    def post(self, path, body=None, headers=None):
        return self.send("POST", path, body, headers)

    def patch(self, path, body=None, headers=None):
        return self.send("PATCH", path, body, headers)

    def put(self, path, body=None, headers=None):
        return self.send("PUT", path, body, headers)
