"""The marks of work in the data directory (docs/adr/0010): the results that the server's threads work on, and how a process
ends that is killed during such work."""
import uuid

SLOT = 64


def at_work(server):
    """The ids of the results that a thread of the server works at just now."""
    file = (server.data / "working").read_bytes()
    slots = [file[at:at + 20] for at in range(SLOT, len(file), SLOT)]
    return {str(uuid.UUID(bytes=slot[4:])) for slot in slots if slot[0] == 2}


def leave(server, result):
    """As if the server, which is not running, had ended while it worked at the result."""
    with open(server.data / "working", "r+b") as file:
        file.seek(SLOT)
        file.write(b"\2\0\0\0" + uuid.UUID(result["id"]).bytes)
