"""Ways in which a server answers wrongly (F16-F20). Each mode is a coroutine (request, reader, writer). The path names it,
with '-' instead of '_': `/hostile/MODE`, or `/hostile/MODE/any/thing/after` for clients that append to their URL. The
connection closes afterwards. `status-NNN` answers with that status; `?after=S` adds Retry-After."""
import asyncio
import functools
import gzip
import socket
import struct
import urllib.parse
import zlib

PREFIX = "/hostile/"
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
PIECE = b"x" * 65536
MODES = {}


def mode(act):
    MODES[act.__name__.replace("_", "-")] = act
    return act


def of_path(path):
    """The mode that the path names, or None. An unknown mode is a mistake of the test."""
    plain = urllib.parse.urlsplit(path).path
    if not plain.startswith(PREFIX):
        return None
    name = plain[len(PREFIX):].split("/")[0]
    if name not in MODES and not name.startswith("status-"):
        raise ValueError(f"no hostile mode {name}")
    return name


async def act(name, request, reader, writer):
    if name.startswith("status-"):
        await status(int(name[len("status-"):]), request, writer)
    else:
        await MODES[name](request, reader, writer)


async def send(writer, data):
    writer.write(data)
    await writer.drain()


async def for_ever(writer, head, piece, pause=0.0):
    await send(writer, head)
    while True:
        await send(writer, piece)
        await asyncio.sleep(pause)


def whole(body, content_type="application/json", extra=""):
    return (f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n{extra}Content-Length: {len(body)}\r\n\r\n".encode()
            + body)


async def status(number, request, writer):
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query)
    after = f"Retry-After: {query['after'][0]}\r\n" if "after" in query else ""
    await send(writer, f"HTTP/1.1 {number} Said\r\n{after}Content-Length: 4\r\n\r\nsaid".encode())


# ---- time ---------------------------------------------------------------------------------------------------------

@mode
async def hang(_, reader, writer):
    """Does not answer until the client leaves."""
    await reader.read()


