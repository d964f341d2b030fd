#!/usr/bin/env python3
"""The configurations in contrib/proxies with real proxies: long polls, large bodies, kept connections, TLS and the client's
address. A proxy that is not installed is skipped. PARLEY_WAIT is the wait of a client, 60 s in the long proofs."""
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time

from support import cases, server as servers, wire
from support.cases import OwnServerTest, unique

CONTRIB = servers.ROOT / "contrib/proxies"
WAIT_S = int(os.environ.get("PARLEY_WAIT", "3"))
CLIENT = "127.0.0.5"    # an address that no proxy has and that parley does not trust


class TlsWire(wire.Wire):
    """A connection over TLS from the address CLIENT."""

    def __init__(self, address, timeout_s):
        plain = socket.create_connection(address, timeout_s, source_address=(CLIENT, 0))
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.socket, self.kept = context.wrap_socket(plain, server_hostname="parley.example.com"), b""


class TlsClient(wire.Client):
    def send(self, method, path, body=None, headers=None):
        if self.wire is None:
            self.wire = TlsWire(self.address, self.timeout_s)
        return super().send(method, path, body, {"Host": "parley.example.com", **(headers or {})})


def certificate(folder):
    chain, key = folder / "fullchain.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=parley.example.com", "-keyout", key, "-out", chain], check=True, capture_output=True)
    (folder / "parley.pem").write_bytes(chain.read_bytes() + key.read_bytes())


def nginx(folder, port, parley):
    """The command for nginx with the shipped file, except for ports and paths, in a minimal configuration."""
    text = (CONTRIB / "nginx.conf").read_text()
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace("    listen [::]:443 ssl;\n", "")
    text = text.replace("/etc/ssl/parley", str(folder)).replace("127.0.0.1:7410", parley)
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(f"daemon off; user root; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;\n"
                                       f"events {{}}\nhttp {{ access_log off; {temporary}\n{text}}}\n")
    return ["nginx", "-p", str(folder), "-e", f"{folder}/start.log", "-c", str(folder / "nginx.conf")]


def haproxy(folder, port, parley):
    text = (CONTRIB / "haproxy.cfg").read_text()
    text = text.replace("maxconn 20000", "maxconn 200")    # 20000 connections need more descriptors than a test may have
    text = text.replace("bind :443", f"bind 127.0.0.1:{port}").replace("/etc/ssl/parley", str(folder)).replace("127.0.0.1:7410", parley)
    (folder / "haproxy.cfg").write_text(text)
    return ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")]


def caddy(folder, port, parley):
    text = (CONTRIB / "Caddyfile").read_text().replace("127.0.0.1:7410", parley)
    text = text.replace("parley.example.com {", f"https://parley.example.com:{port} {{\n\ttls {folder}/fullchain.pem {folder}/key.pem", 1)
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


