"""The work marks in the data directory (docs/adr/0010): the results that threads of the server work on, and the state after a
process was killed during such work."""
import uuid

SLOT = 64


def at_work(server):
    """The ids of the results that threads of the server are working on."""
    file = (server.data / "working").read_bytes()
    slots = [file[at:at + 20] for at in range(SLOT, len(file), SLOT)]
    return {str(uuid.UUID(bytes=slot[4:])) for slot in slots if slot[0] == 2}


def leave(server, result):
    """Marks the result as if the server, which is not running, had ended while it worked on the result."""
    with open(server.data / "working", "r+b") as file:
        file.seek(SLOT)
        file.write(b"\2\0\0\0" + uuid.UUID(result["id"]).bytes)