@mode
async def hang_in_body(_, reader, writer):
    await send(writer, b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"message": "')
    await reader.read()


@mode
async def drip(_, reader, writer):
    await for_ever(writer, b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n", b" ", 1)


@mode
async def drip_head(_, reader, writer):
    await for_ever(writer, b"HTTP/1.1 200 OK\r\nX: ", b"y", 1)


# ---- size ---------------------------------------------------------------------------------------------------------

@mode
async def gigabyte(_, reader, writer):
    await for_ever(writer, b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n", PIECE)


@mode
async def chunks_for_ever(_, reader, writer):
    await for_ever(writer, CHUNKED, b"10000\r\n" + PIECE + b"\r\n")


@mode
async def extension_for_ever(_, reader, writer):
    await for_ever(writer, CHUNKED + b"5;a=", PIECE)


@mode
async def endless(_, reader, writer):
    await for_ever(writer, b"HTTP/1.1 200 OK\r\n\r\n", PIECE)


@functools.lru_cache
def bomb():
    return gzip.compress(bytes(50_000_000), 1)


@mode
async def gzip_bomb(_, reader, writer):
    await send(writer, whole(bomb(), extra="Content-Encoding: gzip\r\n"))


GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
NOTHING = b"\x00\x00\x00\xff\xff" * 10_000   # blocks that decompress to nothing


@mode
async def nothing_for_ever(_, reader, writer):
    await for_ever(writer, b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + GZIP_HEAD, NOTHING)


@functools.lru_cache
def nothing_within():
    """Some KB that, two codings deeper, are gigabytes of blocks that decompress to nothing."""
    def packed(data):
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        return packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)
    return GZIP_HEAD + packed(GZIP_HEAD + packed(GZIP_HEAD)) + 3 * packed(1_000 * packed(20 * NOTHING))


@mode
async def codings_within_codings(_, reader, writer):
    await send(writer, whole(nothing_within(), extra="Content-Encoding: gzip, gzip, gzip\r\n"))


@mode
async def codings_in_three_lines(_, reader, writer):
    await send(writer, whole(nothing_within(), extra=3 * "Content-Encoding: gzip\r\n"))


@mode
async def codings_on_the_way(_, reader, writer):
    body = nothing_within()
    await send(writer, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, gzip, gzip, chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
               % (len(body), body))


@mode
async def header_flood(_, reader, writer):
    rows = "".join(f"X-{i}: y\r\n" for i in range(10_000))
    await send(writer, f"HTTP/1.1 200 OK\r\n{rows}\r\n".encode())


@mode
async def header_for_ever(_, reader, writer):
    await for_ever(writer, b"HTTP/1.1 200 OK\r\nX: ", PIECE)


@mode
async def interim_flood(_, reader, writer):
    await for_ever(writer, b"", b"HTTP/1.1 100 Continue\r\n\r\n")


@mode
async def trailer_flood(_, reader, writer):
    await for_ever(writer, CHUNKED + b"2\r\n{}\r\n0\r\n", b"X: y\r\n")


# ---- framing ------------------------------------------------------------------------------------------------------

@mode
async def garbage(_, reader, writer):
    await send(writer, b"\x16\x03\x01 what?\r\n\r\n")


@mode
async def http_9_9(_, reader, writer):
    await send(writer, b"HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}")


@mode
async def empty(_, reader, writer):
    """Closes without sending a byte."""


@mode
async def early_close(_, reader, writer):
    await send(writer, b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"message": ')


@mode
async def cut_head(_, reader, writer):
    await send(writer, b"HTTP/1.1 200 OK\r\nContent-Le")


@mode
async def two_lengths(_, reader, writer):
    await send(writer, b'HTTP/1.1 200 OK\r\nContent-Length: 40\r\nContent-Length: 20\r\n\r\n{"message": "hello"}')


@mode
async def length_and_letters(_, reader, writer):
    await send(writer, b'HTTP/1.1 200 OK\r\nContent-Length: 20abc\r\n\r\n{"message": "hello"}')


@mode
async def length_too_short(_, reader, writer):
    await send(writer, b'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{"message": "hello"}')


@mode
async def bad_chunk(_, reader, writer):
    await send(writer, CHUNKED + b"zz\r\nfour\r\n")


@mode
async def not_gzip(_, reader, writer):
    await send(writer, whole(b"not packed", extra="Content-Encoding: gzip\r\n"))


@mode
async def reset(_, reader, writer):
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


# ---- redirects ----------------------------------------------------------------------------------------------------

@mode
async def redirect_metadata(_, reader, writer):
    await send(writer, b"HTTP/1.1 302 There\r\nLocation: http://169.254.169.254/latest\r\nContent-Length: 0\r\n\r\n")


@mode
async def redirect_file(_, reader, writer):
    await send(writer, b"HTTP/1.1 302 There\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n")


@mode
async def redirect_loop(request, reader, writer):
    location = request.path.encode("latin-1")
    await send(writer, b"HTTP/1.1 307 There\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n")


# ---- content ------------------------------------------------------------------------------------------------------

@mode
async def html(_, reader, writer):
    await send(writer, whole(b"<html><body>hello</body></html>", "text/html"))


def content(body):
    """A mode with a complete, well-framed answer whose body is wrong."""
    async def act_out(_, reader, writer):
        await send(writer, whole(body))
    return act_out


MODES.update({name: content(body) for name, body in {
    "no-body": b"",
    "half-json": b'{"message": "hel',
    "two-objects": b'{"message": "a"}{"message": "b"}',
    "wrong-shape": b'["message", 1]',
    "bad-utf8": b'{"message": "\xff\xfe"}',
    "nul": b'{"message": "a\x00b"}',
    "deep": b"[" * 500_000,
}.items()})
