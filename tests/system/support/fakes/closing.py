"""Webhooks on raw sockets that close each connection without announcing it: HTTP/1.1 with Content-Length and without
`Connection: close`, and the end of the connection some seconds later. Others read a request and close without an answer, or
keep their connections and send unsolicited bytes."""
import collections
import contextlib
import json
import socket
import threading
import time


def said(words):
    """The bytes of a complete answer with this message."""
    body = json.dumps({"message": words}).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


class ClosingAgent:
    """`keys`: number of requests that were read, by Idempotency-Key. `say`: turns a message into the bytes of an answer."""

    def __init__(self, after_s=0.0, is_silent=False, say=said):
        self.after_s, self.is_silent, self.say = after_s, is_silent, say
        self.keys = collections.Counter()
        self._lock = threading.Lock()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=256)

    @property
    def config(self):
        return {"url": "http://127.0.0.1:%d/turn" % self._socket.getsockname()[1]}

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=(self._socket.accept()[0],), daemon=True).start()

    def _serve(self, connection):
        with connection, contextlib.suppress(OSError):
            request = self._read(connection)
            if request is None:
                return
            fields, turn = request
            with self._lock:
                self.keys[fields["idempotency-key"]] += 1
            if self.is_silent:
                return
            connection.sendall(self.say(f"said {turn['message']}"))
            if self.after_s:
                time.sleep(self.after_s)

    @staticmethod
    def _read(connection):
        """(fields, JSON) of one request; None if the client leaves before it is complete."""
        data = b""
        while True:
            head, end, body = data.partition(b"\r\n\r\n")
            if end:
                rows = (row.partition(":") for row in head.decode("latin-1").split("\r\n")[1:])
                fields = {name.lower(): value.strip() for name, _, value in rows}
                if len(body) >= int(fields.get("content-length", 0)):
                    return fields, json.loads(body)
            more = connection.recv(65536)
            if not more:
                return None
            data += more


class TalkativeAgent(ClosingAgent):
    """Sends `extra` (bytes, or a callable that takes the turn) `after_s` seconds after each answer, then closes if `closes`."""

    def __init__(self, extra, after_s=0.02, closes=False, say=said):
        super().__init__(after_s, say=say)
        self.extra, self.closes = extra, closes

    def _serve(self, connection):
        with connection, contextlib.suppress(OSError):
            while request := self._read(connection):
                fields, turn = request
                with self._lock:
                    self.keys[fields["idempotency-key"]] += 1
                connection.sendall(self.say(f"said {turn['message']}"))
                time.sleep(self.after_s)
                connection.sendall(self.extra(turn) if callable(self.extra) else self.extra)
                if self.closes:
                    return