class Proxies(OwnServerTest):
    def setUp(self):
        self.own_server("--fsync", "off", "--audit", "on", "--trusted-proxies", "127.0.0.1")

    def proxied(self, name, command):
        """Starts the proxy until the test ends; returns a client that connects through it."""
        if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") is None:
            self.skipTest(f"{name} is not installed")
        folder = self.server.folder / name
        folder.mkdir()
        certificate(folder)
        port = servers.free_port()
        words = command(folder, port, f"127.0.0.1:{self.server.address[1]}")
        words[0] = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")
        with open(folder / "output", "wb") as output:
            process = subprocess.Popen(words, stdout=output, stderr=output, stdin=subprocess.DEVNULL,
                                       env={**os.environ, "HOME": str(folder)})
        self.addCleanup(self.ended, process)
        client = TlsClient(("127.0.0.1", port), self.server.key, timeout_s=WAIT_S + 20)
        self.addCleanup(client.close)
        until = time.monotonic() + 15
        while True:
            try:
                if client.get("/healthz").status == 200:
                    return client
            except (OSError, wire.Gone, wire.Cut):
                client.close()
            if time.monotonic() > until or process.poll() is not None:
                self.fail(f"{name} does not serve: {(folder / 'output').read_text()}")
            time.sleep(0.05)

    @staticmethod
    def ended(process):
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def check(self, client):
        self.long_polls_end_before_the_proxy_gives_up(client)
        self.bodies_up_to_the_limit_pass(client)
        self.connections_are_kept(client)
        self.the_client_is_named(client)

    def long_polls_end_before_the_proxy_gives_up(self, client):
        agent = self.create("/agents/", name=unique("agent"), type="EXTERNAL")
        result = self.create("/test-results/", agent=agent["id"], testInstruction="say: hello")
        begun = time.monotonic()
        answer = client.get(f"/test-results/{result['id']}", {"Prefer": f"wait={WAIT_S}"})
        took = time.monotonic() - begun
        self.assertEqual((answer.status, answer.json()["status"]), (200, "pending"))
        self.assertGreater(took, min(WAIT_S, 55) - 1)
        self.assertLess(took, 59)

    def bodies_up_to_the_limit_pass(self, client):
        log = json.dumps({"externalId": unique("log"), "metadata": {"x": "y" * 200_000}}).encode()
        lines = b"".join(log.replace(b'"externalId": "', b'"externalId": "%d ' % i) + b"\n" for i in range(41))
        self.assertGreater(len(lines), 8_000_000)
        answer = client.post("/external-conversation-logs/batch", lines, {"Content-Type": "application/jsonl"})
        self.assertEqual((answer.status, answer.json()["created"]), (200, 41))
        try:
            self.assertEqual(client.post("/scenarios/", b" " * (9 * 1024 * 1024)).status, 413)
        except (OSError, wire.Gone, wire.Cut):
            pass    # a proxy may close the connection while the body is still being sent
        client.close()

    def connections_are_kept(self, client):
        self.ok(client.get("/version"))
        kept = client.wire
        for _ in range(3):
            self.ok(client.get("/version"))
        self.assertIs(client.wire, kept)

    def the_client_is_named(self, client):
        lies = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.8"}
        mark = unique("mark").replace(" ", "-")
        made = self.ok(client.send("POST", "/scenarios/", {"name": "named"}, {**lies, "X-Request-Id": mark}), 201)
        shown = subprocess.run([servers.binary(), "audit", "show", "--data", str(self.server.data)], capture_output=True, text=True,
                               timeout=60, check=True).stdout
        authors = [record["by"] for record in map(json.loads, shown.splitlines())
                   if any(change["id"] == made["id"] for change in record["changes"])]
        self.assertEqual({author["ip"] for [author] in authors}, {CLIENT}, authors)
        [line] = [line for line in self.server.told().splitlines() if mark in line and "route=/scenarios" in line]
        self.assertRegex(line, rf" client={re.escape(CLIENT)} key=parley_\w{{8}} user=[0-9a-f-]{{36}}")

    def test_D106_nginx(self):
        self.check(self.proxied("nginx", nginx))

    def test_D106_haproxy(self):
        self.check(self.proxied("haproxy", haproxy))

    def test_D106_caddy(self):
        self.check(self.proxied("caddy", caddy))

    def test_D106_only_a_trusted_proxy_is_believed(self):
        log = lambda: self.server.told().splitlines()    # noqa: E731
        def seen(source, **fields):
            mark = unique("mark").replace(" ", "-")
            with socket.create_connection(self.server.address, 10, source_address=(source, 0)) as plain:
                lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
                plain.sendall("\r\n".join(["GET /version HTTP/1.1", "Host: x", f"X-Request-Id: {mark}", *lines, "Connection: close",
                                           "", ""]).encode())
                while plain.recv(65536):
                    pass
            [line] = [line for line in log() if mark in line]
            return re.search(r" client=(\S+)", line).group(1)

        self.assertEqual(seen("127.0.0.1"), "127.0.0.1")
        self.assertEqual(seen("127.0.0.1", X_Forwarded_For="203.0.113.9"), "203.0.113.9")
        self.assertEqual(seen("127.0.0.1", X_Forwarded_For="203.0.113.9, 198.51.100.7, 127.0.0.1"), "198.51.100.7")
        self.assertEqual(seen("127.0.0.1", Forwarded='for="[2001:db8::1]:99";proto=https'), "2001:db8::1")
        self.assertEqual(seen("127.0.0.1", Forwarded="for=_hidden"), "127.0.0.1")
        self.assertEqual(seen("127.0.0.1", X_Forwarded_For="203.0.113.9", Forwarded="for=198.51.100.7"), "127.0.0.1")
        self.assertEqual(seen("127.0.0.6", X_Forwarded_For="203.0.113.9"), "127.0.0.6")


if __name__ == "__main__":
    cases.main()
